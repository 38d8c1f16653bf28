import { assert, type BusinessDate } from '../../kernel';
import { formatMinorUnits } from '../reading/currencies';
import type { Statement } from '../statement-records';
import { areOfOtherDays, straysFromItsDays } from './bank-days';
import type { ChainStore, StoredSlice, StoredSliceLine } from './chain-store';
import { areApart, haveOtherBalances, haveSameEdge, mayBeShorter, overlapsOf } from './day-slice';

/** Two statements of the same days that cannot both be complete. */
export interface Contradiction {
  readonly other: Statement;
  /** The first day on which one statement has a line that the other lacks. */
  readonly day: BusinessDate;
}

/**
 * Returns a statement that contradicts this proven one: on days that both cover, one has lines that the other lacks.
 * This happens if the same movements arrive in another format with other references. They were stored as new lines, and
 * accepting both would count the money twice.
 *
 * If one statement ends and the other begins on the same day, each may have its own part of that day.
 */
export async function findContradiction(chain: ChainStore, statement: Statement): Promise<Contradiction | undefined> {
  if (!isProven(statement)) return undefined;
  for (const other of await chain.overlapping(statement)) {
    if (isLaterInFile(other, statement) || areOfOtherDays(other, statement)) continue;
    if ((await isStrayPart(chain, statement, other)) || (await isStrayPart(chain, other, statement))) continue;
    const day =
      (await foreignDay(chain, statement, other)) ??
      (isProven(other)
        ? ((await foreignDay(chain, other, statement)) ?? (await otherBalanceDay(chain, statement, other)))
        : undefined);
    if (day !== undefined) return { other, day };
  }
  return undefined;
}

/**
 * Returns a statement of other names that has a line of this one although its balances show that it has another part of
 * the day: the balances differ, or two movements were taken for one.
 */
export async function findOtherBalance(
  chain: ChainStore,
  statement: Statement,
  names: readonly string[],
): Promise<Contradiction | undefined> {
  for (const other of await chain.overlapping(statement)) {
    if (names.includes(other.account) || !(await chain.shareLines(statement, other))) continue;
    const day = firstCommonDay(statement, other);
    const slices = await slicesOn(chain, statement, other, day);
    const isOther = slices !== undefined && haveOtherBalances(...slices);
    if (isOther || areOfOtherDays(statement, other)) return { other, day };
  }
  return undefined;
}

/** Returns the first common day of two statements with equal lines if their balances show that both cannot be complete. */
async function otherBalanceDay(chain: ChainStore, a: Statement, b: Statement): Promise<BusinessDate | undefined> {
  const day = firstCommonDay(a, b);
  const slices = await slicesOn(chain, a, b, day);
  if (slices === undefined || !haveOtherBalances(...slices) || areApart(...slices)) return undefined;
  return day;
}

function firstCommonDay({ firstDate: a }: Statement, { firstDate: b }: Statement): BusinessDate {
  assert(a !== undefined && b !== undefined, 'statements that overlap have lines');
  return a < b ? b : a;
}

/** Returns the parts of a day in two statements; undefined if one of them has no opening balance. */
async function slicesOn(
  chain: ChainStore,
  a: Statement,
  b: Statement,
  day: BusinessDate,
): Promise<[StoredSlice, StoredSlice] | undefined> {
  const [ofA, ofB] = [await chain.sliceOn(a, day), await chain.sliceOn(b, day)];
  return ofA === undefined || ofB === undefined ? undefined : [ofA, ofB];
}

const DIFFERENCES_SHOWN_MAX = 20;

