import { type AppErrorCode, type Instant, isAppError } from '../../kernel';
import type { PaymentsDeps, StatusCheckOutcome } from '../payments';
import { checkPaymentStatus } from './check-payment';
import { planAfterFailure } from './record-failed-check';

/** Faults that every other payment would meet. */
const STOPPING: readonly AppErrorCode[] = ['unavailable', 'storage_broken', 'interrupted', 'misconfigured'];

/**
 * Checks one of many payments. A check that fails by a bug is logged and postponed, so that it does not delay the
 * others.
 *
 * @throws AppError for a fault that every payment would meet.
 */
export async function checkSafely(
  deps: PaymentsDeps,
  trackingId: string,
  options: { readonly notBefore?: Instant } = {},
): Promise<StatusCheckOutcome> {
  try {
    return await checkPaymentStatus(deps, trackingId, options);
  } catch (error) {
    if (isAppError(error, ...STOPPING)) throw error;
    deps.logger.error('status check of a payment failed', { event: 'payments.look_failed', trackingId, error });
    const waitMs = await planAfterFailure(deps, trackingId, { code: 'internal', atLeastMs: 0 });
    return { kind: 'later', retryAfterMs: waitMs, affectsAll: false, reason: 'internal error' };
  }
}
