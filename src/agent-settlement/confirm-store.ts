import { rowsOf, type Row, type Session } from '../db';
import { newId, pagesOf, type Instant } from '../kernel';
import type { ConfirmCommand } from './confirm-command';
import { refusalKey, type Decision, type EarlierRefusal, type RefusalKind, type RegisteredConfirm } from './decide';

const ROWS_PER_STATEMENT = 400;

type StoreDecision = Extract<Decision, { kind: 'store' }>;
type RefuseDecision = Extract<Decision, { kind: 'refuse' }>;

/** Confirms and refused calls inside one transaction of the database. */
export interface ConfirmStore {
  registered(transactionIds: readonly string[]): Promise<Map<string, RegisteredConfirm>>;
  refusals(commands: readonly ConfirmCommand[]): Promise<Map<string, EarlierRefusal[]>>;
  /** A transactionId that is taken fails with `duplicate_key`. */
  register(decisions: readonly StoreDecision[], ledgerIds: ReadonlyMap<string, string>, at: Instant): Promise<void>;
  /** Notes calls that were refused for the first time. The same call twice at once fails with `duplicate_key`. */
  noteRefusals(decisions: readonly RefuseDecision[]): Promise<void>;
  /** Counts a call that was refused before; a try that runs again is counted once. */
  countRefusal(decision: RefuseDecision): Promise<void>;
}

export function openConfirmStore(session: Session): ConfirmStore {
  return {
    async registered(transactionIds) {
      const found = new Map<string, RegisteredConfirm>();
      for (const page of pagesOf(transactionIds, ROWS_PER_STATEMENT)) {
        const rows = await rowsOf(
          session('agent_confirmations as c')
            .select('c.transaction_id', 'c.fingerprint', 'c.attempt_id')
            .whereIn('c.transaction_id', page),
        );
        for (const row of rows) {
          found.set(row['transaction_id'] as string, {
            fingerprint: row['fingerprint'] as string,
            attemptId: row['attempt_id'] as string,
          });
        }
      }
      return found;
    },
    async refusals(commands) {
      const found = new Map<string, EarlierRefusal[]>();
      const keep = (rows: readonly Row[]): void => {
        for (const row of rows) {
          const refusal = toRefusal(row);
          const key = refusalKey({
            transactionId: row['transaction_id'] === null ? undefined : (row['transaction_id'] as string),
            fingerprint: refusal.fingerprint,
          });
          found.set(key, [...(found.get(key) ?? []), refusal]);
        }
      };
      const select = (column: string, values: readonly string[]): Promise<Row[]> =>
        values.length === 0
          ? Promise.resolve([])
          : rowsOf(
              session('confirm_refusals as r')
                .select('r.transaction_id', 'r.fingerprint', 'r.kind')
                .whereIn(column, [...values])
                .orderBy('r.id'),
            );
      for (const page of pagesOf(commands, ROWS_PER_STATEMENT)) {
        keep(
          await select(
            'r.transaction_id',
            page.flatMap(({ transactionId }) => transactionId ?? []),
          ),
        );
        const unusable = page.filter(({ transactionId }) => transactionId === undefined);
        keep(
          await select(
            'r.fingerprint',
            unusable.map(({ fingerprint }) => fingerprint),
          ),
        );
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
    async noteRefusals(decisions) {
      const rows = decisions.map(({ command, reason }) => ({
        id: newId(),
        fingerprint: command.fingerprint,
        kind: reason,
        transaction_id: command.transactionId ?? null,
        raw_body: command.rawBody,
        first_at: command.receivedAt,
        last_at: command.receivedAt,
        times: 1,
        last_attempt_id: command.attemptId,
        token_sub: command.caller.subject,
        token_jti: command.caller.jti,
      }));
      for (const page of pagesOf(rows, ROWS_PER_STATEMENT)) await session('confirm_refusals').insert(page);
    },
    async countRefusal({ command, reason }) {
      await session('confirm_refusals')
        .where({ fingerprint: command.fingerprint, kind: reason })
        .whereNot('last_attempt_id', command.attemptId)
        .update({
          times: session.fragment('times + 1'),
          last_at: command.receivedAt,
          last_attempt_id: command.attemptId,
        });
    },
  };
}

function toRefusal(row: Row): EarlierRefusal {
  return {
    fingerprint: row['fingerprint'] as string,
    kind: row['kind'] as RefusalKind,
  };
}
