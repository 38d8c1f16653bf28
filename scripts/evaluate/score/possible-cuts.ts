import type { Instant } from '../../../src/kernel';
import type { Candidate, PayoutCase } from './payout-case';

/**
 * Returns the instants just after each change of the items, because nothing changes in between. It excludes instants at
 * which any choice has too few or too many items. `deviations` items may stay behind; where files state items too late,
 * they may also join.
 */
export function possibleCuts(of: PayoutCase, trueNet: number, deviations: number): Instant[] {
  const { candidates, window, cutAt } = of;
  const changes = candidates.flatMap(({ earliest, latest, cutAfter, cutUntil }) => [
    earliest,
    latest,
    cutAfter + 1,
    cutUntil,
  ]);
  const inside = changes.filter((instant) => window.after < instant && instant <= window.until);
  const instants = [...new Set([...inside, cutAt])].sort((a, b) => a - b);
  // A fee on the whole payout is no sum over the items, so no instant is excluded.
  if (candidates.some(({ payoutFee }) => payoutFee !== undefined)) return instants;

  const positive = candidates.filter(({ netMillimes }) => netMillimes > 0);
  const negativeNet = netOf(candidates.filter(({ netMillimes }) => netMillimes < 0));
  const greatestNet = positive.reduce((greatest, { netMillimes }) => Math.max(greatest, netMillimes), 0);
  const mostAt = sumUpTo(positive, ({ earliest }) => earliest);
  const surelyAt = sumUpTo(positive, ({ latest, cutAfter }) => Math.max(latest, cutAfter + 1));
  const mayJoin = candidates.some(({ recordedAt }) => recordedAt !== undefined) ? deviations * greatestNet : 0;
  return instants.filter(
    (place) =>
      mostAt(place) + mayJoin >= trueNet && surelyAt(place) + negativeNet - deviations * greatestNet <= trueNet,
  );
}

/** Returns a function that sums the net amounts of items up to an instant, from precomputed sums. */
function sumUpTo(items: readonly Candidate[], instantOf: (item: Candidate) => Instant): (until: Instant) => number {
  const sorted = items.map((item) => ({ at: instantOf(item), net: item.netMillimes })).sort((a, b) => a.at - b.at);
  let total = 0;
  const sums = sorted.map(({ net }) => (total += net));
  return (until) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.at ?? Infinity) <= until) low = middle + 1;
      else high = middle;
    }
    return sums[low - 1] ?? 0;
  };
}

function netOf(items: readonly Candidate[]): number {
  return items.reduce((sum, { netMillimes }) => sum + netMillimes, 0);
}
