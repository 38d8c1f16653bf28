import { openBreakStore } from '../../breaks';
import type { Payment } from '../payment';
import { openPaymentOperations } from '../payment-operation-store';
import { openPaymentStore, type PaymentStore } from '../payment-store';
import type { PaymentsDeps, PaymentWebhookEvent, WebhookEventOutcome } from '../payments';
import { decideWebhookEvent } from './decide-webhook-event';

/** The actor of breaks that a webhook opens. */
const WEBHOOK_ACTOR = 'webhook';

/**
 * Applies a signed webhook to its payment. It attaches a session whose answer was lost, stores when the payment
 * succeeded, opens a break for a difference, and schedules a status check. It never changes the status. The same events
 * lead to the same state in any order and any number.
 */
export async function applyWebhookEvent(
  { database, clock, calendar }: PaymentsDeps,
  event: PaymentWebhookEvent,
): Promise<WebhookEventOutcome> {
  return database.transact<WebhookEventOutcome>(
    async (session) => {
      const store = openPaymentStore(session);
      const found = await findPayment(store, event);
      const payment = found && (await store.lock(found.trackingId));
      if (payment === undefined) return { kind: 'unknown_payment' };
      const { trackingId, reference } = payment;
      const now = clock.now();
      const rival = reference === undefined || payment.isLive ? undefined : await store.live(reference);
      const { change, breaks } = decideWebhookEvent(
        {
          payment,
          operations: await openPaymentOperations(session).ofPayment(trackingId),
          isReferenceFree: reference !== undefined && rival === undefined,
          since: calendar.dateOf(event.receivedAt),
          now,
        },
        event,
      );
      await openBreakStore(session).openNew(breaks, now, WEBHOOK_ACTOR);
      if (Object.keys(change).length > 0) await store.change(payment, change);
      return { kind: 'known', trackingId, mismatch: breaks.length > 0 };
    },
    { retryDuplicate: true, retryUnknownOutcome: true },
  );
}

/**
 * Finds the payment by the gateway's id first, so that other fields of the message cannot change whose payment it is.
 */
async function findPayment(
  store: PaymentStore,
  { gatewayId, trackingId }: PaymentWebhookEvent,
): Promise<Payment | undefined> {
  const byGatewayId = gatewayId === undefined ? undefined : await store.byGatewayId(gatewayId);
  if (byGatewayId !== undefined || trackingId === undefined) return byGatewayId;
  return store.find(trackingId);
}
