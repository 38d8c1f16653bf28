import { column, type NewRows, type Question, rowCodec } from '../db';
import type { Instant } from '../kernel';
import type { Decision, RegisteredConfirm } from './decide';

type StoreDecision = Extract<Decision, { kind: 'store' }>;

const REGISTERED = rowCodec({
  transactionId: column.text('transaction_id'),
  fingerprint: column.text('fingerprint'),
  attemptId: column.text('attempt_id'),
});

const STORED = `select ${REGISTERED.columns('c').join(', ')} from agent_confirmations as c where c.transaction_id in (?)`;

/** Asks for the stored confirms among at most `ROWS_PER_STATEMENT` transactionIds. */
export function registeredQuestion(transactionIds: readonly string[]): Question<Map<string, RegisteredConfirm>> {
  return {
    sql: STORED,
    values: [transactionIds],
    read: (rows) => new Map(rows.map(REGISTERED.read).map(({ transactionId, ...confirm }) => [transactionId, confirm])),
  };
}

/** Returns the rows that store confirms. Their insert fails with `duplicate_key` if a transactionId is already stored. */
export function confirmRows(
  decisions: readonly StoreDecision[],
  ledgerIds: ReadonlyMap<string, string>,
  at: Instant,
): NewRows {
  const rows = decisions.map(({ command, transactionId, agentId, amount, balanceBefore }) => ({
    transaction_id: transactionId,
    agent_id: agentId,
    amount_millimes: amount,
    fingerprint: command.fingerprint,
    attempt_id: command.attemptId,
    balance_before_millimes: balanceBefore,
    followed_unavailable: command.followedUnavailable,
    token_sub: command.caller.subject,
    token_jti: command.caller.jti,
    received_at: command.receivedAt,
    recorded_at: at,
    ledger_transaction_id: ledgerIds.get(transactionId),
  }));
  return { table: 'agent_confirmations', rows };
}
