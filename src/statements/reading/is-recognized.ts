/** Returns whether a payout pattern recognizes a credit by one of its texts. Without a pattern each credit may be a payout. */
export function isRecognized(
  pattern: RegExp | undefined,
  { counterparty, remittance }: { readonly counterparty: string; readonly remittance: string },
): boolean {
  return pattern === undefined || pattern.test(counterparty) || pattern.test(remittance);
}
