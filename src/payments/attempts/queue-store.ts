import { rowsOf, type Session } from '../../db';
import { CHECKOUT_KINDS } from './checkout-terms';

/** The tables whose rows are sent by a queue. */
export type QueueTable = 'payments' | 'subscriptions';

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
