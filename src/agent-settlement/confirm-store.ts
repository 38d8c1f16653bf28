import { column, rowCodec, ROWS_PER_STATEMENT, type Session } from '../db';
import { type Instant, pagesOf } from '../kernel';
import type { Decision, RegisteredConfirm } from './decide';

type StoreDecision = Extract<Decision, { kind: 'store' }>;

/** Reads and writes stored confirms inside one transaction of the database. */
export interface ConfirmStore {
  registered(transactionIds: readonly string[]): Promise<Map<string, RegisteredConfirm>>;
  /** Stores confirms. Fails with `duplicate_key` if a transactionId is already stored. */
  register(decisions: readonly StoreDecision[], ledgerIds: ReadonlyMap<string, string>, at: Instant): Promise<void>;
}

const REGISTERED = rowCodec({
  transactionId: column.text('transaction_id'),
  fingerprint: column.text('fingerprint'),
  attemptId: column.text('attempt_id'),
});

export function openConfirmStore(session: Session): ConfirmStore {
  return {
    async registered(transactionIds) {
      const found = new Map<string, RegisteredConfirm>();
      for (const page of pagesOf(transactionIds, ROWS_PER_STATEMENT)) {
        const query = session('agent_confirmations as c')
          .select(REGISTERED.columns('c'))
          .whereIn('c.transaction_id', page);
        for (const { transactionId, ...confirm } of await REGISTERED.all(query)) found.set(transactionId, confirm);
      }
      return found;
    },
    async register(decisions, ledgerIds, at) {
      const rows = decisions.map(({ command, transactionId, agentId, amount, balanceBefore }) => ({
        transaction_id: transactionId,
        agent_id: agentId,
        amount_millimes: amount,
        fingerprint: command.fingerprint,
        attempt_id: command.attemptId,
        balance_before_millimes: balanceBefore,
        followed_unavailable: command.followedUnavailable ? 1 : 0,
        token_sub: command.caller.subject,
        token_jti: command.caller.jti,
        received_at: command.receivedAt,
        recorded_at: at,
        ledger_transaction_id: ledgerIds.get(transactionId),
      }));
      for (const page of pagesOf(rows, ROWS_PER_STATEMENT)) await session('agent_confirmations').insert(page);
    },
  };
}
