import { assert, type Instant, millimes, negateMillimes } from '../../kernel';
import type { Simulation } from '../core/simulation';
import { earnMoney } from '../payouts/earn-money';
import type { PayoutChannel } from '../payouts/payable-item';
import { localInstant } from '../payouts/payout-dates';
import type { SimPayment } from './checkout-state';

/** Returns the id of the item by which the payment's money is paid out. */
export function paymentItemId({ paymentId }: Pick<SimPayment, 'paymentId'>): string {
  return `payment:${paymentId}`;
}

/** Takes the payment's money from the customer and adds it to the money owed to the merchant. */
export function takeMoney(simulation: Simulation, payment: SimPayment, takenMillimes: number): void {
  const succeededAt = simulation.now();
  const availableAt = payment.type === 'card' ? nextSettlement(simulation) : succeededAt;
  payment.takenMillimes = takenMillimes;
  payment.availableAt = availableAt;
  const amountMillimes = ownPart(payment);
  // Nothing is paid out if other merchants get everything, or for a test application.
  if (amountMillimes === 0 || payment.isTest) return;
  const itemId = paymentItemId(payment);
  earnMoney(simulation, { itemId, channel: channelOf(payment), amountMillimes, succeededAt, availableAt });
}

/**
 * Returns the payment's money to the customer. If a payout already paid it to the merchant, the next payout deducts it.
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

/** Returns the merchant's own part; the other parts of a split go to other merchants. */
function ownPart({ takenMillimes, destination }: SimPayment): ReturnType<typeof millimes> {
  return millimes(destination.reduce((left, { amount }) => left - amount, takenMillimes));
}

/** Returns the channel. A charge of a subscription has its own channel, whatever its payment method. */
function channelOf({ variant, type }: SimPayment): PayoutChannel {
  assert(type !== 'NA', 'money has a method');
  return variant === 'subscription' ? 'subscription' : type;
}

/** Returns when card money settles: on the next working day, T+1 (interface section 3.3). */
function nextSettlement({ now, calendar, workingDays, settings }: Simulation): Instant {
  const day = workingDays.add(calendar.dateOf(now()), 1);
  return localInstant(calendar, day, settings.cardAvailableAt);
}
