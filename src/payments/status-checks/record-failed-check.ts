import { pauseAfterFailuresMs } from '../../attempts';
import type { GatewayError } from '../../gateway';
import { assert, type Instant } from '../../kernel';
import type { Payment } from '../payment';
import { openPaymentStore } from '../payment-store';
import type { PaymentsDeps, StatusCheckOutcome } from '../payments';

type Later = Extract<StatusCheckOutcome, { kind: 'later' }>;

/** The default spacing of the client: a longer wait is not about one payment. */
export const CHECK_SPACING_MS = 30_000;
/** When an answer that may not be asked for now does not say until when. */
const RETRY_AFTER_DEFAULT_MS = 30_000;

/** Faults that the next payment would meet just as well. */
const AFFECTING_ALL: ReadonlySet<string> = new Set(['connection', 'authentication', 'permission']);

/**
 * Notes a status check that the gateway did not answer, and moves the next one away: for as long as the gateway or the
 * budget says, and after faults longer each time. A payment that is not followed any more stays so, and a trigger is
 * kept.
 *
 * Being asked to wait is no fault of the payment: it is not counted as a failed status check.
 */
export async function recordFailedCheck(deps: PaymentsDeps, payment: Payment, error: GatewayError): Promise<Later> {
  const { code, retryAfterMs = code === 'rate_limited' ? RETRY_AFTER_DEFAULT_MS : 0 } = error;
  const isBudget = code === 'rate_limited';
  const affectsAll = isBudget ? retryAfterMs > CHECK_SPACING_MS || error.httpStatus === 429 : AFFECTING_ALL.has(code);
  const waitMs = await planAfterFailure(deps, payment.trackingId, {
    code: isBudget ? undefined : code,
    atLeastMs: retryAfterMs,
  });
  return { kind: 'later', retryAfterMs: waitMs, affectsAll, reason: error.message };
}

/**
 * Counts a failed status check when it has a code, and plans the next one. Gives how long that is away, in
 * milliseconds.
 *
 * @throws AppError as `Database.transact` does.
 */
export async function planAfterFailure(
  { database, clock }: PaymentsDeps,
  trackingId: string,
  { code, atLeastMs }: { readonly code: string | undefined; readonly atLeastMs: number },
): Promise<number> {
  return database.transact(
    async (session) => {
      const store = openPaymentStore(session);
      const payment = await store.lock(trackingId);
      assert(payment !== undefined, 'a checked payment exists');
      const failedChecks = payment.failedChecks + (code === undefined ? 0 : 1);
      const waitMs = Math.max(atLeastMs, code === undefined ? 0 : pauseAfterFailuresMs(failedChecks));
      const noted = code === undefined ? {} : { failedChecks, lastCheckError: code };
      await store.change(payment, { ...noted, ...notBefore(payment, clock.now() + waitMs) });
      return waitMs;
    },
    { retryUnknownOutcome: true },
  );
}

/** Moves a planned status check away, to `at` at the earliest. */
export async function postponeCheck({ database }: PaymentsDeps, trackingId: string, at: Instant): Promise<void> {
  await database.transact(
    async (session) => {
      const store = openPaymentStore(session);
      const payment = await store.lock(trackingId);
      assert(payment !== undefined, 'a checked payment exists');
      const change = notBefore(payment, at);
      if (change.nextCheckAt !== payment.nextCheckAt) await store.change(payment, change);
    },
    { retryUnknownOutcome: true },
  );
}

function notBefore({ nextCheckAt }: Payment, at: Instant): { readonly nextCheckAt: Instant | undefined } {
  return { nextCheckAt: nextCheckAt === undefined ? undefined : Math.max(nextCheckAt, at) };
}
