import { addDays, type BusinessDate } from '../../kernel';
import type { Statement } from '../statement-records';

/** A statement with known days: it has lines, or at least names the days that it covers. */
interface Link {
  readonly statement: Statement;
  readonly start: BusinessDate;
  readonly end: BusinessDate;
}

/** Two consecutive statements of an account whose balances do not follow. */
export interface Discontinuity {
  /**
   * `gap`: no statement is known for the days between them. `break`: no day lies between them, but the balance jumped.
   */
  readonly kind: 'gap' | 'break';
  readonly before: Statement;
  readonly next: Statement;
  /** The first day of `next`. */
  readonly since: BusinessDate;
  /** The opening balance of `next` less the closing balance of `before`. */
  readonly differenceMinor: number;
}

/** Returns whether two statements share a line. */
export type ShareLines = (a: Statement, b: Statement) => Promise<boolean>;

/**
 * Visits the statements of one account from the first day to the last, and finds where the balances do not follow.
 * Overlapping statements are excluded, because their lines show whether they agree.
 */
export async function findDiscontinuities(
  statements: readonly Statement[],
  shareLines: ShareLines,
): Promise<Discontinuity[]> {
  const found: Discontinuity[] = [];
  // The statements that reach furthest. Several may end on one day, with different or partly equal lines of it.
  let heads: Link[] = [];
  for (const link of inOrder(statements)) {
    const before = heads.at(-1);
    if (
      before !== undefined &&
      !heads.some((head) => follows(head, link)) &&
      (await areApart(heads, link, shareLines))
    ) {
      found.push(discontinuity(before, link));
    }
    if (before === undefined || link.end > before.end) heads = [link];
    else if (link.end === before.end) heads = withHead(heads, link);
  }
  return found;
}

/** If two statements begin with the same balance and end on one day, the one with more lines has the final balance. */
function withHead(heads: readonly Link[], link: Link): Link[] {
  const left = heads.filter((head) => !isFuller(link, head));
  return left.some((head) => isFuller(head, link)) ? left : [...left, link];
}

function isFuller(a: Link, b: Link): boolean {
  const [more, fewer] = [a.statement, b.statement];
  const beginAlike = a.start === b.start && more.openingMinor === fewer.openingMinor;
  return beginAlike && more.closingMinor !== fewer.closingMinor && more.entries > fewer.entries;
}

/** Returns the statements with the account's first day. */
export function earliestOf(statements: readonly Statement[]): Statement[] {
  const ordered = inOrder(statements);
  return ordered.filter(({ start }) => start === ordered[0]?.start).map(({ statement }) => statement);
}

/** Returns the statement that is before another one in the order of their days; undefined before the first. */
export function previousOf(statements: readonly Statement[], of: Statement): Statement | undefined {
  const ordered = inOrder([...statements, of]);
  const at = ordered.findIndex(({ statement }) => statement === of);
  return at > 0 ? ordered[at - 1]?.statement : undefined;
}

/** Returns whether two statements have days in common, other than a day on which one ends and the other begins. */
export function haveCommonDays(a: Statement, b: Statement): boolean {
  const [x, y] = [toLink(a), toLink(b)];
  if (x === undefined || y === undefined) return false;
  return (x.start < y.end && y.start < x.end) || (x.start === y.start && x.end === y.end);
}

/** Sorts by day; statements of one day in the order in which their balances follow. */
function inOrder(statements: readonly Statement[]): Link[] {
  const open = statements
    .map(toLink)
    .filter((link) => link !== undefined)
    .sort(byDays);
  const ordered: Link[] = [];
  while (open.length > 0) {
    const [first] = open;
    const sameDays = open.filter(({ start, end }) => start === first?.start && end === first.end);
    const next = sameDays.length === 1 ? first : nextOf(sameDays, ordered.at(-1));
    if (next === undefined) break;
    open.splice(open.indexOf(next), 1);
    ordered.push(next);
  }
  return ordered;
}

function nextOf(sameDays: readonly Link[], before: Link | undefined): Link | undefined {
  const fitting = before && sameDays.find((link) => follows(before, link));
  const isFirst = (link: Link): boolean => !sameDays.some((other) => other !== link && follows(other, link));
  return fitting ?? sameDays.find(isFirst) ?? sameDays[0];
}

function toLink(statement: Statement): Link | undefined {
  const { firstDate, lastDate, from, through } = statement;
  // The bank states the days of the balances; a line may be dated outside them.
  const isDated = from !== undefined && through !== undefined;
  const start = isDated ? from : (firstDate ?? from ?? through);
  const end = isDated ? through : (lastDate ?? through ?? from);
  if (start === undefined || end === undefined) return undefined;
  return start <= end ? { statement, start, end } : { statement, start: end, end: start };
}

function follows({ statement: before }: Link, { statement: next }: Link): boolean {
  return before.closingMinor === next.openingMinor;
}

/** Returns whether a statement shares no day with the earlier ones, or only one day of which it has another part. */
async function areApart(heads: readonly Link[], next: Link, shareLines: ShareLines): Promise<boolean> {
  const [first] = heads;
  if (first === undefined || next.start > first.end) return true;
  if (next.start < first.end) return false;
  for (const { statement } of heads) {
    if (await shareLines(statement, next.statement)) return false;
  }
  return true;
}

function discontinuity(before: Link, next: Link): Discontinuity {
  const { openingMinor = 0 } = next.statement;
  const { closingMinor = 0 } = before.statement;
  // The bank may state that a statement also covers days without lines.
  const coveredTo = later(before.end, before.statement.through);
  const coveredFrom = earlier(next.start, next.statement.from);
  return {
    kind: coveredFrom > addDays(coveredTo, 1) || next.start === before.end ? 'gap' : 'break',
    before: before.statement,
    next: next.statement,
    since: next.start,
    differenceMinor: openingMinor - closingMinor,
  };
}

function byDays(a: Link, b: Link): number {
  if (a.start !== b.start) return a.start < b.start ? -1 : 1;
  if (a.end !== b.end) return a.end < b.end ? -1 : 1;
  return a.statement.id < b.statement.id ? -1 : 1;
}

function earlier(a: BusinessDate, b: BusinessDate | undefined): BusinessDate {
  return b === undefined || a < b ? a : b;
}

function later(a: BusinessDate, b: BusinessDate | undefined): BusinessDate {
  return b === undefined || a > b ? a : b;
}
