import { GatewayError, type QrTransaction } from '../../gateway';
import { assert, compareBytes, type Instant, isOutsideId, type Millimes, parseInstant } from '../../kernel';

/** A payment in the list of Verify Custom Transaction or of the merchant's history (interface section 2.7). */
export interface ListedQrPayment {
  readonly transactionUniqueId: string;
  readonly amount: Millimes;
  readonly channel: string | undefined;
  readonly paidAt: Instant;
}

/**
 * Returns the listed payments, each once, oldest first. Pure.
 *
 * @throws GatewayError `unexpected_shape` for an id that no column can contain.
 */
export function listedQrPayments(
  transactions: readonly QrTransaction[],
  operation: string,
): readonly ListedQrPayment[] {
  const listed = new Map<string, ListedQrPayment>();
  for (const { transactionUniqueId, amountMillimes, channel, time } of transactions) {
    const paidAt = parseInstant(time);
    assert(paidAt !== undefined, 'the client gives every time in UTC');
    if (!isOutsideId(transactionUniqueId)) {
      throw new GatewayError('unexpected_shape', 'the id of a QR payment cannot be stored', { operation });
    }
    const payment = { transactionUniqueId, amount: amountMillimes, channel: channel ?? undefined, paidAt };
    listed.set(transactionUniqueId, payment);
  }
  return [...listed.values()].sort(
    (one, other) => one.paidAt - other.paidAt || compareBytes(one.transactionUniqueId, other.transactionUniqueId),
  );
}
