import { ATTEMPT_FIELDS, queueOrder } from '../../attempts';
import { rowCodec, type Session } from '../../db';
import { CHECKOUT_KINDS } from '../payment';

const KEY = rowCodec({ trackingId: ATTEMPT_FIELDS.trackingId });

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
