import { column, type Decoded, rowCodec, ROWS_PER_STATEMENT, type Session } from '../db';
import { addToGroup, newId, pagesOf } from '../kernel';
import type { ConfirmCommand } from './confirm-command';
import { type Decision, type EarlierRefusal, REFUSAL_KINDS, refusalKey } from './decide';

type RefuseDecision = Extract<Decision, { kind: 'refuse' }>;

/** Reads and writes refused confirms inside one transaction of the database. */
export interface RefusalStore {
  /** Returns the earlier refusals of each command, by its `refusalKey`. */
  of(commands: readonly ConfirmCommand[]): Promise<Map<string, EarlierRefusal[]>>;
  /**
   * Records calls that were refused for the first time. If two transactions record one call, one of them fails with
   * `duplicate_key`.
   */
  record(decisions: readonly RefuseDecision[]): Promise<void>;
  /** Counts a repeated refusal of a call. An attempt that runs again is counted once. */
  countAgain(decision: RefuseDecision): Promise<void>;
}

/** More than the gateway needs for a call. The fingerprint is always that of the whole call. */
const RAW_BODY_BYTES_MAX = 1_024;

const REFUSAL = rowCodec({
  transactionId: column.optional(column.text('transaction_id')),
  fingerprint: column.text('fingerprint'),
  kind: column.word('kind', REFUSAL_KINDS),
});

export function openRefusalStore(session: Session): RefusalStore {
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
    async of(commands) {
      const found = new Map<string, EarlierRefusal[]>();
      const add = (refusals: readonly Decoded<typeof REFUSAL>[]): void => {
        for (const { transactionId, fingerprint, kind } of refusals) {
          const key = refusalKey({ transactionId, fingerprint });
          addToGroup(found, key, { fingerprint, kind });
        }
      };
      for (const page of pagesOf(commands, ROWS_PER_STATEMENT)) {
        const ids = page.flatMap(({ transactionId }) => transactionId ?? []);
        add(await refusalsWhere('transactionId', ids));
        const unusable = page.filter(({ transactionId }) => transactionId === undefined);
        const fingerprints = unusable.map(({ fingerprint }) => fingerprint);
        add(await refusalsWhere('fingerprint', fingerprints));
      }
      return found;
    },
    async record(decisions) {
      const rows = decisions.map(({ command, reason }) => ({
        id: newId(),
        fingerprint: command.fingerprint,
        kind: reason,
        transaction_id: command.transactionId ?? null,
        raw_body: shortened(command.rawBody),
        first_at: command.receivedAt,
        last_at: command.receivedAt,
        times: 1,
        last_attempt_id: command.attemptId,
        token_sub: command.caller.subject,
        token_jti: command.caller.jti,
      }));
      for (const page of pagesOf(rows, ROWS_PER_STATEMENT)) await session('confirm_refusals').insert(page);
    },
    async countAgain({ command, reason }) {
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

/** Returns the beginning of a long body, whole characters only, and the length of all of it. */
function shortened(body: string): string {
  const { read } = new TextEncoder().encodeInto(body, new Uint8Array(RAW_BODY_BYTES_MAX));
  return read === body.length ? body : `${body.slice(0, read)}… (${Buffer.byteLength(body)} bytes)`;
}
