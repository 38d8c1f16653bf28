import { assert, type Instant, millimes, negateMillimes } from '../../kernel';
import type { Simulation } from '../core/simulation';
import { earnMoney } from '../payouts/earn-money';
import type { PayoutChannel } from '../payouts/payable-item';
import { localInstant } from '../payouts/payout-dates';
import type { SimPayment } from './checkout-state';

/** The name under which the money of a payment is paid out. */
export function paymentItemId({ paymentId }: Pick<SimPayment, 'paymentId'>): string {
  return `payment:${paymentId}`;
}

/** The money of a payment is taken from the customer, and owed to the merchant. */
export function takeMoney(simulation: Simulation, payment: SimPayment, takenMillimes: number): void {
  const succeededAt = simulation.now();
  const availableAt = payment.type === 'card' ? nextSettlement(simulation) : succeededAt;
  payment.takenMillimes = takenMillimes;
  payment.availableAt = availableAt;
  const amountMillimes = ownPart(payment);
  // Where everything went to others there is nothing to pay out, and a test application moves no money.
  if (amountMillimes === 0 || payment.isTest) return;
  const itemId = paymentItemId(payment);
  earnMoney(simulation, { itemId, channel: channelOf(payment), amountMillimes, succeededAt, availableAt });
}

/**
 * The money of a payment goes back to the customer: the next payout takes it from the merchant, if one ever paid it out.
 */
export function giveMoneyBack(simulation: Simulation, payment: SimPayment, refundId: string): void {
  if (payment.isTest) return;
  const now = simulation.now();
  earnMoney(simulation, {
    itemId: `refund:${refundId}`,
    channel: channelOf(payment),
    amountMillimes: negateMillimes(ownPart(payment)),
    succeededAt: now,
    availableAt: now,
    refundOf: paymentItemId(payment),
  });
}

/** The parts of a split go to other merchants; what is left is the merchant's own. */
function ownPart({ takenMillimes, destination }: SimPayment): ReturnType<typeof millimes> {
  return millimes(destination.reduce((left, { amount }) => left - amount, takenMillimes));
}

/** A charge is a channel of its own, whatever it was paid with. */
function channelOf({ variant, type }: SimPayment): PayoutChannel {
  assert(type !== 'NA', 'money has a method');
  return variant === 'subscription' ? 'subscription' : type;
}

/** T+1: the settlement of card money on the next working day (interface section 3.3). */
function nextSettlement({ now, calendar, workingDays, settings }: Simulation): Instant {
  const day = workingDays.add(calendar.dateOf(now()), 1);
  return localInstant(calendar, day, settings.cardAvailableAt);
}
