import { column, type NewRows, type Question, type Row, rowCodec, type Session } from '../db';
import { addToGroup, newId } from '../kernel';
import type { ConfirmCommand } from './confirm-command';
import { type EarlierRefusal, REFUSAL_KINDS, refusalKey, type RefusalKind } from './decide';

/** One call that a batch refuses for one reason, perhaps several times. */
export interface RefusedCall {
  readonly reason: RefusalKind;
  /** In the order of their decisions; at least one. */
  readonly commands: readonly [ConfirmCommand, ...ConfirmCommand[]];
  /** Whether an earlier batch refused the same call for the same reason. */
  readonly wasRefusedBefore: boolean;
}

/** More than the gateway needs for a call. The fingerprint is always that of the whole call. */
const RAW_BODY_BYTES_MAX = 1_024;

const REFUSAL = rowCodec({
  transactionId: column.optional(column.text('transaction_id')),
  fingerprint: column.text('fingerprint'),
  kind: column.word('kind', REFUSAL_KINDS),
});

const REFUSALS = `select ${REFUSAL.columns('r').join(', ')} from confirm_refusals as r`;

/** Asks for the earlier refusals of calls, by the `refusalKey` of each, oldest first. */
export function refusalsQuestions(
  commands: readonly ConfirmCommand[],
): readonly [Question<Map<string, EarlierRefusal[]>>, Question<Map<string, EarlierRefusal[]>>] {
  const unusable = commands.filter(({ transactionId }) => transactionId === undefined);
  return [
    {
      sql: `${REFUSALS} where r.transaction_id in (?) order by r.id`,
      values: [commands.flatMap(({ transactionId }) => transactionId ?? [])],
      read: byCall,
    },
    {
      sql: `${REFUSALS} where r.fingerprint in (?) order by r.id`,
      values: [unusable.map(({ fingerprint }) => fingerprint)],
      read: byCall,
    },
  ];
}

function byCall(rows: readonly Row[]): Map<string, EarlierRefusal[]> {
  const found = new Map<string, EarlierRefusal[]>();
  for (const { transactionId, fingerprint, kind } of rows.map(REFUSAL.read)) {
    addToGroup(found, refusalKey({ transactionId, fingerprint }), { fingerprint, kind });
  }
  return found;
}

/**
 * Returns the rows that record calls refused for the first time. If two transactions record one call, the insert of one
 * of them fails with `duplicate_key`.
 */
export function refusalRows(calls: readonly RefusedCall[]): NewRows {
  const rows = calls.map(({ reason, commands }) => {
    const [first] = commands;
    const last = lastOf(commands);
    return {
      id: newId(),
      fingerprint: first.fingerprint,
      kind: reason,
      transaction_id: first.transactionId,
      agent_id: first.agentId,
      raw_body: shortened(first.rawBody),
      first_at: first.receivedAt,
      last_at: last.receivedAt,
      times: commands.length,
      last_attempt_id: last.attemptId,
      token_sub: first.caller.subject,
      token_jti: first.caller.jti,
    };
  });
  return { table: 'confirm_refusals', rows };
}

/**
 * Counts refusals of a call that was refused before. All of a batch are counted together: if the batch runs again after
 * a COMMIT whose answer was lost, the last counted attempt is one of its own, and nothing is counted twice.
 */
export async function countRefusals(session: Session, { reason, commands }: RefusedCall): Promise<void> {
  const [{ fingerprint }] = commands;
  const last = lastOf(commands);
  await session('confirm_refusals')
    .where({ fingerprint, kind: reason })
    .whereNotIn(
      'last_attempt_id',
      commands.map(({ attemptId }) => attemptId),
    )
    .update({
      times: session.fragment('times + ?', [commands.length]),
      last_at: last.receivedAt,
      last_attempt_id: last.attemptId,
    });
}

function lastOf([first, ...others]: RefusedCall['commands']): ConfirmCommand {
  return others.at(-1) ?? first;
}

/** Returns the beginning of a long body, whole characters only, and the length of all of it. */
function shortened(body: string): string {
  const { read } = new TextEncoder().encodeInto(body, new Uint8Array(RAW_BODY_BYTES_MAX));
  return read === body.length ? body : `${body.slice(0, read)}… (${Buffer.byteLength(body)} bytes)`;
}
