import { addMillimes, compareBytes, type Instant, type Millimes, ZERO_MILLIMES } from '../../kernel';

export const PAYOUT_CHANNELS = ['agent', 'card', 'wallet', 'mpayment', 'pos', 'qr', 'subscription'] as const;
export type PayoutChannel = (typeof PAYOUT_CHANNELS)[number];

/** One amount that the gateway owes the integrator, or takes back. Plain data, saved with the simulator's state. */
export interface PayableItem {
  /** `service:<transactionId>` for agent money, otherwise `payment:<payment_id>`; a refund has its own id. */
  readonly itemId: string;
  /** A refund has the channel of its payment. */
  readonly channel: PayoutChannel;
  /** Negative for a refund. */
  readonly amountMillimes: Millimes;
  readonly succeededAt: Instant;
  /** The earliest instant at which a cut may take it. For a refund this is its own instant, even for cards. */
  readonly availableAt: Instant;
  /** The item that this refund takes back. */
  readonly refundOf?: string;
  /** The cut that passed it over, which happens at most once. */
  readonly heldAt?: Instant;
}

/** Sorts items by availability, then by id, so that the order of the input does not matter. */
export function inOrderOfAvailability(items: readonly PayableItem[]): PayableItem[] {
  return [...items].sort((a, b) => a.availableAt - b.availableAt || compareBytes(a.itemId, b.itemId));
}

/**
 * Adds amounts.
 *
 * @throws AssertionError when the sum exceeds the range of an amount.
 */
export function sumMillimes(amounts: Iterable<Millimes>): Millimes {
  let sum = ZERO_MILLIMES;
  for (const amount of amounts) sum = addMillimes(sum, amount);
  return sum;
}
