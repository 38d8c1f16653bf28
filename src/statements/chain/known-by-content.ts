import { addToGroup, type BusinessDate } from '../../kernel';
import type { Statement } from '../statement-records';
import type { ChainStore } from './chain-store';
import { contentOf, type IdentifiedLine } from './line-identity';

type Line = IdentifiedLine & { readonly content: string };
type Days = ReadonlyMap<BusinessDate, readonly Line[]>;

/** A statement, and its lines on the days of the new one. */
interface Download {
  readonly statement: Statement;
  readonly days: Days;
}

/**
 * Returns, by their own identity, the stored identities of lines that a statement without an opening balance repeats
 * under other references: some banks give a movement a new reference (FITID) in each download.
 *
 * A line is known if its day, amount and texts are those of a stored line, counted among equals, in a download that
 * `isRepeated` shows to be of the same lines. The other lines of a day are new. All lines of a day stay new, and their
 * acceptance is refused like that of lines from another format, if
 *
 * - a stored statement with days before and after has a line fewer, of the amount of a known line;
 * - a download that is not shown to be of the same lines has a line of the day.
 *
 * No line is known if the statement lacks a stored line of its days: then it does not have whole days, or the bank moved
 * or changed a line.
 */
export async function knownByContent(
  chain: ChainStore,
  statement: Statement,
  lines: readonly IdentifiedLine[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (statement.kind !== 'statement' || statement.openingMinor !== undefined) return found;
  const others: Download[] = [];
  for (const other of await chain.unplacedOn(statement)) {
    others.push({ statement: other, days: byDay(await chain.linesWithin(statement, other.id)) });
  }
  if (others.length === 0) return found;
  const own: Download = { statement, days: byDay(lines) };
  const repeated = others.filter((other) => isRepeated(own, other));
  for (const day of new Set(repeated.flatMap(({ days }) => [...days.keys()]))) {
    const known = new Map(repeated.flatMap(({ days }) => on(day, days).map((line) => [line.identity, line])));
    const compared = compare(on(day, own.days), [...known.values()]);
    if (compared.missing > 0) return new Map();
    if (isDoubtful(day, compared.fresh, { known, others })) continue;
    for (const [line, stored] of compared.pairs) found.set(line.identity, stored.identity);
  }
  return found;
}

/**
 * Returns whether two downloads are of the same lines on the days of both, rather than of consecutive parts. The
 * difference of their closing balances shows it: it is the sum of the later one's lines, with or without the common
 * ones. Otherwise they need a common line of a day that ended before either download.
 */
function isRepeated(a: Download, b: Download): boolean {
  let sameMinor = 0;
  let isEarlier = false;
  for (const [day, lines] of a.days) {
    const { common } = compare(lines, on(day, b.days));
    for (const { amountMinor } of common) sameMinor += amountMinor;
    isEarlier ||= common.length > 0 && goesOn(a.statement, day) && goesOn(b.statement, day);
  }
  const differences = [...moved(a.statement, b.statement), ...moved(b.statement, a.statement)];
  if (sameMinor === 0) return isEarlier;
  return !differences.includes(0) && (isEarlier || differences.includes(-sameMinor));
}

/** Returns by how much the closing balance moved from one statement to a later one, without the lines of the later one. */
function moved(earlier: Statement, later: Statement): number[] {
  const { closingMinor, creditsMinor, debitsMinor } = later;
  if (earlier.closingMinor === undefined || closingMinor === undefined) return [];
  const isLater = !isBefore(later.firstDate, earlier.firstDate) && !isBefore(later.lastDate, earlier.lastDate);
  return isLater ? [closingMinor - earlier.closingMinor - creditsMinor + debitsMinor] : [];
}

interface Compared {
  /** Lines of equal content under other identities. */
  readonly pairs: readonly (readonly [line: Line, stored: Line])[];
  readonly common: readonly Line[];
  readonly fresh: readonly Line[];
  /** The number of known lines that the others lack. */
  readonly missing: number;
}

/** Compares lines of a day: first by identity, then by content. */
function compare(own: readonly Line[], known: readonly Line[]): Compared {
  const [ownIdentities, identities] = [own, known].map((lines) => new Set(lines.map(({ identity }) => identity)));
  const left = new Map<string, Line[]>();
  for (const line of known) if (ownIdentities?.has(line.identity) !== true) addToGroup(left, line.content, line);
  const [pairs, common, fresh]: [(readonly [Line, Line])[], Line[], Line[]] = [[], [], []];
  for (const line of own) {
    const stored = identities?.has(line.identity) === true ? line : left.get(line.content)?.shift();
    if (stored !== undefined && stored !== line) pairs.push([line, stored]);
    (stored === undefined ? fresh : common).push(line);
  }
  return { pairs, common, fresh, missing: known.length - common.length };
}

function isDoubtful(
  day: BusinessDate,
  fresh: readonly Line[],
  { known, others }: { readonly known: ReadonlyMap<string, Line>; readonly others: readonly Download[] },
): boolean {
  const amounts = new Set([...known.values()].map(({ amountMinor }) => amountMinor));
  const isDenied =
    others.some((other) => spans(other.statement, day)) && fresh.some((line) => amounts.has(line.amountMinor));
  const isOther = others.some(({ days }) => on(day, days).some(({ identity }) => !known.has(identity)));
  return isDenied || isOther;
}

function byDay(lines: readonly IdentifiedLine[]): Days {
  const days = new Map<BusinessDate, Line[]>();
  for (const line of lines) addToGroup(days, line.bookingDate, { ...line, content: contentOf(line) });
  return days;
}

function on(day: BusinessDate, days: Days): readonly Line[] {
  return days.get(day) ?? [];
}

/** Returns whether a statement has days before and after this one, so that it has all of it. */
function spans(statement: Statement, day: BusinessDate): boolean {
  return isBefore(statement.firstDate, day) && goesOn(statement, day);
}

function goesOn({ lastDate }: Statement, day: BusinessDate): boolean {
  return isBefore(day, lastDate);
}

function isBefore(day: BusinessDate | undefined, other: BusinessDate | undefined): boolean {
  return day !== undefined && other !== undefined && day < other;
}
