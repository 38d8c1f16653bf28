import { gatewayTimestamp } from '../core/gateway-timestamp';
import type { Simulation } from '../core/simulation';
import { emitWebhook } from '../webhooks/emit-webhook';
import type { PaymentStatus, PaymentType, SimPayment } from './checkout-state';

/** The `success` value of the webhook; `undefined` for a status for which the interface shows no webhook. */
const SUCCEEDED: Readonly<Record<PaymentStatus, boolean | undefined>> = {
  PENDING: undefined,
  SUCCESS: true,
  PREAUTH_SUCCESS: true,
  FAILURE: false,
  EXPIRED: false,
  SYSTEM_FAILURE: undefined,
};

/** The webhooks' word for a wallet is the name of the service (interface section 6.3; open point 14). */
const METHODS: Readonly<Record<PaymentType, string>> = {
  card: 'card',
  wallet: 'service',
  mpayment: 'mpayment',
  NA: 'NA',
};

/**
 * Reports the end of a payment. A charge goes to its subscription, which sends its own events. Any other payment sends
 * its webhook in the requested version.
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
