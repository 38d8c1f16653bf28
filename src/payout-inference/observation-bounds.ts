import { at } from './at';
import type { Item, Observation } from './match-request';
import { NO_ITEM } from './observed-items';

/** What the observations say about each item, as bounds; infinities where they say nothing. Indexes are those of the items. */
export interface ObservationBounds {
  /** Last seen before it was available. */
  readonly lastProcessing: Float64Array;
  /** First seen available, or further. */
  readonly firstAvailable: Float64Array;
  /** Of a card, last seen available: no cut that paid it was made before. Other channels never say that they were paid. */
  readonly lastAvailable: Float64Array;
  /** First seen in a payout, or paid, for good: the cut was made before. */
  readonly firstTaken: Float64Array;
  /** First seen paid, for good. */
  readonly firstPaid: Float64Array;
}

/**
 * Set-based and the same for any order of the observations; those of unknown items are left out. `places` has the index
 * of each observation's item.
 */
export function readObservationBounds(
  items: readonly Item[],
  observations: readonly Observation[],
  places: Int32Array,
): ObservationBounds {
  const lastProcessing = new Float64Array(items.length).fill(-Infinity);
  const firstAvailable = new Float64Array(items.length).fill(Infinity);
  const lastAvailable = new Float64Array(items.length).fill(-Infinity);
  const firstTaken = new Float64Array(items.length).fill(Infinity);
  const firstPaid = new Float64Array(items.length).fill(Infinity);
  const taken: { readonly index: number; readonly seenAt: number; readonly isPaid: boolean }[] = [];
  for (let place = 0; place < observations.length; place += 1) {
    const index = at(places, place);
    const observation = observations[place];
    if (index === NO_ITEM || observation === undefined) continue;
    const { observedAt, settlementStatus } = observation;
    switch (settlementStatus) {
      case 'PROCESSING':
        lastProcessing[index] = Math.max(at(lastProcessing, index), observedAt);
        break;
      case 'AVAILABLE':
        firstAvailable[index] = Math.min(at(firstAvailable, index), observedAt);
        if (items[index]?.channel === 'card') lastAvailable[index] = Math.max(at(lastAvailable, index), observedAt);
        break;
      case 'IN_PAYOUT':
      case 'PAID':
        firstAvailable[index] = Math.min(at(firstAvailable, index), observedAt);
        taken.push({ index, seenAt: observedAt, isPaid: settlementStatus === 'PAID' });
        break;
    }
  }
  for (const { index, seenAt, isPaid } of taken) {
    // Available again later: that payout was called off.
    if (seenAt <= at(lastAvailable, index)) continue;
    firstTaken[index] = Math.min(at(firstTaken, index), seenAt);
    if (isPaid) firstPaid[index] = Math.min(at(firstPaid, index), seenAt);
  }
  // An observation older than one that saw the item further on says nothing about when it became available.
  for (let index = 0; index < items.length; index += 1) {
    if (at(lastProcessing, index) >= at(firstAvailable, index)) lastProcessing[index] = -Infinity;
  }
  return { lastProcessing, firstAvailable, lastAvailable, firstTaken, firstPaid };
}
