import { noteForQueue, queueMaySend, type QueueResult, requireGateway } from '../../attempts';
import type { Payment } from '../payment';
import { openPaymentStore } from '../payment-store';
import type { PaymentsDeps } from '../payments';
import { isEverybodysFault, sendCheckout, type SentOutcome, signOf, storeOutcome } from './send-checkout';

/** The rows of one run; the job runs each minute. */
const SEND_BATCH_MAX = 60;

/**
 * Sends requested payments, oldest first, one after the other, at most one minute's worth. It claims each before
 * sending it, so that two processes never send the same one. A connection or credential fault, or a call without an
 * outcome, ends the run. The next one begins with a single row when its wait has ended (`queue-wait.ts`).
 *
 * @throws AppError `misconfigured` without a credential; and as `Database.transact` does.
 */
export async function sendRequestedPayments(deps: PaymentsDeps, signal?: AbortSignal): Promise<QueueResult> {
  const gateway = requireGateway(deps);
  const waiting = (await queueMaySend(deps, 'payments'))
    ? await deps.database.read((session) => openPaymentStore(session).toSend(SEND_BATCH_MAX))
    : [];
  const counts = { sent: 0, refused: 0, unknown: 0 };
  for (const { trackingId } of waiting) {
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
      // A request of unknown outcome is never repeated, so the run stops before the next rows become unknown as well.
      deps.logger.warn('payment queue paused', { event: 'payments.queue_waits', reason });
      break;
    }
  }
  const left = await deps.database.read((session) => openPaymentStore(session).countInRequestState('requested'));
  return { ...counts, left };
}

/**
 * Claims a payment. Undefined when another process has it. A lost COMMIT is not repeated, because the owner of the
 * claim would be unknown.
 */
async function claim({ database, clock, settings }: PaymentsDeps, trackingId: string): Promise<Payment | undefined> {
  return database.transact(async (session) => {
    const store = openPaymentStore(session);
    const payment = await store.lock(trackingId);
    if (payment?.requestState !== 'requested') return undefined;
    // The plan may have used another credential; the sending credential decides whether it is test money.
    const { isTest } = settings;
    const change = { requestState: 'sending', sentAt: clock.now(), requestError: undefined, isTest } as const;
    await store.change(payment, change);
    return { ...payment, ...change };
  });
}

/** Returns a payment to the queue. Returns false when another process has found its outcome. */
async function putBack(
  { database }: PaymentsDeps,
  trackingId: string,
  { code, reason }: Extract<SentOutcome, { kind: 'refused' }>,
): Promise<boolean> {
  return database.transact(
    async (session) => {
      const store = openPaymentStore(session);
      const payment = await store.lock(trackingId);
      // Done by this run's own first COMMIT, whose answer was lost.
      if (payment?.requestState === 'requested') return true;
      if (payment?.requestState !== 'sending') return false;
      // A row that was never sent keeps its position. Any other keeps its sending time, which puts it behind untried
      // rows.
      const { sentAt } = code === 'connection' ? { sentAt: undefined } : payment;
      await store.change(payment, { requestState: 'requested', requestError: reason, sentAt });
      return true;
    },
    { retryUnknownOutcome: true },
  );
}
