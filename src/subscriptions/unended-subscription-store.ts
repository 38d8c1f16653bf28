import { unsettledAttempt } from '../attempts';
import type { Session } from '../db';

/** Returns the tracking id of a subscription of the agent that may still be charged, if one exists. */
export function unendedSubscriptionOf(session: Session, agentId: string): Promise<string | undefined> {
  return unsettledAttempt(session('subscriptions as s').where('s.agent_id', agentId), 's');
}
