/** Which item each refund takes back. */
export type RefundsOf = ReadonlyMap<string, string>;

/** Returns the items without pairs of a payment and its own refund, which together pay nothing. In byte order. */
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

/** Whether two lists are the same items, pairs of a payment and its own refund apart. */
export function isSameItems(a: readonly string[], b: readonly string[], refunds: RefundsOf): boolean {
  return withoutPairs(a, refunds).join('\n') === withoutPairs(b, refunds).join('\n');
}
