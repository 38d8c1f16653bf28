import { gatewayTimestamp } from '../core/gateway-timestamp';
import type { Simulation } from '../core/simulation';
import { emitWebhook } from '../webhooks/emit-webhook';
import type { PaymentStatus, PaymentType, SimPayment } from './checkout-state';

/** Whether the webhook says that the customer paid; `undefined` where the interface shows no webhook at all. */
const SUCCEEDED: Readonly<Record<PaymentStatus, boolean | undefined>> = {
  PENDING: undefined,
  SUCCESS: true,
  PREAUTH_SUCCESS: true,
  FAILURE: false,
  EXPIRED: false,
  SYSTEM_FAILURE: undefined,
};

/** The webhooks name the wallet after the service (interface section 6.3; open point 14). */
const METHODS: Readonly<Record<PaymentType, string>> = {
  card: 'card',
  wallet: 'service',
  mpayment: 'mpayment',
  NA: 'NA',
};

/**
 * Notifies the waiting party that a payment ended: the subscription of a charge, which sends its own events, or else the
 * payment's webhook in the version that it was made with.
 */
export function notifyCompleted(simulation: Simulation, payment: SimPayment): void {
  const { paymentId, variant, webhook, webhookVersion } = payment;
  if (variant === 'subscription') {
    simulation.schedule(simulation.now(), 'subscription.charge_settled', { paymentId });
    return;
  }
  const success = SUCCEEDED[payment.status];
  if (webhook === null || success === undefined) return;
  if (webhookVersion === 1) {
    emitWebhook(simulation, { kind: 'payment_v1', url: webhook, paymentId, success });
    return;
  }
  const event = success ? 'payment.succeeded' : 'payment.failed';
  emitWebhook(simulation, { kind: 'payment_v2', url: webhook, event, body: bodyOf(simulation, payment, event) });
}

function bodyOf(
  simulation: Simulation,
  { paymentId, developerTrackingId, amountMillimes, type }: SimPayment,
  event: string,
): Readonly<Record<string, unknown>> {
  return {
    event,
    event_id: simulation.newId('evt_'),
    created: gatewayTimestamp(simulation.now(), simulation.calendar),
    payment_id: paymentId,
    ...(developerTrackingId === null ? {} : { developer_tracking_id: developerTrackingId }),
    amount: amountMillimes,
    currency: 'TND',
    payment_method: METHODS[type],
  };
}
