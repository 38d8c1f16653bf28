/** Returns the item id of a payment of any channel, by the gateway's id. */
export function paymentItemId(gatewayId: string): string {
  return `payment:${gatewayId}`;
}

export function refundItemId(refundId: string): string {
  return `refund:${refundId}`;
}

/**
 * Returns the item id of a refund whose answer was lost, and its id with it. A payment is refunded at most once (open
 * point 21).
 */
export function unnamedRefundItemId(paymentId: string): string {
  return `refund:payment:${paymentId}`;
}
