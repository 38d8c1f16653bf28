/** The part of one day in a statement. */
export interface DaySlice<Line extends SliceLine = SliceLine> {
  /** The balance of the account before the first line. */
  readonly startMinor: number;
  /** In the order of the statement. */
  readonly lines: readonly Line[];
  /** Whether the statement also has earlier days: then it has this day from its start. */
  readonly reachesBack: boolean;
  /** Whether the statement also has later days: then it has this day to its end. */
  readonly reachesOn: boolean;
}

export interface SliceLine {
  readonly amountMinor: number;
}

/**
 * Returns, for each possible overlap, the lines of `other` that `whole` must also have. In an overlap one part begins
 * inside the other, and their amounts are equal as far as both reach. Empty if the two are separate parts of the day.
 */
export function overlapsOf<Line extends SliceLine>(whole: DaySlice, other: DaySlice<Line>): (readonly Line[])[] {
  const [around, inside] = [balancesOf(whole), balancesOf(other)];
  const ways: (readonly Line[])[] = [];
  for (const [at, balance] of around.slice(0, -1).entries()) {
    if (balance === other.startMinor && fits(whole, other, at)) {
      ways.push(other.lines.slice(0, whole.lines.length - at));
    }
  }
  for (const [at, balance] of inside.slice(0, -1).entries()) {
    if (balance === whole.startMinor && fits(other, whole, at)) {
      ways.push(other.lines.slice(at, at + whole.lines.length));
    }
  }
  return ways;
}

/**
 * Returns whether two parts begin or end with the same balance. A bank may sort another export of the same day
 * differently.
 */
export function haveSameEdge(a: DaySlice, b: DaySlice): boolean {
  return a.startMinor === b.startMinor || balancesOf(a).at(-1) === balancesOf(b).at(-1);
}

/** Returns whether two parts neither overlap nor share an edge: their balances are not of the same lines. */
export function haveOtherBalances(a: DaySlice, b: DaySlice): boolean {
  return overlapsOf(a, b).length === 0 && !haveSameEdge(a, b);
}

/**
 * Returns whether two parts cannot have a line in common. Two that both have the start of the day, or both its end, have
 * it from the same lines, however different their balances are.
 */
export function areApart(a: DaySlice, b: DaySlice): boolean {
  return !(a.reachesBack && b.reachesBack) && !(a.reachesOn && b.reachesOn) && haveOtherBalances(a, b);
}

/**
 * Returns whether a part may end before another one that has the same start, or begin after one that has the same end.
 */
export function mayBeShorter(part: DaySlice, than: DaySlice): boolean {
  const hasSameStart = part.startMinor === than.startMinor;
  const hasSameEnd = balancesOf(part).at(-1) === balancesOf(than).at(-1);
  return (hasSameStart && !part.reachesOn) || (hasSameEnd && !part.reachesBack);
}

/** Returns whether `late` may begin after the first `at` lines of `early`. */
function fits(early: DaySlice, late: DaySlice, at: number): boolean {
  const rest = early.lines.length - at;
  if (late.reachesBack && at > 0) return false;
  if (early.reachesOn && late.lines.length > rest) return false;
  if (late.reachesOn && late.lines.length < rest) return false;
  const both = Math.min(rest, late.lines.length);
  for (let index = 0; index < both; index += 1) {
    if (early.lines[at + index]?.amountMinor !== late.lines[index]?.amountMinor) return false;
  }
  return true;
}

/** Returns the balances before the first line and after each line. */
export function balancesOf({ startMinor, lines }: Pick<DaySlice, 'startMinor' | 'lines'>): number[] {
  let balance = startMinor;
  return [balance, ...lines.map(({ amountMinor }) => (balance += amountMinor))];
}
