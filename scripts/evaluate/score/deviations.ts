import type { Instant } from '../../../src/kernel';
import { RECORDED_LATE_MAX_MS } from '../generate/late-records';
import type { Candidate, PayoutCase } from './payout-case';

/** The limit on items that one payout passed over or that were stated late. With more, no reader can resolve it. */
export const DEVIATIONS_MAX = 2;
/** Two answers suffice: one of them is not the truth. */
export const ANSWERS_WANTED = 2;

/** An item that may deviate from a cut, and by how much the payout is then less. */
interface Deviation {
  readonly kind: keyof Deviations;
  readonly item: Candidate;
  readonly lessMillimes: number;
}

/** Items that a payout passed over, and items that it holds although the files state them later. */
export interface Deviations {
  readonly left: readonly Candidate[];
  readonly joined: readonly Candidate[];
}

/**
 * Returns the items that a cut may have passed over and, in files that state items too late, those that it may have
 * taken although they are stated in the next hours.
 */
export function possibleDeviations(of: PayoutCase, inside: readonly Candidate[], cutAt: Instant): Deviation[] {
  const left = inside.filter(({ cutUntil }) => cutUntil >= of.nextCutAt);
  const joined = of.candidates.filter(
    ({ recordedAt, cutAfter, cutUntil }) =>
      recordedAt !== undefined &&
      cutAt < recordedAt &&
      recordedAt <= cutAt + RECORDED_LATE_MAX_MS &&
      cutAfter < cutAt &&
      cutAt <= cutUntil,
  );
  return [
    ...left.map((item) => ({ kind: 'left' as const, item, lessMillimes: item.netMillimes })),
    ...joined.map((item) => ({ kind: 'joined' as const, item, lessMillimes: -item.netMillimes })),
  ];
}

/** Returns ways to choose at most `most` deviations that total `excess`. A few ways suffice. */
export function deviationsOf(possible: readonly Deviation[], excess: number, most: number): Deviations[] {
  const none: Deviation[][] = excess === 0 ? [[]] : [];
  const one = possible.filter(({ lessMillimes }) => lessMillimes === excess).map((deviation) => [deviation]);
  const fewer = [...none, ...one];
  const two = most < DEVIATIONS_MAX || fewer.length >= ANSWERS_WANTED ? [] : pairsOf(possible, excess);
  return [...fewer, ...two].map((chosen) => ({
    left: chosen.filter(({ kind }) => kind === 'left').map(({ item }) => item),
    joined: chosen.filter(({ kind }) => kind === 'joined').map(({ item }) => item),
  }));
}

function pairsOf(possible: readonly Deviation[], excess: number): Deviation[][] {
  const byLess = new Map<number, Deviation>();
  const pairs: Deviation[][] = [];
  for (const deviation of possible) {
    const partner = byLess.get(excess - deviation.lessMillimes);
    if (partner !== undefined) pairs.push([partner, deviation]);
    if (pairs.length >= ANSWERS_WANTED) break;
    byLess.set(deviation.lessMillimes, deviation);
  }
  return pairs;
}
