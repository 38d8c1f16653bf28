import { assignGapCredits, type GapPayout, isLessByAFee } from './assign-gap-credits';
import { at, elementAt } from './at';
import { expectedPayouts } from './expected-payouts';
import { itemsOfRun } from './explanations-of';
import type { GapOrEnd } from './find-gaps';
import type { Credit } from './find-links';
import type { Stream } from './match-request';
import type { ModelAnswer, StreamAnswer } from './model-answer';
import { leftOvers, pastCutsOf } from './past-cuts';
import type { PreparedFile } from './prepare-file';
import { pricedAt, runSum } from './run-sum';
import type { WeighedLink } from './weigh-links';

const SURE = 0.5;
const LAG_MIN = 0.04;

/** A credit that pays a known run and a difference. */
export interface GapCredit {
  readonly stream: Stream;
  /**
   * The credit less its run: positive if it contains more than the known items. The whole amount if no run is clear.
   */
  readonly remainder: number;
  readonly cut: { readonly after: number; readonly until: number };
  /** Indexes of the items that it may contain. */
  readonly items: Int32Array;
  /** Indexes of the items of the run, without payments that were refunded in it; undefined if no run is clear. */
  readonly run: readonly number[] | undefined;
  /** Whether several credits together are slightly less than their runs: one of them, or each, lost a fee. */
  readonly lacksFee: boolean;
}

interface Named extends Pick<GapCredit, 'remainder' | 'lacksFee'> {
  readonly isClear: boolean;
}

/**
 * Explains the credits between two sure cuts that nothing else explains. There the runs are clear and the amounts are
 * not. Each run belongs to the most similar credit; leftover credits may be parts of a leftover run. The first items of
 * the file may have been paid together with older ones.
 */
export function explainGapCredits(file: PreparedFile, answer: ModelAnswer): Map<number, GapCredit> {
  const found = new Map<number, GapCredit>();
  const explained = (index: number): number =>
    (answer.explanations.get(index) ?? []).reduce((sum, { share }) => sum + share, 0);
  const unexplained = file.credits.filter(({ index }) => explained(index) < SURE);
  for (const { sequence, priced, weighed } of answer.streams) {
    const bookedFor = (begin: number, last: number): Credit[] =>
      unexplained.filter(
        ({ index, bookingDay }) =>
          !found.has(index) && isBookedFor(file, weighed.cutRates.lag, bookingDay, begin, last),
      );
    const name = (credit: Credit, { from, to }: GapOrEnd, { remainder, lacksFee, isClear }: Named): unknown =>
      found.set(credit.index, {
        stream: sequence.stream,
        remainder,
        cut: {
          after: at(sequence.key, to - 1),
          until: Math.max(at(sequence.key, to - 1), Math.min(at(sequence.key, to), credit.latest)),
        },
        items: sequence.item.slice(from, to),
        run: isClear ? itemsOfRun(sequence, { from, to }).items : undefined,
        lacksFee,
      });
    const runsIn = (stretch: GapOrEnd): GapPayout[] => {
      const prices = pricedAt(priced, sequence, stretch.to, file.grid);
      if (prices === undefined) return [];
      return expectedPayouts(sequence, weighed.cutRates, file.grid, stretch).map((run) => ({
        ...run,
        total: runSum(sequence, prices, run.from, run.to),
        credits: bookedFor(at(sequence.key, run.from), at(sequence.key, run.to - 1)),
      }));
    };
    const { beginning, stretches } = openStretches(file, answer, { sequence, weighed });
    const runs = stretches.map(runsIn);
    assignGapCredits(runs).forEach((paid, index) => {
      const ofStretch = elementAt(runs, index);
      const isClosed = stretches[index]?.isOpen !== true;
      const isClear = isClosed && ofStretch.length === 1;
      const lacksFee = isClosed && !isClear && isLessByAFee(paid, ofStretch);
      for (const { run, credit, isWhole } of paid) {
        const held = isClear ? run : { from: run.fromEarliest, to: run.toLatest };
        const remainder = isClear && isWhole ? credit.amount - run.total : credit.amount;
        name(credit, held, { remainder, lacksFee, isClear: isClear && isWhole });
      }
    });
    if (beginning === undefined) continue;
    const prices = pricedAt(priced, sequence, beginning.to, file.grid);
    const first = bookedFor(at(sequence.key, 0), at(sequence.key, beginning.to - 1)).at(-1);
    if (prices === undefined || first === undefined || found.has(first.index)) continue;
    const total = runSum(sequence, prices, 0, beginning.to);
    const remainder = first.amount - total;
    if (remainder > 0) name(first, beginning, { remainder, lacksFee: false, isClear: true });
  }
  return found;
}

/** Returns the stretches before the first and after the last sure cut of a stream. */
function endsOf(
  links: readonly WeighedLink[],
  size: number,
): { readonly beginning: GapOrEnd | undefined; readonly end: GapOrEnd | undefined } {
  const sure = links.filter(({ share }) => share >= SURE);
  if (sure.length === 0) return { beginning: undefined, end: undefined };
  const first = sure.reduce((least, { from }) => Math.min(least, from), Infinity);
  const last = sure.reduce((most, { to }) => Math.max(most, to), 0);
  return {
    beginning: first > 0 ? { from: 0, to: first } : undefined,
    end: last < size ? { from: last, to: size, isOpen: true } : undefined,
  };
}

/**
 * Returns whether no earlier run found payouts. Otherwise the first items of the file are leftovers of earlier runs.
 */
function isNewHere({ request: { history } }: PreparedFile, { hypothesis }: ModelAnswer): boolean {
  return history === undefined || history.model !== hypothesis.model;
}

/** Returns whether the bank sometimes books a cut between the first and the last of these items on that day. */
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

/**
 * Returns where runs are clear and amounts are not: sure gaps, the ends of the file, and what earlier runs left over. The
 * beginning is one only if no earlier run ended there.
 */
function openStretches(
  file: PreparedFile,
  answer: ModelAnswer,
  { sequence, weighed }: Pick<StreamAnswer, 'sequence' | 'weighed'>,
): { readonly beginning: GapOrEnd | undefined; readonly stretches: GapOrEnd[] } {
  const ends = endsOf(weighed.links, sequence.size);
  const beginning = isNewHere(file, answer) ? ends.beginning : undefined;
  const gaps = weighed.gaps.filter(({ share }) => share >= SURE);
  const left = leftOvers(pastCutsOf(file.request.history, sequence.stream, file.grid), sequence).filter(
    ({ from, to }) => !gaps.some((gap) => gap.from < to && gap.to > from),
  );
  return { beginning, stretches: [beginning, ...gaps, ...left, ends.end].filter((each) => each !== undefined) };
}
