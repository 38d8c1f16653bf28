import type { Item } from '../match-request';

/** Notes a fault of a refund: its column and the reason. */
type Warn = (column: string, reason: string) => void;

/**
 * Returns a function that compares a refund with its payment and with the earlier refunds of that payment. It only
 * warns, because the gateway may have allowed the refund, and the bank shows the result.
 */
export function refundChecker(): (refund: Item, payment: Item, warn: Warn) => void {
  const leftOf = new Map<Item, number>();
  return (refund, payment, warn) => {
    // An excess is reported once: the next refund is compared with 0 left.
    const left = Math.max(0, leftOf.get(payment) ?? payment.amount) + refund.amount;
    leftOf.set(payment, left);
    if (left < 0) warn('amount_millimes', 'takes back more than is left of the payment');
    if (refund.succeededAt < payment.succeededAt) warn('succeeded_at', 'is before the payment that is taken back');
    if (refund.channel !== payment.channel) warn('channel', 'is not the channel of the payment that is taken back');
  };
}
