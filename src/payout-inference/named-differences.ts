import type { ModelAnswer } from './model-answer';
import type { Stream } from './match-request';
import type { PreparedFile } from './prepare-file';
import { pricedAt, runSum } from './run-sum';

const SURE = 0.5;
/** A credit with an unknown amount is still about as large as its run. */
const ALIKE = 0.2;
/** Somebody else's small credit is no part of a large payout. */
const PART_MIN = 0.1;
const LAG_MIN = 0.04;

/** A credit that pays a known run and something more or less. */
export interface NamedDifference {
  readonly stream: Stream;
  /** What the run leaves of the credit: positive when it holds more than the items known. */
  readonly remainder: number;
  readonly cut: { readonly after: number; readonly until: number };
  /** Indexes of the items between the two cuts. */
  readonly items: Int32Array;
}

/**
 * Where two sure cuts enclose one credit that nothing explains: the run is clear, an amount is not. Of several credits
 * the one that is like the run is meant; when none is alone in that, all of them are in doubt.
 */
export function namedDifferences(file: PreparedFile, answer: ModelAnswer): Map<number, NamedDifference> {
  const found = new Map<number, NamedDifference>();
  const best = (index: number): number => answer.explanations.get(index)?.[0]?.share ?? 0;
  for (const { line, priced, weighed } of answer.streams) {
    for (const { from, to, share } of weighed.gaps) {
      if (share < SURE) continue;
      const begin = line.key[from] ?? 0;
      const last = line.key[to - 1] ?? 0;
      const inside = file.credits.filter(
        ({ index, bookingDay }) => best(index) < SURE && isBookedFor(file, weighed.habits.lag, bookingDay, begin, last),
      );
      const prices = pricedAt(priced, line, to, file.grid);
      if (inside.length === 0 || prices === undefined) continue;
      const total = runSum(line, prices, from, to);
      const alike = inside.filter(({ amount }) => Math.abs(amount - total) <= ALIKE * total);
      const [only] = alike;
      const isClear = only !== undefined && alike.length === 1;
      for (const credit of isClear
        ? [only]
        : inside.filter(({ amount }) => amount >= PART_MIN * total && amount <= total * (1 + ALIKE))) {
        found.set(credit.index, {
          stream: line.stream,
          remainder: isClear ? credit.amount - total : credit.amount,
          cut: { after: last, until: Math.max(last, Math.min(line.key[to] ?? Infinity, credit.latest)) },
          items: line.item.slice(from, to),
        });
      }
    }
  }
  return found;
}

/** Whether a cut between the first and the last of these items is booked on that day now and then. */
function isBookedFor(
  { grid }: PreparedFile,
  lag: (workingDays: number) => number,
  bookingDay: number,
  begin: number,
  last: number,
): boolean {
  const lastDay = grid.dayOf(last);
  for (let day = grid.dayOf(begin); day <= lastDay; day += 1) {
    if (lag(grid.lag(day, bookingDay)) > LAG_MIN) return true;
  }
  return false;
}
