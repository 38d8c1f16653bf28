import { rowsOf, type Session } from '../../db';
import type { Instant } from '../../kernel';
import type { RequestState } from '../payment';
import { CHECKOUT_KINDS } from './checkout-terms';
import { QUEUE_WAIT_MAX_MS, UNANSWERED_COUNTED_MAX, type SentLately } from './queue-resumes-at';

/** The tables whose rows are sent by a queue. */
export type QueueTable = 'payments' | 'subscriptions';

/** A row that was sent and is `requested` was turned away by what says nothing of it: a limit, a ban. */
const UNANSWERED: readonly RequestState[] = ['requested', 'unknown', 'abandoned'];
const ANSWERED: readonly RequestState[] = ['made', 'refused'];

/** Those that were never tried are first: one that is turned away each time must not hold up the others. */
export function queueOrder(alias: string): string {
  const [sentAt, requestedAt] = [`${alias}.sent_at`, `${alias}.requested_at`];
  return `case when ${sentAt} is null then 0 else 1 end, coalesce(${sentAt}, ${requestedAt}), ${alias}.tracking_id`;
}

/** The tracking ids of the hosted checkouts that wait to be sent, in the order in which they are. */
export async function paymentsToSend(session: Session, limit: number): Promise<string[]> {
  const rows = await rowsOf(
    session('payments as p')
      .select('p.tracking_id')
      .where('p.request_state', 'requested')
      .whereIn('p.kind', [...CHECKOUT_KINDS])
      .orderByRaw(queueOrder('p'))
      .limit(limit),
  );
  return rows.map((row) => row['tracking_id'] as string);
}

/** What was sent lately, by the queue or by hand. A time that is still to come was noted before the clock stepped back. */
export async function readSentLately(session: Session, table: QueueTable, now: Instant): Promise<SentLately> {
  const sent = (states: readonly RequestState[]) => {
    const query = session(`${table} as a`).whereIn('a.request_state', [...states]);
    if (table === 'payments') void query.whereIn('a.kind', [...CHECKOUT_KINDS]);
    return query.where('a.sent_at', '<=', now);
  };
  const unanswered = await rowsOf(
    sent(UNANSWERED).select('a.sent_at').orderBy('a.sent_at', 'desc').limit(UNANSWERED_COUNTED_MAX),
  );
  const unansweredAt = unanswered.map((row) => Number(row['sent_at']));
  const [newest] = unansweredAt;
  // Nothing holds the queue up: then the many that were answered need not be read.
  if (newest === undefined || now >= newest + QUEUE_WAIT_MAX_MS) return { unansweredAt: [], answeredAt: undefined };
  const [answered] = await rowsOf(sent(ANSWERED).select('a.sent_at').orderBy('a.sent_at', 'desc').limit(1));
  return { unansweredAt, answeredAt: answered === undefined ? undefined : Number(answered['sent_at']) };
}
