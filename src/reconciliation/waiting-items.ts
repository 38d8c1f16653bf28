import { type BusinessDate, compareBytes, type Instant, type Millimes } from '../kernel';
import type { Channel, Inference, MatchOutcome, MatchRequest } from '../payout-inference';

/** An item that no credit paid, as the inference judges it. */
export interface WaitingItem {
  readonly itemId: string;
  readonly channel: Channel;
  /** Negative for a refund. */
  readonly amount: Millimes;
  readonly succeededAt: Instant;
  /** The instant by which the gateway could pay it out, as runs order the items. */
  readonly availableAt: Instant;
  /** The day on which the bank should book it by the habits of its stream; undefined if it is not owed. */
  readonly usuallyOn: BusinessDate | undefined;
  /** The last day on which it is still in time; undefined if it is not owed. */
  readonly dueOn: BusinessDate | undefined;
  /** Whether the bank should have booked it by the last day that statements cover. */
  readonly isLate: boolean;
}

/**
 * Returns the items of a request in the order in which they became available, then by id. Payouts are runs of this order.
 * Pure.
 */
export function waitingItems(
  { items }: Pick<MatchRequest, 'items'>,
  inference: Pick<Inference, 'items'>,
  { items: states, open }: Pick<MatchOutcome, 'items' | 'open'>,
): WaitingItem[] {
  const usuallyOn = new Map(open.map(({ item, usuallyOn: day }) => [item.itemId, day]));
  return items
    .map(({ itemId, channel, amount, succeededAt }, index) => ({
      ...{ itemId, channel, amount, succeededAt },
      availableAt: inference.items[index]?.available.until ?? succeededAt,
      usuallyOn: usuallyOn.get(itemId),
      dueOn: states[index]?.dueOn,
      isLate: states[index]?.state === 'open',
    }))
    .sort(inOrderOfPayouts);
}

function inOrderOfPayouts(a: WaitingItem, b: WaitingItem): number {
  return a.availableAt - b.availableAt || compareBytes(a.itemId, b.itemId);
}
