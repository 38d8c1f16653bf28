import { column, rowCodec, type Session } from '../db';

const SUBSCRIPTION = rowCodec({ trackingId: column.text('tracking_id') });

/** Returns the tracking id of a subscription of the agent that may still be charged, if one exists. */
export async function unendedSubscriptionOf(session: Session, agentId: string): Promise<string | undefined> {
  const query = session('subscriptions as s')
    .select(SUBSCRIPTION.columns('s'))
    .where('s.agent_id', agentId)
    .where((open) => {
      void open.whereNotNull('s.next_look_at').orWhereIn('s.request_state', ['requested', 'sending', 'unknown']);
    })
    .orderBy('s.tracking_id')
    .limit(1);
  return (await SUBSCRIPTION.first(query))?.trackingId;
}
