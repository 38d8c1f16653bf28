import type { Instant } from '../../kernel';
import { checkoutLink } from '../checkout/checkout-link';
import type { PaymentStatus, SimPayment } from '../checkout/checkout-state';
import { gatewayTimestamp } from '../core/gateway-timestamp';
import type { SimRequest } from '../core/operation';
import type { Simulation } from '../core/simulation';
import { paymentOf } from './charge-payment';
import type { SimCharge, SimSubscription } from './subscription-state';

type Body = Readonly<Record<string, unknown>>;

/** Builds the body of interface section 2.4. */
export function subscriptionBody(simulation: Simulation, request: SimRequest, subscription: SimSubscription): Body {
  const { terms, status } = subscription;
  const time = (instant: Instant | null): string | null => timestampOrNull(simulation, instant);
  const latest = subscription.charges.at(-1);
  return {
    subscription_id: subscription.subscriptionId,
    status,
    payment_method: 'service',
    amount: terms.amountMillimes,
    currency: 'TND',
    interval: terms.interval,
    interval_count: terms.intervalCount,
    name: terms.name,
    description: terms.description,
    client_id: terms.clientId,
    developer_tracking_id: terms.developerTrackingId,
    is_test: subscription.isTest,
    created_at: time(subscription.createdAt),
    activated_at: time(subscription.activatedAt),
    current_period_start: time(subscription.currentPeriodStart),
    current_period_end: time(subscription.currentPeriodEnd),
    next_charge_at: time(subscription.nextChargeAt),
    cycles_completed: subscription.cyclesCompleted,
    max_cycles: terms.maxCycles,
    cancel_at_period_end: subscription.endsWithPeriodBy !== null,
    canceled_at: time(subscription.canceledAt),
    cancellation_initiator: subscription.cancellationInitiator,
    cancellation_reason: subscription.cancellationReason,
    latest_charge: latest === undefined ? null : chargeBody(simulation, latest),
    ...(status === 'incomplete' && latest !== undefined ? firstCharge(request, latest) : {}),
  };
}

/** Returns the fields that exist only while the first charge can be paid (open point 25). */
function firstCharge(request: SimRequest, { paymentId }: SimCharge): Body {
  return { payment_id: paymentId, checkout_url: checkoutLink(request, paymentId) };
}

/** Builds the body of interface section 2.5. */
export function chargeBody(simulation: Simulation, charge: SimCharge): Body {
  const payment = paymentOf(simulation, charge);
  return {
    payment_id: charge.paymentId,
    status: CHARGE_STATUS[payment.status],
    type: chargeType(payment),
    billing_reason: charge.billingReason,
    attempt: charge.attempt,
    period_start: charge.periodStart,
    period_end: charge.periodEnd,
    amount: payment.amountMillimes,
    // Open point 26: an empty string until they are computed.
    fee: charge.fee?.feeMillimes ?? '',
    tva: charge.fee?.tvaMillimes ?? '',
    created_at: timestampOrNull(simulation, charge.createdAt),
    // Open point 27: also set when the debit failed. An expired session debits nothing.
    paid_at: payment.status === 'EXPIRED' ? null : timestampOrNull(simulation, payment.settledAt),
  };
}

/** A charge has fewer statuses than a payment. */
const CHARGE_STATUS: Readonly<Record<PaymentStatus, 'PENDING' | 'SUCCESS' | 'FAILURE' | 'EXPIRED'>> = {
  PENDING: 'PENDING',
  PREAUTH_SUCCESS: 'PENDING',
  SUCCESS: 'SUCCESS',
  FAILURE: 'FAILURE',
  SYSTEM_FAILURE: 'FAILURE',
  EXPIRED: 'EXPIRED',
};

function chargeType({ status, type }: SimPayment): 'service' | 'card' | 'NA' {
  if (status === 'PENDING' || status === 'EXPIRED' || type === 'NA') return 'NA';
  return type === 'card' ? 'card' : 'service';
}

function timestampOrNull({ calendar }: Simulation, instant: Instant | null): string | null {
  return instant === null ? null : gatewayTimestamp(instant, calendar);
}
