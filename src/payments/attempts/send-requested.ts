import type { Payment } from '../payment';
import { openPaymentStore } from '../payment-store';
import type { PaymentsDeps, QueueResult } from '../payments';
import { queueMaySend } from './queue-may-send';
import { paymentsToSend } from './queue-store';
import { noteForQueue } from './queue-wait-record';
import { requireGateway } from '../require-gateway';
import { isEverybodysFault, sendCheckout, signOf, storeOutcome, type SentOutcome } from './send-checkout';

/** What one run sends: the job runs each minute. */
const SEND_BATCH_MAX = 60;

/**
 * Sends what was requested, the oldest first, one after the other, at most a minute's worth. Each is claimed before it
 * is sent, so that two processes never send the same one. A fault of the way or of our credential, or a call without an
 * outcome, leaves the rest for later: the next run begins with one row again, when its wait is over (`queue-wait.ts`).
 *
 * @throws AppError `misconfigured` when there is no credential; and as `Database.transact` does.
 */
export async function sendRequestedPayments(deps: PaymentsDeps, signal?: AbortSignal): Promise<QueueResult> {
  const gateway = requireGateway(deps);
  const waiting = (await queueMaySend(deps, 'payments'))
    ? await deps.database.read((session) => paymentsToSend(session, SEND_BATCH_MAX))
    : [];
  const counts = { sent: 0, refused: 0, unknown: 0 };
  for (const trackingId of waiting) {
    if (signal?.aborted === true) break;
    const claimed = await claim(deps, trackingId);
    if (claimed === undefined) continue;
    const outcome = await sendCheckout(gateway, claimed);
    if (isEverybodysFault(outcome) && (await putBack(deps, trackingId, outcome))) {
      deps.logger.warn('payment queue paused', { event: 'payments.queue_waits', reason: outcome.reason });
      await noteForQueue(deps, 'payments', signOf(outcome));
      break;
    }
    const { requestState, requestError: reason } = await storeOutcome(deps, trackingId, outcome);
    if (requestState === 'made') counts.sent += 1;
    else if (requestState === 'refused') counts.refused += 1;
    else {
      counts.unknown += 1;
      // Nothing unknown is sent again: the next ones must not be lost with it.
      deps.logger.warn('payment queue paused', { event: 'payments.queue_waits', reason });
      break;
    }
  }
  const left = await deps.database.read((session) => openPaymentStore(session).countInRequestState('requested'));
  return { ...counts, left };
}

/** Undefined when somebody else has it. Not run again after a lost COMMIT: nobody could tell whose claim it is then. */
async function claim({ database, clock, settings }: PaymentsDeps, trackingId: string): Promise<Payment | undefined> {
  return database.transact(async (session) => {
    const store = openPaymentStore(session);
    const payment = await store.lock(trackingId);
    if (payment?.requestState !== 'requested') return undefined;
    // It may have been planned with another credential: whose money it is, the one that sends it decides.
    const { isTest } = settings;
    const change = { requestState: 'sending', sentAt: clock.now(), requestError: undefined, isTest } as const;
    await store.change(payment, change);
    return { ...payment, ...change };
  });
}

/** False when something else was found out about it meanwhile. */
async function putBack(
  { database }: PaymentsDeps,
  trackingId: string,
  { code, reason }: Extract<SentOutcome, { kind: 'refused' }>,
): Promise<boolean> {
  return database.transact(
    async (session) => {
      const store = openPaymentStore(session);
      const payment = await store.lock(trackingId);
      // Of this run's own first COMMIT, whose answer was lost.
      if (payment?.requestState === 'requested') return true;
      if (payment?.requestState !== 'sending') return false;
      // What never left keeps its place. The rest keeps its time, and goes behind what was not tried.
      const { sentAt } = code === 'connection' ? { sentAt: undefined } : payment;
      await store.change(payment, { requestState: 'requested', requestError: reason, sentAt });
      return true;
    },
    { retryUnknownOutcome: true },
  );
}
