import { addToGroup, quoted } from '../../kernel';
import type { BankFile } from '../reading/bank-file';
import type { Reading } from '../reading/choose-reader';
import type { ParsedLine } from '../reading/parsed-statement';
import type { Statement, StatementLine } from '../statement-records';
import { openStatements } from '../statement-store';
import type { Duplicate, ReadStored, WholeAndStatement } from './duplicate';
import { sharedFields } from './to-stored-line';

/** A file that was read before, to read its lines again. */
export interface ReadFile {
  readonly file: BankFile;
  readonly reading: Reading;
}

/** Longer statements are not compared, because their lines are in memory at the same time. */
const COMPARED_LINES_MAX = 5_000;
const SHOWN_MAX = 20;
const CHARACTERS_BEFORE = 20;

const TEXTS = {
  remittance: 'text',
  counterparty: 'counterparty',
  counterpartyAccount: 'account of the counterparty',
  bankReference: 'bank reference',
  endToEndId: 'end-to-end id',
} as const;

const FIELDS = Object.keys(TEXTS) as readonly (keyof typeof TEXTS)[];

type Compared = Pick<StatementLine, 'bookingDate' | 'amountMinor' | keyof typeof TEXTS>;
type FileLine = Compared & { readonly fileLine: number };

/**
 * Compares the texts of a file whose statements all are stored with the stored lines of the same day and amount. The
 * balances of a statement prove its amounts, never its texts.
 *
 * @returns at most 20 differences, each with its line and both texts. Files of another format have other texts, and are
 * not compared.
 */
export async function differingTexts(
  read: ReadStored,
  file: ReadFile,
  wholes: readonly WholeAndStatement[],
  duplicates: readonly Duplicate[],
): Promise<string[]> {
  const stored = new Map(duplicates.map(({ statement, before }) => [statement.id, before]));
  const found: string[] = [];
  for (const { statement, lines } of linesOfStatements(file, wholes)) {
    const before = stored.get(statement.id);
    if (before === undefined || statement.entries > COMPARED_LINES_MAX) continue;
    const known = await read(async (session) => {
      const store = openStatements(session);
      const listed = await store.find(before.id);
      return listed?.file.format === file.reading.format ? store.lines(before.id) : [];
    });
    const booked = lines.map((line) => ({ ...sharedFields(line, statement), fileLine: line.fileLine }));
    const storedLines = known.map(({ line }) => line);
    found.push(...unequalLines(booked, storedLines).map(([now, then]) => differenceText(now, then, before.id)));
    if (found.length >= SHOWN_MAX) break;
  }
  return found.slice(0, SHOWN_MAX);
}

/** Reads the booked lines of each statement of a file again. */
function* linesOfStatements(
  { file, reading }: ReadFile,
  wholes: readonly WholeAndStatement[],
): Generator<{ readonly statement: Statement; readonly lines: readonly ParsedLine[] }> {
  const reader = reading.createReader();
  let [index, pages, lines]: [number, number, ParsedLine[]] = [0, 0, []];
  const events = function* () {
    for (const piece of file.pieces()) yield* reader.push(piece);
    yield* reader.end();
  };
  for (const event of events()) {
    if (event.kind === 'line') {
      if (event.line.status === 'booked' && lines.length < COMPARED_LINES_MAX) lines.push(event.line);
      continue;
    }
    const current = wholes[index];
    if (current === undefined) return; // the file changed
    pages += 1;
    if (pages < current.whole.pages) continue;
    yield { statement: current.statement, lines };
    [index, pages, lines] = [index + 1, 0, []];
  }
}

/** Returns the lines that no stored line equals, each with a stored one of its day and amount that is left. */
function unequalLines(lines: readonly FileLine[], stored: readonly Compared[]): [FileLine, Compared][] {
  const keyOf = ({ bookingDate, amountMinor }: Compared): string => `${bookingDate}/${amountMinor}`;
  const left = new Map<string, Compared[]>();
  for (const line of stored) addToGroup(left, keyOf(line), line);
  const unequal = lines.filter((line) => {
    const group = left.get(keyOf(line)) ?? [];
    const same = group.findIndex((other) => FIELDS.every((field) => other[field] === line[field]));
    if (same >= 0) group.splice(same, 1);
    return same < 0;
  });
  return unequal.flatMap((line) => {
    const other = left.get(keyOf(line))?.shift();
    return other === undefined ? [] : [[line, other]];
  });
}

function differenceText(now: FileLine, then: Compared, statementId: string): string {
  const texts = FIELDS.filter((field) => now[field] !== then[field]).map((field) => {
    const [ofFile, stored] = fromDifference(now[field], then[field]);
    return `the ${TEXTS[field]} is ${quoted(ofFile)}, and ${quoted(stored)} in statement ${statementId}`;
  });
  return `line ${now.fileLine}: ${texts.join('; ')}`;
}

/** Returns the parts of two texts that begin shortly before their first difference, because long texts are shortened. */
function fromDifference(a: string, b: string): readonly [string, string] {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const from = at - CHARACTERS_BEFORE;
  const part = (text: string): string => (from > 0 ? `…${text.slice(from).toWellFormed()}` : text);
  return [part(a), part(b)];
}
