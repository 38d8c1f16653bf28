/** Files on the paths of money, each with the tests of its room that must see a slip in it. */
export const TARGETS: readonly { readonly file: string; readonly tests: readonly string[] }[] = [
  { file: 'src/kernel/millimes.ts', tests: ['test/unit/kernel/millimes'] },
  { file: 'src/ledger/ledger-transaction.ts', tests: ['test/unit/ledger/', 'test/integration/ledger/ledger.test'] },
  {
    file: 'src/ledger/ledger-store.ts',
    tests: ['test/integration/ledger/ledger.test', 'test/integration/reconciliation/closing/closing.test'],
  },
  { file: 'src/agent-settlement/decide.ts', tests: ['test/unit/agent-settlement/decide'] },
  { file: 'src/agent-settlement/confirm-store.ts', tests: ['test/api/confirm.test', 'test/api/confirm-batches'] },
  { file: 'src/agent-settlement/refusal-store.ts', tests: ['test/api/confirm.test', 'test/api/confirm-batches'] },
  { file: 'src/gateway/webhooks/check-signature.ts', tests: ['test/unit/gateway/webhooks'] },
  { file: 'src/gateway/webhooks/parse-signature.ts', tests: ['test/unit/gateway/webhooks'] },
  {
    file: 'src/gateway/codec/decode-millimes.ts',
    tests: ['test/integration/gateway/read-answers', 'test/unit/gateway/'],
  },
  { file: 'src/payout-inference/run-sum.ts', tests: ['test/unit/payout-inference/find-links'] },
  { file: 'src/payout-inference/fee-terms.ts', tests: ['test/unit/payout-inference/fee-terms'] },
  { file: 'src/reconciliation/payout-postings.ts', tests: ['test/unit/reconciliation/payout-postings'] },
  { file: 'src/reconciliation/allocate-fees.ts', tests: ['test/unit/reconciliation/allocate-fees'] },
  {
    file: 'src/reconciliation/closing/day-proof.ts',
    tests: ['test/unit/reconciliation/closing/day-proof', 'test/integration/reconciliation/closing/closing.test'],
  },
  { file: 'src/statements/reading/decimal.ts', tests: ['test/unit/statements/decimal'] },
  { file: 'src/statements/reading/prove-statement.ts', tests: ['test/unit/statements/prove-statement'] },
];
