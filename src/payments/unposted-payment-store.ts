import { unsettledAttempt } from '../attempts';
import type { Session } from '../db';

/** Returns the tracking id of a payment of the agent that may still bring money, if one exists. */
export function unpostedPaymentOf(session: Session, agentId: string): Promise<string | undefined> {
  return unsettledAttempt(session('payments as p').where('p.agent_id', agentId).whereNull('p.item_id'), 'p');
}
