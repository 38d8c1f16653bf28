import { creditsOfRuns, isLessByAFee, type RunInGap } from './credits-of-runs';
import { expectedRuns } from './expected-runs';
import type { Credit } from './find-links';
import type { ModelAnswer } from './model-answer';
import type { Stream } from './match-request';
import type { PreparedFile } from './prepare-file';
import { pricedAt, runSum } from './run-sum';
import type { WeighedLink } from './weigh-links';

const SURE = 0.5;
const LAG_MIN = 0.04;

/** A credit that pays a known run and something more or less. */
export interface NamedDifference {
  readonly stream: Stream;
  /** What the run leaves of the credit: positive when it holds more than the items known. All of it where no run is clear. */
  readonly remainder: number;
  readonly cut: { readonly after: number; readonly until: number };
  /** Indexes of the items that it may hold. */
  readonly items: Int32Array;
  /** Several credits together lack a little of their runs: one of them, or each, lost a fee. */
  readonly lacksFee: boolean;
}

/**
 * Where two sure cuts enclose credits that nothing explains: the runs are clear, the amounts are not. Each run belongs to
 * the credit that is most like it; what is left over may be parts of a run that is left over. What the file begins with
 * may have been paid together with what was there before it.
 */
export function namedDifferences(file: PreparedFile, answer: ModelAnswer): Map<number, NamedDifference> {
  const found = new Map<number, NamedDifference>();
  const unexplained = file.credits.filter(({ index }) => (answer.explanations.get(index)?.[0]?.share ?? 0) < SURE);
  for (const { line, priced, weighed } of answer.streams) {
    const bookedFor = (begin: number, last: number): Credit[] =>
      unexplained.filter(({ bookingDay }) => isBookedFor(file, weighed.habits.lag, bookingDay, begin, last));
    const name = (credit: Credit, { from, to }: Stretch, remainder: number, lacksFee = false): unknown =>
      found.set(credit.index, {
        stream: line.stream,
        remainder,
        cut: {
          after: line.key[to - 1] ?? 0,
          until: Math.max(line.key[to - 1] ?? 0, Math.min(line.key[to] ?? Infinity, credit.latest)),
        },
        items: line.item.slice(from, to),
        lacksFee,
      });
    for (const gap of weighed.gaps) {
      const prices = pricedAt(priced, line, gap.to, file.grid);
      if (gap.share < SURE || prices === undefined) continue;
      const runs = expectedRuns(line, weighed.habits, file.grid, gap).map((run): RunInGap => {
        const credits = bookedFor(line.key[run.from] ?? 0, line.key[run.to - 1] ?? 0);
        return { ...run, total: runSum(line, prices, run.from, run.to), credits };
      });
      const isClear = runs.length === 1;
      const paid = creditsOfRuns(runs);
      const lacksFee = !isClear && isLessByAFee(paid, runs);
      for (const { run, credit, isWhole } of paid) {
        const stretch = isClear ? run : { from: run.fromEarliest, to: run.toLatest };
        name(credit, stretch, isClear && isWhole ? credit.amount - run.total : credit.amount, lacksFee);
      }
    }
    const beginning = isNewHere(file, answer) ? beginningOf(weighed.links) : undefined;
    if (beginning === undefined) continue;
    const prices = pricedAt(priced, line, beginning.to, file.grid);
    const first = bookedFor(line.key[0] ?? 0, line.key[beginning.to - 1] ?? 0).at(-1);
    if (prices === undefined || first === undefined || found.has(first.index)) continue;
    const total = runSum(line, prices, 0, beginning.to);
    if (first.amount > total) name(first, beginning, first.amount - total);
  }
  return found;
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** What lies before the first sure cut of a stream. */
function beginningOf(links: readonly WeighedLink[]): Stretch | undefined {
  const sure = links.filter(({ share }) => share >= SURE);
  const to = sure.reduce((first, { from }) => Math.min(first, from), Infinity);
  return to > 0 && Number.isFinite(to) ? { from: 0, to } : undefined;
}

/** Whether no earlier run knows of payouts: else what the file begins with was left over by them. */
function isNewHere({ request: { history } }: PreparedFile, { supposition }: ModelAnswer): boolean {
  return history === undefined || history.model !== supposition.model;
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
