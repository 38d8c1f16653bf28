import { column, rowCodec, type Session } from '../db';

const PAYMENT = rowCodec({ trackingId: column.text('tracking_id') });

/** Returns the tracking id of a payment of the agent that may still bring money, if one exists. */
export async function unpostedPaymentOf(session: Session, agentId: string): Promise<string | undefined> {
  const query = session('payments as p')
    .select(PAYMENT.columns('p'))
    .where('p.agent_id', agentId)
    .whereNull('p.item_id')
    .where((open) => {
      void open.whereNotNull('p.next_look_at').orWhereIn('p.request_state', ['requested', 'sending', 'unknown']);
    })
    .orderBy('p.tracking_id')
    .limit(1);
  return (await PAYMENT.first(query))?.trackingId;
}
