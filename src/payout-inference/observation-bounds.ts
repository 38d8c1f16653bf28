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
  const taken: { readonly index: number; readonly at: number; readonly isPaid: boolean }[] = [];
  for (let place = 0; place < observations.length; place += 1) {
    const index = places[place] ?? NO_ITEM;
    const observation = observations[place];
    if (index === NO_ITEM || observation === undefined) continue;
    const { observedAt, settlementStatus } = observation;
    switch (settlementStatus) {
      case 'PROCESSING':
        lastProcessing[index] = Math.max(lastProcessing[index] ?? 0, observedAt);
        break;
      case 'AVAILABLE':
        firstAvailable[index] = Math.min(firstAvailable[index] ?? 0, observedAt);
        if (items[index]?.channel === 'card') lastAvailable[index] = Math.max(lastAvailable[index] ?? 0, observedAt);
        break;
      case 'IN_PAYOUT':
      case 'PAID':
        firstAvailable[index] = Math.min(firstAvailable[index] ?? 0, observedAt);
        taken.push({ index, at: observedAt, isPaid: settlementStatus === 'PAID' });
        break;
    }
  }
  for (const { index, at, isPaid } of taken) {
    // Available again later: that payout was called off.
    if (at <= (lastAvailable[index] ?? 0)) continue;
    firstTaken[index] = Math.min(firstTaken[index] ?? 0, at);
    if (isPaid) firstPaid[index] = Math.min(firstPaid[index] ?? 0, at);
  }
  // An observation older than one that saw the item further on says nothing about when it became available.
  for (let index = 0; index < items.length; index += 1) {
    if ((lastProcessing[index] ?? 0) >= (firstAvailable[index] ?? 0)) lastProcessing[index] = -Infinity;
  }
  return { lastProcessing, firstAvailable, lastAvailable, firstTaken, firstPaid };
}
