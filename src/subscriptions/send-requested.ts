import { queueMaySend, requireGateway, SENDING_MAX_MS, type PaymentsDeps, type QueueResult } from '../payments';
import { claimSubscription, sendSubscription } from './send-subscription';
import { openSubscriptionBook } from './subscription-store';

/** What the gateway takes in a minute (interface section 8). The client counts it over all processes, too. */
const SENT_PER_RUN_MAX = 60;

/**
 * Sends what was requested, what has an unknown outcome, and what a dead process left on its way: one row after the other,
 * each claimed first. The run ends when the gateway takes no more for now, or when an outcome is unknown; the next one begins
 * with one row again, when its wait is over.
 */
export async function sendRequestedSubscriptions(deps: PaymentsDeps, signal?: AbortSignal): Promise<QueueResult> {
  requireGateway(deps);
  const { database, clock, logger, settings } = deps;
  const who = { sentBefore: clock.now() - SENDING_MAX_MS, isTest: settings.isTest };
  const waiting = (await queueMaySend(deps, 'subscriptions'))
    ? await database.read((session) => openSubscriptionBook(session).toSend(who, SENT_PER_RUN_MAX))
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
      logger.warn('no subscription can be made now', { event: 'subscriptions.sending_paused', trackingId, reason });
      break;
    }
    if (result.kind === 'made') count.sent += 1;
    else count[result.kind] += 1;
    if (result.kind !== 'made') {
      const { kind, reason } = result;
      logger.warn('a subscription was not made', { event: `subscriptions.${kind}`, trackingId, reason });
    }
    if (result.kind === 'unknown') break;
  }
  const left = await database.read((session) => openSubscriptionBook(session).countRequested());
  return { ...count, left };
}
