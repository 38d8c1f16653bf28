import { quoted } from '../../../kernel';
import { LINES_MAX, RAW_CHARACTERS_MAX, STATEMENTS_MAX } from '../limits';
import { oneLine } from '../one-line';
import type { ParsedLine, ParsedStatement, StatementEvent } from '../parsed-statement';
import { Problems } from '../problems';
import { refusal } from '../refusal';
import { type OfxElement, valueOf } from './ofx-element';
import type { OfxListener } from './ofx-tree';
import { accountCurrency, readStatement } from './read-statement';
import { readTransaction } from './read-transaction';

const NOTES_MAX = 20;
/** With this number of faults the file is probably not OFX, and reading stops. */
const UNREADABLE_MAX = 100;

interface ReadStatement {
  readonly statement: Omit<ParsedStatement, 'notes'>;
  readonly notes: readonly string[];
  readonly lines: readonly ParsedLine[];
}

/** Builds statements from the elements of an OFX file. */
export class OfxStatements implements OfxListener {
  readonly #text: string;
  readonly #problems = new Problems();
  readonly #read: ReadStatement[] = [];
  readonly #fileNotes = new Notes();
  #lines: ParsedLine[] = [];
  #notes = new Notes();
  #lineCount = 0;
  #unreadable = 0;
  /** The last status with information. */
  #lastStatus: OfxElement | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  closed(element: OfxElement, parents: readonly OfxElement[], end: number): void {
    switch (element.name) {
      case 'STMTTRN':
      case 'STMTTRNP':
        return this.#addLine(element, parents, end);
      case 'STMTRS':
      case 'CCSTMTRS':
        return this.#addStatement(element);
      case 'STATUS':
        return this.#addStatus(element, parents);
      default:
    }
  }

  passedOver(name: string, line: number): void {
    this.#fileNotes.add(() => `line ${line}: ${quoted(name)} is not read`);
  }

  leftOpen(name: string, line: number): void {
    this.#notes.add(() => `line ${line}: <${name}> is not closed; it ends where the next element starts`);
  }

  /** Returns the events. @throws AppError `bad_input` that lists the faults, or if there is no statement. */
  events(): readonly StatementEvent[] {
    this.#problems.throwIfAny();
    if (this.#read.length === 0) {
      const status = this.#lastStatus;
      const said = status === undefined ? [] : [`line ${status.line}: the bank states ${quoted(saidBy(status))}`];
      throw refusal(['expected a statement, got none', ...said, ...this.#fileNotes.all()].join('; '));
    }
    const fileNotes = this.#fileNotes.all();
    return this.#read.flatMap(({ statement, notes, lines }): StatementEvent[] => [
      ...lines.map((line): StatementEvent => ({ kind: 'line', line })),
      { kind: 'statement', statement: { ...statement, notes: [...notes, ...fileNotes] } },
    ]);
  }

  #addLine(element: OfxElement, parents: readonly OfxElement[], end: number): void {
    this.#lineCount += 1;
    if (this.#lineCount > LINES_MAX) {
      throw refusal(`line ${element.line}: expected at most ${LINES_MAX} transactions, got more`);
    }
    if (end - element.start > RAW_CHARACTERS_MAX) {
      throw refusal(
        `line ${element.line}: expected a transaction of at most ${RAW_CHARACTERS_MAX} characters, got more`,
      );
    }
    const statement = parents.find(({ name }) => name === 'STMTRS' || name === 'CCSTMTRS');
    const line = readTransaction(element, {
      currency: accountCurrency(statement),
      raw: this.#text.slice(element.start, end),
      problems: this.#problems,
      note: (note) => this.#notes.add(note),
    });
    if (line !== undefined) this.#lines.push(line);
    else if (++this.#unreadable === UNREADABLE_MAX) this.#problems.throwIfAny();
  }

  #addStatement(element: OfxElement): void {
    if (this.#read.length === STATEMENTS_MAX) {
      throw refusal(`line ${element.line}: expected at most ${STATEMENTS_MAX} statements, got more`);
    }
    const lines = this.#lines;
    const notes = this.#notes;
    this.#lines = [];
    this.#notes = new Notes();
    const statement = readStatement(element, {
      lineCurrencies: new Set(lines.flatMap(({ currency }) => currency ?? [])),
      note: (note) => notes.add(note),
    });
    this.#read.push({ statement, lines, notes: notes.all() });
  }

  /** A failed answer has no statement. Beside other statements it must still be reported. */
  #addStatus(element: OfxElement, parents: readonly OfxElement[]): void {
    if (saidBy(element) !== '') this.#lastStatus = element;
    const failed = oneLine(valueOf(element, 'SEVERITY')).toUpperCase() === 'ERROR';
    if (failed && parents.at(-1)?.name !== 'SONRS') this.#fileNotes.add(() => `line ${element.line}: an answer failed`);
  }
}

function saidBy(status: OfxElement): string {
  return oneLine(valueOf(status, 'MESSAGE')) || oneLine(valueOf(status, 'CODE'));
}

/** Stores the first notes only, because a file may cause one in each line. */
class Notes {
  readonly #first: string[] = [];
  #more = 0;

  add(note: () => string): void {
    if (this.#first.length < NOTES_MAX) this.#first.push(note());
    else this.#more += 1;
  }

  all(): readonly string[] {
    return this.#more === 0 ? this.#first : [...this.#first, `and ${this.#more} more`];
  }
}
