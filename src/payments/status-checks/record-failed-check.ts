import { pauseAfterFailuresMs, SHARED_FAULTS } from '../../attempts';
import type { GatewayError } from '../../gateway';
import { assert, type Instant, SECOND_MS } from '../../kernel';
import type { Payment } from '../payment';
import { openPaymentStore } from '../payment-store';
import type { PaymentsDeps, StatusCheckOutcome } from '../payments';

type Later = Extract<StatusCheckOutcome, { kind: 'later' }>;

/** The default spacing of the client; a longer wait does not concern one payment only. */
export const CHECK_SPACING_MS = 30 * SECOND_MS;

/**
 * Stores a status check that the gateway did not answer, and postpones the next one: as long as the gateway or the
 * budget says, and longer after each fault. A payment without further checks stays without them, and a trigger stays.
 *
 * A request to wait is not a fault of the payment, so it does not count as a failed status check.
 */
export async function recordFailedCheck(deps: PaymentsDeps, payment: Payment, error: GatewayError): Promise<Later> {
  const { code, retryAfterMs = code === 'rate_limited' ? CHECK_SPACING_MS : 0 } = error;
  const isBudget = code === 'rate_limited';
  const affectsAll = isBudget
    ? retryAfterMs > CHECK_SPACING_MS || error.httpStatus === 429
    : SHARED_FAULTS.includes(code);
  const waitMs = await planAfterFailure(deps, payment.trackingId, {
    code: isBudget ? undefined : code,
    atLeastMs: retryAfterMs,
  });
  return { kind: 'later', retryAfterMs: waitMs, affectsAll, reason: error.message };
}

/**
 * Counts a failed status check if it has a code, and plans the next one. Returns how long to wait, in milliseconds.
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

/** Postpones a planned status check to `at` or later. */
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
