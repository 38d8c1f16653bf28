import type { Instant } from '../../../src/kernel';
import type { Item, Observation } from '../../../src/payout-inference';
import type { PayableItem, SeededRandom } from '../../../src/simulator';
import type { OurClock } from './clock-skew';

const CHECK_INTERVAL_MS = [5_000, 300_000] as const;
const CONFIRM_MS = 120_000;

export interface FileItemsRequest {
  readonly random: SeededRandom;
  readonly clock: OurClock;
  /** When the files say that an item happened, if they say so too late. */
  readonly recordedAt: ReadonlyMap<string, Instant>;
  readonly observations: readonly Observation[];
  readonly intervalsGiven: boolean;
}

/** Returns the items as the files show them. */
export function fileItems(items: readonly PayableItem[], request: FileItemsRequest): Item[] {
  const observationsOf = new Map<string, Observation[]>();
  for (const observation of request.intervalsGiven ? request.observations : []) {
    observationsOf.set(observation.itemId, [...(observationsOf.get(observation.itemId) ?? []), observation]);
  }
  return items
    .map(({ itemId, channel, amountMillimes, succeededAt, refundOf }): Item => {
      const recordedAt = request.recordedAt.get(itemId) ?? request.clock.succeededAt(channel, succeededAt);
      const item: Item = {
        itemId,
        channel,
        amount: amountMillimes,
        succeededAt: recordedAt,
        ...(refundOf === undefined ? {} : { refundOf }),
      };
      return request.intervalsGiven ? withInterval(item, observationsOf.get(itemId) ?? [], request.random) : item;
    })
    .sort((a, b) => a.succeededAt - b.succeededAt || (a.itemId < b.itemId ? -1 : 1));
}

/** Returns the item with the interval that its channel's observations leave. A card without observations has none. */
function withInterval(item: Item, observations: readonly Observation[], random: SeededRandom): Item {
  const { channel, succeededAt, refundOf } = item;
  const width = random.int(...CHECK_INTERVAL_MS);
  const between = (after: Instant, until: Instant): Item => ({ ...item, availableAfter: after, availableUntil: until });
  if (refundOf !== undefined) return between(succeededAt - 1, succeededAt);
  switch (channel) {
    case 'card': {
      const before = observations.filter(({ settlementStatus }) => settlementStatus === 'PROCESSING').at(-1);
      const first = observations.find(({ settlementStatus }) =>
        ['AVAILABLE', 'IN_PAYOUT', 'PAID'].includes(settlementStatus),
      );
      return before === undefined || first === undefined ? item : between(before.observedAt, first.observedAt);
    }
    case 'agent':
      return between(succeededAt - CONFIRM_MS, succeededAt);
    case 'qr':
    case 'subscription':
      return between(succeededAt - 1, succeededAt);
    case 'wallet':
    case 'mpayment':
    case 'pos':
      return seenLater(item, width, random);
  }
}

/** Returns an item that a status check saw some time after it happened. */
function seenLater(item: Item, width: number, random: SeededRandom): Item {
  const until = item.succeededAt + random.int(0, width);
  return { ...item, succeededAt: until, availableAfter: until - width - 1, availableUntil: until };
}
