import { isBeingSent } from '../../attempts';
import type { Instant } from '../../kernel';
import { CHECKOUT_KINDS, isCheckout, type Payment, PAYMENT_KINDS } from '../payment';
import { openPaymentStore, type PaymentChange, type PaymentStore } from '../payment-store';
import type { PaymentsDeps } from '../payments';
import { abandonmentTime } from './checkout-terms';

/** The maximum number of rows per state and run. */
const RESOLVE_BATCH_MAX = 1_000;
const PROCESS_DIED = 'outcome_unknown: its process ended before the answer was stored';

/**
 * Marks requests that a crashed process left in transit as unknown, and abandons sessions of the hosted checkout that
 * can no longer be paid (open point 129). POS, QR and wallet payments get a status check, which resolves them.
 */
export async function resolveStaleRequests(deps: PaymentsDeps): Promise<void> {
  const now = deps.clock.now();
  await changeEach(deps, {
    find: (store) => store.inRequestState('sending', PAYMENT_KINDS, RESOLVE_BATCH_MAX),
    decide: (payment) => interrupted(payment, now),
  });
  await changeEach(deps, {
    find: (store) => store.inRequestState('unknown', CHECKOUT_KINDS, RESOLVE_BATCH_MAX),
    decide: (payment) => abandoned(payment, now),
  });
}

interface StaleRequests {
  find(store: PaymentStore): Promise<Payment[]>;
  /** Returns the change; undefined if none is necessary. */
  decide(payment: Payment): PaymentChange | undefined;
}

/**
 * Changes each payment in a separate transaction. Decides again under the lock, because its answer may have arrived in
 * between.
 */
async function changeEach({ database }: PaymentsDeps, { find, decide }: StaleRequests): Promise<void> {
  const found = await database.read((session) => find(openPaymentStore(session)));
  for (const { trackingId } of found.filter((payment) => decide(payment) !== undefined)) {
    await database.transact(
      async (session) => {
        const store = openPaymentStore(session);
        const payment = await store.lock(trackingId);
        const change = payment && decide(payment);
        if (payment !== undefined && change !== undefined) await store.change(payment, change);
      },
      { retryUnknownOutcome: true },
    );
  }
}

/** Marks a request as unknown if the process that sent it no longer runs. */
function interrupted(payment: Payment, now: Instant): PaymentChange | undefined {
  if (payment.requestState !== 'sending' || isBeingSent(payment, now)) return undefined;
  return {
    requestState: 'unknown',
    requestError: PROCESS_DIED,
    ...(isCheckout(payment.kind) ? {} : { nextCheckAt: now }),
  };
}

function abandoned(payment: Payment, now: Instant): PaymentChange | undefined {
  const from = abandonmentTime(payment);
  if (payment.requestState !== 'unknown' || from === undefined || now < from) return undefined;
  return { requestState: 'abandoned', isLive: false, nextCheckAt: undefined };
}
