import { at } from './at';
import type { Credit } from './find-links';
import type { StreamItems } from './order-stream';

/** The parts of the file where a first payout is sought: near a fault there is no chain. */
const PLACES = 4;
/** The starts that are tried at one place before the next. */
const STARTS_AT_ONCE = 12;
/** A place is this number of usual payouts long, so that at least one cut lies in it. */
const PAYOUTS = 1.5;
const USUAL_SHARE = 0.9;

/**
 * Returns the positions where a first payout may begin: at each of several places all those of one payout. At a place,
 * the longer time an item came after the one before, the likelier a cut lies between them.
 */
export function likelyStarts(sequence: StreamItems, credits: readonly Credit[]): number[] {
  const boundaries: number[] = [];
  for (let position = 0; position < sequence.size; position += 1) {
    if (sequence.isBoundary[position] === 1) boundaries.push(position);
  }
  const length = Math.ceil(boundaries.length / PLACES);
  const span = Math.min(
    length,
    Math.ceil((PAYOUTS * usualPayout(sequence, credits) * boundaries.length) / sequence.size),
  );
  const gap = (position: number): number =>
    position === 0 ? Infinity : at(sequence.key, position) - at(sequence.key, position - 1);
  const places = Array.from({ length: PLACES }, (_, place) =>
    boundaries.slice(place * length, place * length + span).sort((a, b) => gap(b) - gap(a) || a - b),
  );
  const starts: number[] = [];
  for (let from = 0; from < span; from += STARTS_AT_ONCE) {
    for (const place of places) starts.push(...place.slice(from, from + STARTS_AT_ONCE));
  }
  return starts;
}

/** Returns the number of items in a large usual payout. */
function usualPayout({ amount, size }: StreamItems, credits: readonly Credit[]): number {
  const amounts = credits.map((credit) => credit.amount).sort((a, b) => a - b);
  const usual = amounts[Math.floor(amounts.length * USUAL_SHARE)] ?? 0;
  const total = amount.reduce((sum, one) => sum + one, 0);
  return total <= 0 ? size : Math.max(1, (usual * size) / total);
}
