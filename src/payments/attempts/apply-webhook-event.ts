import { openBreakStore } from '../../breaks';
import type { Payment } from '../payment';
import { openPaymentOperations } from '../payment-operation-store';
import { openPaymentStore, type PaymentStore } from '../payment-store';
import type { PaymentsDeps, PaymentWebhookEvent, WebhookEventOutcome } from '../payments';
import { decideWebhookEvent } from './decide-webhook-event';

/** Who opens breaks for what a webhook says. */
const WEBHOOK_ACTOR = 'webhook';

/**
 * Takes what a signed webhook says of a payment: it attaches a session whose answer was lost, notes when the payment
 * succeeded, opens a break for what differs from ours, and schedules a status check of the payment. It never changes
 * the status. The same events in any order, however often, lead to the same state.
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

/** The gateway's id comes first: whose payment it is does not depend on what else the message says. */
async function findPayment(
  store: PaymentStore,
  { gatewayId, trackingId }: PaymentWebhookEvent,
): Promise<Payment | undefined> {
  const byGatewayId = gatewayId === undefined ? undefined : await store.byGatewayId(gatewayId);
  if (byGatewayId !== undefined || trackingId === undefined) return byGatewayId;
  return store.find(trackingId);
}
