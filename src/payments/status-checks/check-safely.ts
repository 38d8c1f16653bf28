import { isAppError, type AppErrorCode, type Instant } from '../../kernel';
import { checkPaymentStatus } from './check-payment';
import { planAfterFailure } from './record-failed-check';
import type { StatusCheckOutcome, PaymentsDeps } from '../payments';

/** Faults of ours that no other payment would escape. */
const STOPPING: readonly AppErrorCode[] = ['unavailable', 'storage_broken', 'interrupted', 'misconfigured'];

/**
 * A status check of a run over many payments: one that we cannot digest is logged and left for later, so that it does
 * not keep the others waiting.
 *
 * @throws AppError for what would meet every payment.
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
    return { kind: 'later', retryAfterMs: waitMs, everybody: false, reason: 'our own fault' };
  }
}
