import { nextPendingCheck } from '../../../src/attempts';
import { openBreakStore, type ReconBreak } from '../../../src/breaks';
import { type GatewayItem, openItemStore } from '../../../src/gateway-items';
import { millimes, newId } from '../../../src/kernel';
import type { Payment, PaymentObservation } from '../../../src/payments';
import {
  openPaymentObservations,
  openPaymentOperations,
  openPaymentStore,
  type PaymentOperation,
} from '../../../src/payments/testing';
import { aPayment } from '../../support/factories/a-payment';
import type { CollectingScene } from './scene';

const SESSION_MS = 20 * 60_000;
const LINKS = { successLink: 'https://shop.example/paid', failLink: 'https://shop.example/not-paid' };

/** A payment of 50,000 millimes that the simulated gateway has, and we know that it has. */
export async function madePayment(
  { deps, clock }: CollectingScene,
  overrides: Partial<Payment> & { readonly kind?: 'standard' | 'preauthorization' | 'split' } = {},
): Promise<Payment & { readonly gatewayId: string }> {
  const { kind = 'standard', amount = millimes(50_000), terms = {} } = overrides;
  const trackingId = newId();
  const asked = { amountMillimes: amount, developerTrackingId: trackingId, acceptCard: true, ...LINKS };
  const { payments } = deps.gateway;
  const destination = [{ amountMillimes: 20_000, destination: '0123' }];
  const { paymentId, link } =
    kind === 'standard'
      ? await payments.create(asked)
      : kind === 'split'
        ? await payments.createSplit({ ...asked, destination })
        : await payments.preauthorize(asked);
  const now = clock.now();
  const sessionEndsAt = now + SESSION_MS;
  const gatewayId = overrides.gatewayId ?? paymentId;
  const made = aPayment({
    trackingId,
    kind,
    amount,
    ourShare: millimes(kind === 'split' ? amount - 20_000 : amount),
    terms: kind === 'split' ? { destination, ...terms } : terms,
    requestedAt: now,
    link,
    sessionEndsAt,
    nextCheckAt: nextPendingCheck({ startedAt: now, sessionEndsAt }, now),
    ...overrides,
  });
  const payment = { ...made, gatewayId };
  await deps.database.transact((session) => openPaymentStore(session).add([payment]));
  return payment;
}

/** All that is kept of one payment. */
export interface KeptPayment {
  readonly payment: Payment;
  readonly observations: readonly PaymentObservation[];
  readonly operations: readonly PaymentOperation[];
  readonly breaks: readonly ReconBreak[];
  readonly item: GatewayItem | undefined;
}

export async function kept(
  { deps }: CollectingScene,
  { trackingId }: Pick<Payment, 'trackingId'>,
): Promise<KeptPayment> {
  return deps.database.read(async (session) => {
    const payment = await openPaymentStore(session).find(trackingId);
    if (payment === undefined) throw new Error('there is no such payment');
    const { itemId } = payment;
    return {
      payment,
      observations: await openPaymentObservations(session).ofPayment(trackingId),
      operations: await openPaymentOperations(session).ofPayment(trackingId),
      breaks: (await openBreakStore(session).list({ includeResolved: true })).filter(({ subject }) => {
        return subject.facts['trackingId'] === trackingId;
      }),
      item: itemId === undefined ? undefined : await openItemStore(session).find(itemId),
    };
  });
}

/** The customer pays at the simulated gateway, or does not. */
export async function customer(
  { control }: CollectingScene,
  { gatewayId }: { readonly gatewayId: string },
  does: 'pay' | 'fail',
  body: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await control('POST', `/payments/${gatewayId}/${does}`, body);
}
