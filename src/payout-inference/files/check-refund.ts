import type { Item } from '../match-request';

/** What is strange about a refund: the column that says it, and why. */
type Warn = (column: string, reason: string) => void;

/**
 * Gives a function that compares a refund with the payment that it names, and with the refunds of that payment that it
 * was given before. Nothing that it finds is refused: the gateway may have let it happen, and the bank shows what came
 * of it.
 */
export function refundChecker(): (refund: Item, payment: Item, warn: Warn) => void {
  const leftOf = new Map<Item, number>();
  return (refund, payment, warn) => {
    // What was taken back too much does not count again: the next refund is compared with nothing left.
    const left = Math.max(0, leftOf.get(payment) ?? payment.amount) + refund.amount;
    leftOf.set(payment, left);
    if (left < 0) warn('amount_millimes', 'takes back more than is left of the payment');
    if (refund.succeededAt < payment.succeededAt) warn('succeeded_at', 'is before the payment that is taken back');
    if (refund.channel !== payment.channel) warn('channel', 'is not the channel of the payment that is taken back');
  };
}
