import { assert } from '../../kernel';
import type { SimPayment } from '../checkout/checkout-state';
import { expirePayment } from '../checkout/complete-payment';
import { createPayment, type NewPayment } from '../checkout/create-payment';
import { findPayment } from '../checkout/find-payment';
import type { Simulation } from '../core/simulation';
import type { SimCharge, SimSubscription } from './subscription-state';

/** Longer than any debit takes. A debit has no checkout session that could expire. */
const DEBIT_SESSION_SECS = 3_600;

/** Creates the first charge, which the customer pays on the checkout page. */
export function openFirstCharge(simulation: Simulation, subscription: SimSubscription): SimCharge {
  return addCharge(
    simulation,
    subscription,
    {
      billingReason: 'subscription_create',
      attempt: 0,
      period: 0,
      // Open point 28: it begins on the day of the creation and has no end.
      periodStart: simulation.calendar.dateOf(simulation.now()),
      periodEnd: null,
    },
    { sessionTimeoutSecs: subscription.terms.sessionTimeoutSecs, payer: 'customer' },
  );
}

/** Creates a charge that is debited without the customer. */
export function openDebit(
  simulation: Simulation,
  subscription: SimSubscription,
  charge: Omit<SimCharge, 'paymentId' | 'createdAt' | 'movedBy' | 'fee'>,
): SimCharge {
  return addCharge(simulation, subscription, charge, { sessionTimeoutSecs: DEBIT_SESSION_SECS, payer: 'none' });
}

export function paymentOf(simulation: Simulation, { paymentId }: Pick<SimCharge, 'paymentId'>): SimPayment {
  const payment = findPayment(simulation, paymentId);
  assert(payment !== undefined, `charge ${paymentId} has no payment`);
  return payment;
}

export function isInFlight(simulation: Simulation, charge: SimCharge): boolean {
  return paymentOf(simulation, charge).status === 'PENDING';
}

/** Ends the session of a charge that may no longer be paid. */
export function closeCheckout(simulation: Simulation, { paymentId }: SimCharge): void {
  expirePayment(simulation, paymentId);
}

function addCharge(
  simulation: Simulation,
  subscription: SimSubscription,
  charge: Omit<SimCharge, 'paymentId' | 'createdAt' | 'movedBy' | 'fee'>,
  session: Pick<NewPayment, 'sessionTimeoutSecs' | 'payer'>,
): SimCharge {
  const { subscriptionId, terms, isTest } = subscription;
  const { paymentId } = createPayment(simulation, {
    variant: 'subscription',
    amountMillimes: terms.amountMillimes,
    successLink: terms.successLink,
    failLink: terms.failLink,
    // Charges send no webhooks of their own; the subscription sends its events.
    webhook: null,
    webhookVersion: 2,
    developerTrackingId: terms.developerTrackingId,
    acceptCard: terms.acceptCard,
    clientId: terms.clientId,
    imageUrl: null,
    destination: [],
    subscriptionId,
    isTest,
    ...session,
  });
  const added: SimCharge = { ...charge, paymentId, createdAt: simulation.now(), movedBy: null, fee: null };
  subscription.charges.push(added);
  simulation.world.subscriptions.idOfPayment[paymentId] = subscriptionId;
  return added;
}
