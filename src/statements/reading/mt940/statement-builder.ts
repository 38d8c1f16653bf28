import type { StatementEvent } from '../parsed-statement';
import type { Field } from './field-splitter';
import { LineAwaitingInformation } from './line-awaiting-information';
import { floorLimitCurrency, isBalance, readBalance, readControlSum } from './read-balance';
import { readDate } from './read-date';
import { refuse } from './refuse';
import { StatementDraft } from './statement-draft';
import { trimText } from './trim-text';

/** Longer than any account, number or reference of a statement. */
const NAME_CHARACTERS_MAX = 200;

/** Builds statements from the fields of a file. Each message is one; the receiver of the events joins pages. */
export class StatementBuilder {
  #draft: StatementDraft | undefined;
  #held: LineAwaitingInformation | undefined;
  #interimEnvelope = false;
  #events: StatementEvent[] = [];
  #statements = 0;

  /** The number of statements so far. */
  get statements(): number {
    return this.#statements;
  }

  /** Starts the envelope of the next message. */
  announce({ interim }: { readonly interim: boolean }): void {
    this.#interimEnvelope = interim;
  }

  /** Ends the message. */
  boundary(fileLine: number): void {
    // An envelope takes several lines, and each of them is a boundary.
    if (this.#draft !== undefined) this.#interimEnvelope = false;
    this.#finish(fileLine);
  }

  /** Returns the completed events, each once. */
  take(): StatementEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Adds a field. @throws AppError `bad_input` */
  add(field: Field): void {
    switch (field.tag) {
      case '20':
        return this.#reference(field);
      case '25':
      case '25P':
        return this.#account(field);
      case '28':
      case '28C':
        return this.#number(field);
      case '60F':
      case '60M':
        return this.#opening(field);
      case '61':
        return this.#line(field);
      case '86':
        // Without a line before it, it belongs to the statement.
        return this.#held?.add(field);
      case '62F':
      case '62M':
        return this.#closing(field);
      case '64':
      case '65':
        return this.#available(field);
      case '34F':
        return this.#floorLimit(field);
      case '13':
      case '13D':
        if (this.#draft !== undefined) {
          this.#draft.interim = true;
          this.#draft.writtenOn ??= readDate(field.text.slice(0, 6))?.date;
        }
        return undefined;
      case '90C':
      case '90D':
        return this.#controlSum(field);
      default:
        return undefined;
    }
  }

  #reference(field: Field): void {
    const before = this.#draft;
    // Some banks write the account first.
    if (before !== undefined && (before.filled || before.bankId !== '')) this.#finish(field.fileLine);
    this.#open(field).bankId = nameOf(field);
  }

  #account(field: Field): void {
    const before = this.#draft;
    // An account in the middle starts another statement.
    if (before !== undefined && (before.filled || before.account !== undefined)) this.#finish(field.fileLine);
    this.#open(field).account = nameOf(field) || undefined;
  }

  #number(field: Field): void {
    const draft = this.#open(field);
    if (draft.number === '') draft.number = nameOf(field);
  }

  #opening(field: Field): void {
    const before = this.#draft;
    // A page in the same message has no account and no reference of its own.
    if (before?.closing !== undefined) {
      this.#finish(field.fileLine);
      const { account, bankId, number } = before;
      Object.assign(this.#open(field), { account, bankId, number });
    }
    const draft = this.#open(field);
    if (draft.opening !== undefined) {
      refuse({ ...field, expected: 'a closing balance before another opening balance', found: field.raw });
    }
    draft.opening = draft.stated(field, readBalance(field));
  }

  #closing(field: Field): void {
    this.#give();
    const draft = this.#open(field);
    if (draft.closing !== undefined) {
      refuse({ ...field, expected: 'one closing balance in a statement', found: field.raw });
    }
    draft.closing = draft.stated(field, readBalance(field));
  }

  #available(field: Field): void {
    const draft = this.#open(field);
    if (isBalance(field.text)) draft.nameCurrency(field, readBalance(field).currency);
    else draft.note(`line ${field.fileLine}: the balance :${field.tag}: cannot be read and was not used`);
  }

  #floorLimit(field: Field): void {
    const draft = this.#open(field);
    draft.filled = true;
    draft.interim = true;
    const currency = floorLimitCurrency(field.text);
    if (currency !== undefined) draft.nameCurrency(field, currency);
  }

  #controlSum(field: Field): void {
    this.#give();
    const draft = this.#open(field);
    draft.filled = true;
    draft.interim = true;
    const { entries, currency, amount } = readControlSum(field);
    draft.nameCurrency(field, currency);
    draft.totals =
      field.tag === '90C'
        ? { ...draft.totals, credits: amount, creditEntries: entries }
        : { ...draft.totals, debits: amount, debitEntries: entries };
  }

  #line(field: Field): void {
    this.#give();
    const draft = this.#open(field);
    draft.filled = true;
    draft.settleKind();
    this.#held = new LineAwaitingInformation(field, draft.currency);
    for (const note of this.#held.notes) draft.note(note);
  }

  #give(): void {
    const held = this.#held;
    if (held === undefined || this.#draft === undefined) return;
    this.#held = undefined;
    this.#events.push({ kind: 'line', line: held.parsed(this.#draft) });
  }

  #open({ fileLine }: Field): StatementDraft {
    this.#draft ??= new StatementDraft({ fileLine, interim: this.#interimEnvelope });
    return this.#draft;
  }

  #finish(fileLine: number): void {
    this.#give();
    const draft = this.#draft;
    if (draft === undefined) return;
    this.#draft = undefined;
    this.#statements += 1;
    this.#events.push({ kind: 'statement', statement: draft.finished(fileLine) });
  }
}

function nameOf(field: Field): string {
  const name = trimText(field.text);
  if (name.length <= NAME_CHARACTERS_MAX) return name;
  return refuse({ ...field, expected: `at most ${NAME_CHARACTERS_MAX} characters after :${field.tag}:`, found: name });
}
