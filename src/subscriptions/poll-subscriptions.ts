import { type CollectingDeps, type PollResult, requireGateway } from '../attempts';
import { AppError, type AppErrorCode, isAppError } from '../kernel';
import { checkSubscriptionStatus } from './check-subscription';
import { recordFailedCheck } from './record-failed-check';
import { openSubscriptionStore } from './subscription-store';

const CHECKS_PER_RUN_MAX = 200;
/** After this many consecutive failures with a shared cause, the gateway counts as down and the run ends. */
const OUTAGE_AFTER_FAILURES = 3;
/** Millime's own faults. The next status check would meet them too, so the run ends. */
const OURS: readonly AppErrorCode[] = ['unavailable', 'storage_broken', 'misconfigured', 'outcome_unknown'];

/**
 * Checks due subscriptions: triggered ones first, then those that have been due the longest. While the gateway is down,
 * a run ends after three checks, so that no burst follows its recovery.
 */
export async function pollSubscriptions(deps: CollectingDeps, signal?: AbortSignal): Promise<PollResult> {
  requireGateway(deps);
  const { database, clock, logger } = deps;
  const due = await database.read((session) =>
    openSubscriptionStore(session).dueForCheck(clock.now(), CHECKS_PER_RUN_MAX),
  );
  let checked = 0;
  let failed = 0;
  let failedInARow = 0;
  for (const { trackingId } of due) {
    if (signal?.aborted === true) break;
    const outcome = await checkOrRecord(deps, trackingId);
    if (outcome.kind !== 'later') {
      checked += 1;
      failedInARow = 0;
      continue;
    }
    failed += 1;
    failedInARow = outcome.affectsAll === true ? failedInARow + 1 : 0;
    const { reason } = outcome;
    logger.warn('status check of a subscription not answered', {
      event: 'subscriptions.look_failed',
      trackingId,
      reason,
    });
    if (failedInARow >= OUTAGE_AFTER_FAILURES) break;
  }
  const left = await database.read((session) => openSubscriptionStore(session).countDueForCheck(clock.now()));
  return { checked, failed, left };
}

/**
 * Checks a subscription. A check that fails by a bug is stored as failed, so that it does not block the others in every
 * run.
 */
async function checkOrRecord(deps: CollectingDeps, trackingId: string): ReturnType<typeof checkSubscriptionStatus> {
  const beganAt = deps.clock.now();
  try {
    return await checkSubscriptionStatus(deps, trackingId);
  } catch (error) {
    if (isAppError(error, ...OURS)) throw error;
    deps.logger.error('status check of a subscription failed', {
      event: 'subscriptions.look_broke',
      trackingId,
      error,
    });
    const message = error instanceof AppError ? error.message : 'internal error';
    return recordFailedCheck(deps, trackingId, { fault: { code: 'internal', message }, beganAt });
  }
}
