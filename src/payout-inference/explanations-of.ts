import { addToGroup } from '../kernel';
import { at } from './at';
import { chanceOfState, chanceToMove, type CutState, type MovedRates } from './cut-states';
import type { DeviatingLink } from './deviating-links';
import type { Explanation, StreamAnswer } from './model-answer';
import { twoMovedError } from './two-moved-error';
import { waitingTwinsError } from './waiting-twins';
import type { WeighedStream } from './weigh-links';

const NONE_LEFT_OUT: ReadonlySet<number> = new Set();
/** Paths with a smaller weight count as none. */
const SHARE_MIN = 1e-7;
/** Explanations of a smaller probability are not listed. What they amount to counts as unexplained. */
const LISTED_MIN = 1e-5;
/** An explanation that is less likely than this is not resolved, so it needs no further check. */
const CHECKED_SHARE_MIN = 0.01;
/** Runs whose cuts are this far apart pay other items, whatever moved. */
const CUTS_APART_MAX = 400;

/** A run with the items that it did not pay, and those beyond it that it did. */
interface PaidRun {
  readonly from: number;
  readonly to: number;
  readonly without: readonly number[];
  readonly withOthers: readonly number[];
}

interface Found extends PaidRun {
  readonly credit: number;
  readonly share: number;
  readonly kind: Explanation['kind'];
  readonly cutFrom: number;
  readonly cutTo: number;
  readonly tracedFrom?: number;
  readonly lacks?: number | undefined;
  /** The cuts over which an item moved. */
  readonly states: readonly CutState[];
}

/** Paths that pay the same items. */
interface Gathered {
  /** The likeliest single path, whose cut is reported. */
  readonly best: Found;
  readonly share: number;
}

/** Gathers the paths of all streams by credit. Those that pay the same items are one explanation. */
export function explanationsOf(streams: readonly StreamAnswer[]): Map<number, Explanation[]> {
  const explanations = new Map<number, Explanation[]>();
  for (const answer of streams) {
    for (const [credit, found] of gathered(answer.sequence, answer.weighed)) {
      const listed = found
        .filter(({ share }, place) => place === 0 || share >= LISTED_MIN)
        .map((each) => explanationOf(answer, each));
      explanations.set(credit, [...(explanations.get(credit) ?? []), ...listed]);
    }
  }
  for (const found of explanations.values()) found.sort((a, b) => b.share - a.share);
  return explanations;
}

function explanationOf(answer: StreamAnswer, { best, share }: Gathered): Explanation {
  const { sequence } = answer;
  const { cutFrom, cutTo, tracedFrom, kind, lacks } = best;
  const nearError =
    share > CHECKED_SHARE_MIN
      ? best.states.reduce((sum, state) => sum + twoMovedError(answer, state), waitingTwinsError(answer, best))
      : 0;
  const paid = itemsOfPaidRun(sequence, best);
  return {
    stream: sequence.stream,
    ...paid,
    share: Math.min(1, share),
    nearError,
    cutFrom,
    cutTo,
    tracedFrom,
    kind,
    lacks,
  };
}

/** Returns, by credit, the paths that explain it, the likeliest items first. */
function gathered(sequence: StreamAnswer['sequence'], weighed: WeighedStream): Map<number, Gathered[]> {
  const byCredit = new Map<number, Found[]>();
  for (const found of foundIn(sequence, weighed)) addToGroup(byCredit, found.credit, found);
  return new Map(
    [...byCredit].map(([credit, all]) => {
      const reference = all.reduce((best, each) => (each.share > best.share ? each : best));
      const same = new Map<string, Gathered>();
      for (const each of all) {
        const name = `${each.kind === 'part' ? 'part' : ''}${each.lacks ?? ''} ${differenceOf(each, reference)}`;
        const before = same.get(name);
        same.set(name, {
          best: before === undefined || each.share > before.best.share ? each : before.best,
          share: (before?.share ?? 0) + each.share,
        });
      }
      return [credit, [...same.values()].sort((a, b) => b.share - a.share)];
    }),
  );
}

/** Returns every way in which the paths pay a credit. */
function foundIn({ key }: StreamAnswer['sequence'], { links, repairs, deviating, rates }: WeighedStream): Found[] {
  const cutOf = ({ to, credit }: Pick<DeviatingLink, 'to' | 'credit'>): { cutFrom: number; cutTo: number } => ({
    cutFrom: at(key, to - 1),
    cutTo: Math.min(at(key, to), credit.latest),
  });
  return [
    ...links
      .filter(({ share }) => share >= SHARE_MIN)
      .map(({ from, to, credit, share, cutFrom, cutTo, tracedFrom, lacks }): Found => ({
        ...{ from, to, without: [], withOthers: [], credit: credit.index, share, cutFrom, cutTo, tracedFrom, lacks },
        kind: lacks === undefined ? 'run' : 'lacking',
        states: [],
      })),
    ...repairs.flatMap(({ kind, links: parts, share }) =>
      parts
        .filter(() => share >= SHARE_MIN)
        .map((link): Found => ({
          ...{ from: link.from, to: link.to, without: [], withOthers: [] },
          ...cutOf(link),
          credit: link.credit.index,
          share,
          kind: kind === 'split' ? 'part' : 'sum',
          states: [],
        })),
    ),
    ...deviating
      .filter(({ share }) => share >= SHARE_MIN)
      .flatMap((link) =>
        paidRuns(link, rates).map((run): Found => ({
          ...run,
          ...cutOf(link),
          credit: link.credit.index,
          share: link.share * run.share,
          kind: link.lacks === undefined ? 'sum' : 'lacking',
          lacks: link.lacks,
          states: [link.start, link.end],
        })),
      ),
  ];
}

