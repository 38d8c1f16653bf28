import { SECOND_MS } from '../../kernel';
import type { Simulation } from '../core/simulation';
import { clientKey, type SimPayment } from './checkout-state';
import { savedTypeOf } from './client-bindings';
import { planPayer } from './plan-payer';

export interface NewPayment extends Pick<
  SimPayment,
  | 'variant'
  | 'amountMillimes'
  | 'successLink'
  | 'failLink'
  | 'webhook'
  | 'webhookVersion'
  | 'developerTrackingId'
  | 'acceptCard'
  | 'clientId'
  | 'imageUrl'
  | 'destination'
> {
  readonly sessionTimeoutSecs: number;
  /** The subscription whose charge this is. */
  readonly subscriptionId?: string;
  /** A charge takes it from its subscription, any other payment from the current setting. */
  readonly isTest?: boolean;
  /** `none` for a debit without a customer, such as a renewal, which its creator completes. Default `customer`. */
  readonly payer?: 'customer' | 'none';
}

/** Creates a pending payment, and plans its expiry and the actions of an automatic customer. */
export function createPayment(simulation: Simulation, input: NewPayment): SimPayment {
  const { isTest = simulation.settings.isTest } = input;
  const { sessionTimeoutSecs, subscriptionId = null, payer = 'customer', ...given } = input;
  const { checkout } = simulation.world;
  const createdAt = simulation.now();
  const payment: SimPayment = {
    ...given,
    paymentId: simulation.newId('pay_'),
    subscriptionId,
    isTest,
    createdAt,
    expiresAt: createdAt + sessionTimeoutSecs * SECOND_MS,
    status: 'PENDING',
    type: 'NA',
    settledAt: null,
    availableAt: null,
    hold: 'none',
    takenMillimes: 0,
    refund: null,
    bindingId: null,
  };
  const { paymentId, variant, amountMillimes, clientId } = payment;
  checkout.payments[paymentId] = payment;
  if (variant === 'binding' && clientId !== null) checkout.bindingIdsOfClients[clientKey(clientId)] ??= [];
  simulation.record('payment.created', { paymentId, variant, amountMillimes });
  // Planned before the customer's events: at the same instant the session expires first.
  simulation.schedule(payment.expiresAt, 'payment.expire', { paymentId });
  if (payer === 'customer') schedulePayer(simulation, payment);
  return payment;
}

function schedulePayer(simulation: Simulation, payment: SimPayment): void {
  const { settings, random, world } = simulation;
  // A subscription always debits the wallet that paid its first charge.
  const savedType = payment.variant === 'subscription' ? 'wallet' : savedTypeOf(world.checkout, payment);
  const facts = { ...payment, savedType };
  for (const { afterSecs, late, ...step } of planPayer(facts, settings, random.fork(`payer:${payment.paymentId}`))) {
    const at = payment.createdAt + afterSecs * SECOND_MS;
    simulation.schedule(at, 'payment.payer', { paymentId: payment.paymentId, ...step, late: late ? 1 : 0 });
  }
}
