const TOKENS = ['test/unit/service-tokens/verify-token'];
const SIGNATURES = ['test/unit/gateway/webhooks'];
const CONFIRMS = ['test/api/confirm.test', 'test/api/confirm-batches'];

/** Files on the paths of money, each with the tests of its room that must see a slip in it. */
export const TARGETS: readonly { readonly file: string; readonly tests: readonly string[] }[] = [
  { file: 'src/kernel/millimes.ts', tests: ['test/unit/kernel/millimes'] },
  { file: 'src/ledger/ledger-transaction.ts', tests: ['test/unit/ledger/', 'test/integration/ledger/ledger.test'] },
  {
    file: 'src/ledger/ledger-store.ts',
    tests: ['test/integration/ledger/ledger.test', 'test/integration/reconciliation/closing/closing.test'],
  },
  { file: 'src/ledger/reverse.ts', tests: ['test/integration/ledger/ledger.test'] },
  { file: 'src/agent-settlement/decide.ts', tests: ['test/unit/agent-settlement/decide'] },
  { file: 'src/agent-settlement/confirm-payments.ts', tests: CONFIRMS },
  { file: 'src/agent-settlement/refusal-store.ts', tests: CONFIRMS },
  { file: 'src/service-tokens/claims.ts', tests: TOKENS },
  { file: 'src/service-tokens/parse-compact.ts', tests: TOKENS },
  { file: 'src/service-tokens/verify-compact.ts', tests: TOKENS },
  { file: 'src/service-tokens/verify-token.ts', tests: TOKENS },
  { file: 'src/gateway/webhooks/check-signature.ts', tests: SIGNATURES },
  { file: 'src/gateway/webhooks/check-signed-body.ts', tests: SIGNATURES },
  { file: 'src/gateway/webhooks/parse-signature.ts', tests: SIGNATURES },
  { file: 'src/gateway/webhooks/verify-payment-webhook.ts', tests: SIGNATURES },
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
  { file: 'src/statements/reading/decimal.ts', tests: ['test/unit/statements/amounts'] },
  { file: 'src/statements/reading/prove-statement.ts', tests: ['test/unit/statements/prove-statement'] },
];
