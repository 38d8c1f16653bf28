/** The payment of each refund. */
export type RefundsOf = ReadonlyMap<string, string>;

/** Returns the items in byte order, without pairs of a payment and its own refund, which together pay nothing. */
export function withoutPairs(itemIds: readonly string[], refunds: RefundsOf): string[] {
  const left = new Set(itemIds);
  for (const itemId of itemIds) {
    const payment = refunds.get(itemId);
    if (payment !== undefined && left.has(payment)) {
      left.delete(payment);
      left.delete(itemId);
    }
  }
  return [...left].sort();
}

/** Returns whether two lists have the same items, apart from pairs of a payment and its own refund. */
export function isSameItems(a: readonly string[], b: readonly string[], refunds: RefundsOf): boolean {
  return withoutPairs(a, refunds).join('\n') === withoutPairs(b, refunds).join('\n');
}
