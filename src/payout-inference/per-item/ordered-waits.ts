import { compareBytes } from '../../kernel';
import { at, elementAt } from '../at';
import type { Availability } from '../item-availability';
import { orderStream, type StreamItems } from '../order-stream';
import type { PreparedFile } from '../prepare-file';
import type { Wait } from './wait-of-item';

/** The allowed difference between the clocks of observations and of payments. */
const CLOCK_SLACK_MS = 120_000;

/** All items of a file in the order in which they became available. Each waits for its own cut. */
export interface OrderedWaits {
  readonly sequence: StreamItems;
  /** By position. */
  readonly waits: readonly Wait[];
  readonly cancelled: readonly number[];
}

export function orderWaits(
  { request: { items }, indexOf, bounds }: PreparedFile,
  availability: Availability,
): OrderedWaits {
  // Items of one instant are sorted by id, so that the order of the request does not matter.
  const members = Int32Array.from(items, (_, index) => index).sort((a, b) =>
    compareBytes(elementAt(items, a).itemId, elementAt(items, b).itemId),
  );
  const { sequence, cancelled } = orderStream({ stream: 'item', items, availability, members, indexOf });
  const refundedAt = new Map<number, number>();
  sequence.payment.forEach((payment, position) => {
    if (payment >= 0) refundedAt.set(payment, at(sequence.key, position));
  });
  const waits = Array.from(sequence.item, (index, position): Wait => ({
    after: at(availability.after, index),
    until: at(availability.until, index),
    from: -Infinity,
    // Once its refund is available, too, the two leave together and neither is paid.
    to: refundedAt.get(position) ?? Infinity,
    seenOpen: at(bounds.lastAvailable, index) - CLOCK_SLACK_MS,
    seenTaken: at(bounds.firstTaken, index) + CLOCK_SLACK_MS,
  }));
  return { sequence, waits, cancelled };
}
