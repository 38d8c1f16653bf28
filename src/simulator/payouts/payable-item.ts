import { addMillimes, compareBytes, type Instant, type Millimes, ZERO_MILLIMES } from '../../kernel';

export const PAYOUT_CHANNELS = ['agent', 'card', 'wallet', 'mpayment', 'pos', 'qr', 'subscription'] as const;
export type PayoutChannel = (typeof PAYOUT_CHANNELS)[number];

/** One amount that the gateway owes the integrator, or takes back. Plain data: it is saved with the simulator's state. */
export interface PayableItem {
  /** `service:<transactionId>` for agent money, `payment:<payment_id>` else; a refund has an id of its own. */
  readonly itemId: string;
  /** A refund has the channel of what it takes back. */
  readonly channel: PayoutChannel;
  /** Negative for a refund. */
  readonly amountMillimes: Millimes;
  readonly succeededAt: Instant;
  /** From then on a cut may take it. A refund counts from its own instant, also for cards. */
  readonly availableAt: Instant;
  /** The item that a refund takes back. */
  readonly refundOf?: string;
  /** The cut that passed it over. It is never passed over twice. */
  readonly heldAt?: Instant;
}

/** In the order of availability; of two at once, by id. So nothing depends on the order in which items were given. */
export function inOrderOfAvailability(items: readonly PayableItem[]): PayableItem[] {
  return [...items].sort((a, b) => a.availableAt - b.availableAt || compareBytes(a.itemId, b.itemId));
}

/** @throws AssertionError when the sum is more than an amount can be. */
export function sumMillimes(amounts: Iterable<Millimes>): Millimes {
  let sum = ZERO_MILLIMES;
  for (const amount of amounts) sum = addMillimes(sum, amount);
  return sum;
}