/** Describes the lines of the day that only one of two statements has, and their balances before it if they differ. */
export async function describeDifferences(
  chain: ChainStore,
  statement: Statement,
  { other, day }: Contradiction,
): Promise<string[]> {
  const slices = await slicesOn(chain, statement, other, day);
  if (slices === undefined) return [];
  const [own, others] = slices;
  const money = (minor: number): string => formatMinorUnits(minor, statement.currency);
  const lacking = (which: StoredSlice, { id }: Statement, { lines }: StoredSlice, without: Statement): string[] => {
    const known = new Set(lines.map(({ identity }) => identity));
    const missing = which.lines.filter(({ identity }) => !known.has(identity));
    return missing.map(
      ({ amountMinor }) => `${day}: statement ${id} has ${money(amountMinor)}, which statement ${without.id} lacks`,
    );
  };
  const found = [...lacking(own, statement, others, other), ...lacking(others, other, own, statement)];
  const balances =
    `${day}: statement ${statement.id} begins the day with ${money(own.startMinor)}, ` +
    `statement ${other.id} with ${money(others.startMinor)}`;
  return (found.length === 0 || own.startMinor !== others.startMinor ? [balances, ...found] : found).slice(
    0,
    DIFFERENCES_SHOWN_MAX,
  );
}

export function isProven({ openingMinor, closingMinor, verdict }: Statement): boolean {
  return verdict === 'ok' && openingMinor !== undefined && closingMinor !== undefined;
}

/**
 * Returns whether `part` has lines outside the days of its balances, and `whole`, which covers at least these days, has
 * each of its lines. Then `part` does not claim to have all lines of their dates, and accepting both counts the lines
 * of `whole`.
 */
async function isStrayPart(chain: ChainStore, part: Statement, whole: Statement): Promise<boolean> {
  if (!isProven(part) || !isProven(whole) || !straysFromItsDays(part) || !isWithin(part, whole)) return false;
  return (await chain.daysOfForeignLines(whole, part)).length === 0;
}

/** Compares the dates of the lines and the dates of the balances. */
function isWithin(part: Statement, whole: Statement): boolean {
  return (
    isNotAfter(whole.firstDate, part.firstDate) &&
    isNotAfter(part.lastDate, whole.lastDate) &&
    isNotAfter(whole.from, part.from) &&
    isNotAfter(part.through, whole.through)
  );
}

function isNotAfter(day: BusinessDate | undefined, other: BusinessDate | undefined): boolean {
  return day !== undefined && other !== undefined && day <= other;
}

/** If two statements of one file contradict each other, the second one is put on hold. */
function isLaterInFile(other: Statement, statement: Statement): boolean {
  return other.fileId === statement.fileId && other.position > statement.position;
}

/** Returns the first day on which `other` has lines that `whole` lacks although it covers the day. */
async function foreignDay(chain: ChainStore, whole: Statement, other: Statement): Promise<BusinessDate | undefined> {
  for (const day of await chain.daysOfForeignLines(whole, other)) {
    if (!(await isOtherPart(chain, whole, other, day))) return day;
  }
  return undefined;
}

/** Returns whether the lines of `other` that `whole` lacks are another part of the day. */
export async function isOtherPart(
  chain: ChainStore,
  whole: Statement,
  other: Statement,
  day: BusinessDate,
): Promise<boolean> {
  if (day !== whole.firstDate && day !== whole.lastDate) return false;
  const slices = await slicesOn(chain, whole, other, day);
  if (slices === undefined) return false;
  const [around, inside] = slices;
  const ways = overlapsOf(around, inside);
  const agree = ({ lines }: StoredSlice, shared: readonly StoredSliceLine[]): boolean =>
    hasAll(lines, shared) && countCommon(around, inside) === shared.length;
  if (ways.length > 0) return ways.some((shared) => agree(around, shared));
  if (!haveSameEdge(around, inside)) return areApart(around, inside);
  if (around.lines.length >= inside.lines.length) return agree(around, inside.lines);
  return mayBeShorter(around, inside) && agree(inside, around.lines);
}

/** Counts the lines that both statements contain. */
function countCommon(a: StoredSlice, b: StoredSlice): number {
  const known = new Set(a.lines.map(({ identity }) => identity));
  return b.lines.filter(({ identity }) => known.has(identity)).length;
}

/** Equal lines are interchangeable. */
function hasAll(lines: readonly StoredSliceLine[], wanted: readonly StoredSliceLine[]): boolean {
  const left = new Map<string, number>();
  for (const { likeness } of lines) left.set(likeness, (left.get(likeness) ?? 0) + 1);
  return wanted.every(({ likeness }) => {
    const count = left.get(likeness) ?? 0;
    left.set(likeness, count - 1);
    return count > 0;
  });
}
