import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(__dirname, '..', '..', '..', '..');

/** A fault that is planted in the source: `from`, which the file has exactly once, becomes `to`. */
export interface SeededMutant {
  readonly name: string;
  readonly kind:
    | 'sign'
    | 'order'
    | 'missing lease check'
    | 'lost retry'
    | 'double post'
    | 'boundary'
    | 'unknown outcome'
    | 'half done'
    | 'lost check';
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Why no history detects it, and what does. */
  readonly missed?: string;
}

export const SEEDED_MUTANTS: readonly SeededMutant[] = [
  {
    name: 'a credit raises the stored balance',
    kind: 'sign',
    file: 'src/ledger/ledger-transaction.ts',
    from: 'add(credit, -amount);',
    to: 'add(credit, amount);',
  },
  {
    name: 'a confirm is posted the wrong way round',
    kind: 'sign',
    file: 'src/agent-settlement/confirm-payments.ts',
    from: "debit: gatewayClearing('agent'), credit: agentReceivable(agentId)",
    to: "debit: agentReceivable(agentId), credit: gatewayClearing('agent')",
  },
  {
    name: 'a due is posted the wrong way round',
    kind: 'sign',
    file: 'src/dues/import-dues.ts',
    from: 'debit: agentReceivable(due.agentId), credit: DUES_ASSESSED',
    to: 'debit: DUES_ASSESSED, credit: agentReceivable(due.agentId)',
  },
  {
    name: 'a payout is posted the wrong way round',
    kind: 'sign',
    file: 'src/reconciliation/payout-postings.ts',
    from: 'moved(BANK_UNMATCHED, gatewayClearing(channel), net)',
    to: 'moved(gatewayClearing(channel), BANK_UNMATCHED, net)',
  },
  {
    name: 'a bank line is posted the wrong way round',
    kind: 'sign',
    file: 'src/statements/effective/post-lines.ts',
    from: 'moved(bankAccount(line.account), BANK_UNMATCHED, line.amount)',
    to: 'moved(BANK_UNMATCHED, bankAccount(line.account), line.amount)',
  },
  {
    name: 'a payment of an agent is posted as a customer’s',
    kind: 'sign',
    file: 'src/gateway-items/post-item.ts',
    from: 'agentId === undefined ? PAYMENTS_RECEIVED : agentReceivable(agentId)',
    to: 'agentId === undefined ? PAYMENTS_RECEIVED : PAYMENTS_RECEIVED',
  },
  {
    name: 'a closed agent is answered before a known id',
    kind: 'order',
    file: 'src/agent-settlement/decide.ts',
    from: 'if (holder !== undefined) {',
    to: "if (holder !== undefined && facts.agents.get(agentId ?? '')?.status === 'open') {",
  },
  {
    name: 'the answer of a status check is applied after a newer one',
    kind: 'order',
    file: 'src/payments/status-checks/apply-status-check.ts',
    from: 'if (payment.lastCheckAt !== undefined && observedAt <= payment.lastCheckAt) {',
    to: 'if (payment.lastCheckAt !== undefined && observedAt <= 0) {',
    missed: 'A success is never withdrawn, so the money stays right; integration/payments/check-payment detects it.',
  },
  {
    name: 'a leader past its lease may write',
    kind: 'missing lease check',
    file: 'src/scheduler/job-claim-store.ts',
    from: "status: 'running', fencing })\n        .increment('lease_until', 1);",
    to: "status: 'running' })\n        .increment('lease_until', 1);",
  },
  {
    name: 'a lease is taken over before it ends',
    kind: 'missing lease check',
    file: 'src/scheduler/job-claim-store.ts',
    from: "        .where('lease_until', '<', now)\n        .update({ fencing: fencing + 1",
    to: '        .update({ fencing: fencing + 1',
  },
  {
    name: 'a worker past its lease ends a webhook',
    kind: 'missing lease check',
    file: 'src/webhooks/inbox-claim-store.ts',
    from: '.where({ id: entry.id, fencing })',
    to: '.where({ id: entry.id })',
    missed: 'The webhook is processed once more, which changes nothing; integration/webhooks/inbox detects it.',
  },
  {
    name: 'a confirm does not run again after a lost COMMIT',
    kind: 'lost retry',
    file: 'src/agent-settlement/confirm-payments.ts',
    from: '{ retryDuplicate: true, retryUnknownOutcome: true, deadlineMs },',
    to: '{ retryDuplicate: true, deadlineMs },',
  },
  {
    name: 'a transaction that the engine rolled back does not run again',
    kind: 'lost retry',
    file: 'src/db/transact.ts',
    from: "    case 'retry':\n      return true;",
    to: "    case 'retry':\n      return false;",
  },
  {
    name: 'a failed status check is the last one',
    kind: 'lost retry',
    file: 'src/payments/status-checks/record-failed-check.ts',
    from: '...notBefore(payment, clock.now() + waitMs) });',
    to: 'nextCheckAt: undefined, triggeredAt: undefined });',
  },
  {
    name: 'a lost COMMIT counts as rolled back',
    kind: 'unknown outcome',
    file: 'src/db/transact.ts',
    from: "return phase !== 'commit' || options.retryUnknownOutcome === true;",
    to: 'return true;',
  },
  {
    name: 'an attempt does not recognize its own row',
    kind: 'unknown outcome',
    file: 'src/agent-settlement/decide.ts',
    from: "if (holder?.attemptId === command.attemptId) return { kind: 'stored_already', command };",
    to: '',
  },
  {
    name: 'a refund without an answer counts as refused',
    kind: 'unknown outcome',
    file: 'src/payments/operations/payment-operations.ts',
    from: "const isUnknown = error.code === 'outcome_unknown';",
    to: 'const isUnknown = false;',
    missed:
      'Too rare in short histories (a paid checkout, then a refund whose answer is lost); integration/payments/payment-operations detects it.',
  },
  {
    name: 'a session whose answer was lost is not attached by its webhook',
    kind: 'unknown outcome',
    file: 'src/payments/attempts/decide-webhook-event.ts',
    from: 'if (gatewayId === undefined || !isCheckout(payment.kind)) return {};',
    to: 'if (payment.gatewayId === undefined || !isCheckout(payment.kind)) return {};',
  },
  {
    name: 'two confirms of one id in one batch are both stored',
    kind: 'double post',
    file: 'src/agent-settlement/decide.ts',
    from: 'registered.set(transactionId, { fingerprint: command.fingerprint, attemptId: command.attemptId });',
    to: '',
  },
  {
    name: 'a later fee report is posted whole',
    kind: 'double post',
    file: 'src/gateway-items/post-item.ts',
    from: 'before.reduce((left, each) => left - BigInt(each[part]), BigInt(reported[part]))',
    to: 'before.reduce((left) => left, BigInt(reported[part]))',
  },
  {
    name: 'a reference gets a second live session',
    kind: 'double post',
    file: 'src/payments/attempts/create-payment.ts',
    from: "if (!isAbandoned(live, at)) return { kind: 'live', payment: live };",
    to: '',
  },
  {
    name: 'a call that moves money is sent again',
    kind: 'double post',
    file: 'src/gateway/call.ts',
    from: "  if (!retries || safety === 'D') return false;\n  if (safety === 'C') return answer.kind === 'failed' && answer.fault === 'not_sent';",
    to: '  if (!retries) return false;',
  },
  {
    name: 'the whole rest of a payment cannot be refunded',
    kind: 'boundary',
    file: 'src/gateway-items/post-item.ts',
    from: 'if (refunded + BigInt(-refund.amount) > BigInt(paid.amount)) {',
    to: 'if (refunded + BigInt(-refund.amount) >= BigInt(paid.amount)) {',
  },
  {
    name: 'more than a payment can be refunded',
    kind: 'boundary',
    file: 'src/gateway-items/post-item.ts',
    from: 'if (refunded + BigInt(-refund.amount) > BigInt(paid.amount)) {',
    to: 'if (BigInt(-refund.amount) > BigInt(paid.amount)) {',
  },
  {
    name: 'a failed transaction is committed as far as it came',
    kind: 'half done',
    file: 'src/db/on-connection.ts',
    from: "if (connection.inTransaction === true) await control(opened, connection, 'ROLLBACK');",
    to: "if (connection.inTransaction === true) await control(opened, connection, 'COMMIT');",
  },
  {
    name: 'a dry run is committed',
    kind: 'half done',
    file: 'src/db/transact.ts',
    from: 'const body = options.dryRun === true ? rolledBack(work) : work;',
    to: 'const body = options.dryRun === true && dialect === undefined ? rolledBack(work) : work;',
  },
  {
    name: 'the first instant of an open day is recorded in a closed one',
    kind: 'lost check',
    file: 'src/ledger/ledger-store.ts',
    from: 'const recordedAt = Math.max(transaction.recordedAt, openFrom);',
    to: 'const { recordedAt } = transaction;',
    missed:
      'Hardly a drawn day can be closed, because a run must have reconciled it first; integration/reconciliation/closing detects it.',
  },
  {
    name: 'an agent with money is erased',
    kind: 'lost check',
    file: 'src/erasures/erase-agent.ts',
    from: '      await refuseMoney(session, agentId);\n',
    to: '',
  },
  {
    name: 'a due is cancelled twice',
    kind: 'lost check',
    file: 'src/dues/index.ts',
    from: "if (await store.isCancelled(reference)) return 'already_cancelled';",
    to: '',
  },
  {
    name: 'a webhook with a wrong signature is taken',
    kind: 'lost check',
    file: 'src/gateway/webhooks/check-signature.ts',
    from: 'return matches > 0;',
    to: 'return matches >= 0;',
  },
];

/** Where the text of a mutant stands. @throws Error unless its file has the text exactly once. */
export function placeOf({ name, file, from }: SeededMutant): number {
  const parts = readFileSync(join(ROOT, file), 'utf8').split(from);
  if (parts.length !== 2) throw new Error(`${name}: ${file} has its text ${parts.length - 1} times`);
  return parts[0]?.length ?? 0;
}