/** Returns the runs that a link can have paid, one for each choice of the items that moved, with their shares of it. */
function paidRuns(
  { from, to, start, end, leftOut }: DeviatingLink,
  rates: MovedRates,
): (PaidRun & { readonly share: number })[] {
  return choicesOf(start, rates).flatMap((first) =>
    choicesOf(end, rates).flatMap((last) => {
      const without = [...leftOut];
      const withOthers: number[] = [];
      // Held back before the run, an item is paid with it. Taken early, an item of the run was paid before.
      if (first.position !== undefined) (first.position < from ? withOthers : without).push(first.position);
      if (last.position !== undefined) (last.position < to ? without : withOthers).push(last.position);
      const isInside = without.every((position) => position >= from && position < to);
      const isOne = first.position !== undefined && first.position === last.position;
      return isInside && !isOne ? [{ from, to, without, withOthers, share: first.share * last.share }] : [];
    }),
  );
}

function choicesOf(
  state: CutState,
  rates: MovedRates,
): { readonly position: number | undefined; readonly share: number }[] {
  if (state.carried === 0) return [{ position: undefined, share: 1 }];
  const total = chanceOfState(state, rates);
  return state.items.map((item) => ({
    position: item.position,
    share: chanceToMove(item, state.position, rates) / total,
  }));
}

/** Returns a text that is equal for runs that pay the same items: what they pay more and less than another run. */
function differenceOf({ from, to, without, withOthers }: PaidRun, other: PaidRun): string {
  if (Math.abs(from - other.from) + Math.abs(to - other.to) > CUTS_APART_MAX) {
    return [from, to, ...without, '+', ...withOthers].join(' ');
  }
  const paid = new Map<number, number>();
  const count = (first: number, last: number, by: number): void => {
    for (let position = first; position < last; position += 1) paid.set(position, (paid.get(position) ?? 0) + by);
  };
  // The parts of both runs that the other one may not have.
  const [low, high] = [Math.max(from, other.from), Math.min(to, other.to)];
  count(from, Math.min(to, low), 1);
  count(Math.max(from, high), to, 1);
  count(other.from, Math.min(other.to, low), -1);
  count(Math.max(other.from, high), other.to, -1);
  for (const position of without) count(position, position + 1, -1);
  for (const position of withOthers) count(position, position + 1, 1);
  for (const position of other.without) count(position, position + 1, 1);
  for (const position of other.withOthers) count(position, position + 1, -1);
  return [...paid]
    .filter(([, by]) => by !== 0)
    .sort(([a], [b]) => a - b)
    .map(([position, by]) => `${by > 0 ? '+' : '-'}${position}`)
    .join(' ');
}

function itemsOfPaidRun(
  sequence: StreamAnswer['sequence'],
  { without, withOthers, ...run }: PaidRun,
): { readonly items: number[]; readonly pairs: number[] } {
  const { items, pairs } = itemsOfRun(sequence, run, new Set(without));
  if (without.length + withOthers.length === 0) return { items, pairs };
  const changed = new Set(itemsAt(sequence, [...without, ...withOthers]));
  const others = itemsAt(sequence, withOthers);
  return {
    items: [...items.filter((item) => !changed.has(item)), ...others].sort((a, b) => a - b),
    pairs: pairs.filter((item) => !changed.has(item)),
  };
}

function itemsAt(sequence: StreamAnswer['sequence'], positions: readonly number[]): number[] {
  return positions.map((position) => at(sequence.item, position));
}

/**
 * Returns the items of a run without payments that were refunded inside it, and those pairs; indexes in ascending
 * order. A payment whose refund was left out is no pair: it was paid.
 */
export function itemsOfRun(
  sequence: StreamAnswer['sequence'],
  { from, to }: { readonly from: number; readonly to: number },
  leftOut: ReadonlySet<number> = NONE_LEFT_OUT,
): { readonly items: number[]; readonly pairs: number[] } {
  const gone = new Set<number>();
  for (let position = from; position < to; position += 1) {
    const payment = at(sequence.payment, position);
    if (payment >= from && !leftOut.has(position)) gone.add(position).add(payment);
  }
  const items: number[] = [];
  for (let position = from; position < to; position += 1) {
    if (!gone.has(position)) items.push(at(sequence.item, position));
  }
  return { items: items.sort((a, b) => a - b), pairs: itemsAt(sequence, [...gone]).sort((a, b) => a - b) };
}
