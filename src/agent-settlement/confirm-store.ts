import { column, type Decoded, rowCodec, ROWS_PER_STATEMENT, type Session } from '../db';
import { type Instant, newId, pagesOf } from '../kernel';
import type { ConfirmCommand } from './confirm-command';
import { type Decision, type EarlierRefusal, REFUSAL_KINDS, refusalKey, type RegisteredConfirm } from './decide';

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

const REGISTERED = rowCodec({
  transactionId: column.text('transaction_id'),
  fingerprint: column.text('fingerprint'),
  attemptId: column.text('attempt_id'),
});

const REFUSAL = rowCodec({
  transactionId: column.optional(column.text('transaction_id')),
  fingerprint: column.text('fingerprint'),
  kind: column.word('kind', REFUSAL_KINDS),
});

export function openConfirmStore(session: Session): ConfirmStore {
  async function refusalsWhere(
    field: 'transactionId' | 'fingerprint',
    values: readonly string[],
  ): Promise<Decoded<typeof REFUSAL>[]> {
    if (values.length === 0) return [];
    return REFUSAL.all(
      session('confirm_refusals as r')
        .select(REFUSAL.columns('r'))
        .whereIn(REFUSAL.column(field, 'r'), [...values])
        .orderBy('r.id'),
    );
  }

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
    async refusals(commands) {
      const found = new Map<string, EarlierRefusal[]>();
      const keep = (refusals: readonly Decoded<typeof REFUSAL>[]): void => {
        for (const { transactionId, fingerprint, kind } of refusals) {
          const key = refusalKey({ transactionId, fingerprint });
          found.set(key, [...(found.get(key) ?? []), { fingerprint, kind }]);
        }
      };
      for (const page of pagesOf(commands, ROWS_PER_STATEMENT)) {
        const ids = page.flatMap(({ transactionId }) => transactionId ?? []);
        keep(await refusalsWhere('transactionId', ids));
        const unusable = page.filter(({ transactionId }) => transactionId === undefined);
        const fingerprints = unusable.map(({ fingerprint }) => fingerprint);
        keep(await refusalsWhere('fingerprint', fingerprints));
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
