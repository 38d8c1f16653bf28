/** A payment of any channel, by the gateway's id of it. */
export function paymentItemId(gatewayId: string): string {
  return `payment:${gatewayId}`;
}

export function refundItemId(refundId: string): string {
  return `refund:${refundId}`;
}

/** A refund whose answer was lost: nobody knows its id, and a payment is refunded once (open point 21). */
export function unnamedRefundItemId(paymentId: string): string {
  return `refund:payment:${paymentId}`;
}
