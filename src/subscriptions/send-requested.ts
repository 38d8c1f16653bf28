import {
  type CollectingDeps,
  queueMaySend,
  type QueueResult,
  requireGateway,
  SENDING_MAX_MS,
  UNKNOWN_FOLLOWED_MS,
} from '../attempts';
import { openUnresolvedBreaks } from './open-unresolved-breaks';
import { claimSubscription, sendSubscription } from './send-subscription';
import { openSubscriptionStore } from './subscription-store';

/** The gateway's limit per minute (interface section 8). The client also counts it over all processes. */
const SENT_PER_RUN_MAX = 60;

/**
 * Sends requested subscriptions, those of unknown outcome, and those that a crashed process left in transit, one after
 * the other, each claimed first. The run ends when the gateway accepts no more for now, or when an outcome is unknown.
 * After the wait, the next run starts with one row. After five days an unknown subscription is left to manual review.
 */
export async function sendRequestedSubscriptions(deps: CollectingDeps, signal?: AbortSignal): Promise<QueueResult> {
  requireGateway(deps);
  const { database, clock, logger, settings } = deps;
  const now = clock.now();
  const unknownAfter = now - UNKNOWN_FOLLOWED_MS;
  const who = { sentBefore: now - SENDING_MAX_MS, unknownAfter, isTest: settings.isTest };
  await openUnresolvedBreaks(deps, unknownAfter);
  const waiting = (await queueMaySend(deps, 'subscriptions'))
    ? await database.read((session) => openSubscriptionStore(session).toSend(who, SENT_PER_RUN_MAX))
    : [];
  const count = { sent: 0, refused: 0, unknown: 0 };
  for (const each of waiting) {
    if (signal?.aborted === true) break;
    const claimed = await claimSubscription(deps, each);
    if (claimed === undefined) continue;
    const result = await sendSubscription(deps, claimed, { keepsQueue: true });
    const { trackingId } = result.subscription;
    if (result.kind === 'later') {
      const { reason } = result;
      logger.warn('subscription queue paused', { event: 'subscriptions.sending_paused', trackingId, reason });
      break;
    }
    if (result.kind === 'made') count.sent += 1;
    else count[result.kind] += 1;
    if (result.kind !== 'made') {
      const { kind, reason } = result;
      logger.warn('subscription not created', { event: `subscriptions.${kind}`, trackingId, reason });
    }
    if (result.kind === 'unknown') break;
  }
  const left = await database.read((session) => openSubscriptionStore(session).countRequested());
  return { ...count, left };
}
