import { rowCodec, type Session } from '../../db';
import { ATTEMPT_FIELDS } from './attempt-codec';
import { CHECKOUT_KINDS } from './checkout-terms';

const KEY = rowCodec({ trackingId: ATTEMPT_FIELDS.trackingId });

/** The tables whose rows a queue sends. */
export type QueueTable = 'payments' | 'subscriptions';

/** The SQL of the sending order: rows never tried first, so that a row that fails each time does not delay the others. */
export function queueOrder(alias: string): string {
  const [sentAt, requestedAt] = [`${alias}.sent_at`, `${alias}.requested_at`];
  return `case when ${sentAt} is null then 0 else 1 end, coalesce(${sentAt}, ${requestedAt}), ${alias}.tracking_id`;
}

/** Returns the tracking ids of the hosted checkouts that wait to be sent, in their sending order. */
export async function paymentsToSend(session: Session, limit: number): Promise<string[]> {
  const found = await KEY.all(
    session('payments as p')
      .select(KEY.columns('p'))
      .where('p.request_state', 'requested')
      .whereIn('p.kind', [...CHECKOUT_KINDS])
      .orderByRaw(queueOrder('p'))
      .limit(limit),
  );
  return found.map(({ trackingId }) => trackingId);
}
