import { at } from './at';
import type { Item, Observation } from './match-request';
import { NO_ITEM } from './observed-items';

/** The bounds that observations give for each item; infinities where they give none. Indexes are those of the items. */
export interface ObservationBounds {
  /** The last observation before it was available. */
  readonly lastProcessing: Float64Array;
  /** The first observation as available, or later. */
  readonly firstAvailable: Float64Array;
  /**
   * The last observation of a card as available: no earlier cut paid it. Other channels never report that they were
   * paid.
   */
  readonly lastAvailable: Float64Array;
  /** The first lasting observation in a payout, or paid: the cut was earlier. */
  readonly firstTaken: Float64Array;
  /** The first lasting observation as paid. */
  readonly firstPaid: Float64Array;
}

/**
 * Reads the bounds; any order of the observations gives the same ones. Observations of unknown items are ignored.
 * `places` has the index of each observation's item.
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
    // A later AVAILABLE shows that the payout was called off.
    if (seenAt <= at(lastAvailable, index)) continue;
    firstTaken[index] = Math.min(at(firstTaken, index), seenAt);
    if (isPaid) firstPaid[index] = Math.min(at(firstPaid, index), seenAt);
  }
  // A PROCESSING observation older than one that saw the item available does not bound its availability.
  for (let index = 0; index < items.length; index += 1) {
    if (at(lastProcessing, index) >= at(firstAvailable, index)) lastProcessing[index] = -Infinity;
  }
  return { lastProcessing, firstAvailable, lastAvailable, firstTaken, firstPaid };
}
