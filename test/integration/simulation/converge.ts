import { expect } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '../../../src/kernel';
import type { Payment, Payments } from '../../../src/payments';
import { listDeliveries, type SimPayment } from '../../../src/simulator/testing';
import type { Gateway } from './gateway';
import type { ProcessRooms } from './process';

/** Longer than a retry of the gateway, than a session, than every pause between two checks. */
const WAITS_MS = [5 * MINUTE_MS, 40 * MINUTE_MS, 2 * HOUR_MS, 27 * HOUR_MS, 27 * HOUR_MS];

/**
 * Lets time pass in peace until Millime knows of every payment what the gateway knows, and asserts that it does. A
 * payment that no answer and no webhook ever named is unknown to Millime, and the bank statement alone shows its money.
 */
export async function converge(
  gateway: Gateway,
  { payments, webhooks }: ProcessRooms,
  pass: (ms: number) => Promise<void>,
): Promise<void> {
  if (gateway.payments.length === 0) return;
  for (const ms of WAITS_MS) {
    await pass(ms);
    await payments.sendRequested();
    await webhooks.processInbox();
    await payments.poll();
  }
  const ours = new Map((await payments.list({ limit: 1_000 })).map((payment) => [payment.gatewayId, payment]));
  const named = gateway.payments.filter((payment) => ours.has(payment.paymentId) || wasTold(gateway, payment));
  expect(named.map(({ paymentId }) => [paymentId, ours.get(paymentId)?.status])).toEqual(
    named.map(({ paymentId, status }) => [paymentId, status]),
  );
  for (const { paymentId, refund } of named) await expectMoney(gateway, paymentId, refund !== null, { payments, ours });
  const deliveries = listDeliveries(gateway.simulation);
  expect(deliveries.filter(({ signatureVerdict }) => signatureVerdict === 'accepted_wrongly')).toEqual([]);
  expect(new Set(gateway.payments.map(({ developerTrackingId }) => developerTrackingId)).size).toBe(
    gateway.payments.length,
  );
}

/** Whether a signed webhook about the payment was taken. */
function wasTold({ simulation: { world } }: Gateway, { paymentId }: SimPayment): boolean {
  return Object.values(world.webhooks.deliveries).some(
    ({ message, status, faults }) =>
      status === 'delivered' &&
      !faults.some(({ kind }) => kind === 'unknown_event') &&
      (message.kind === 'payment_v1' ? message.paymentId : 'body' in message ? message.body['payment_id'] : '') ===
        paymentId,
  );
}

/**
 * The money of a payment is posted exactly if the gateway has it. A refund of unknown outcome may be open for days, and
 * never counts as refused.
 */
async function expectMoney(
  { simulation: { world } }: Gateway,
  paymentId: string,
  isRefunded: boolean,
  { payments, ours }: { readonly payments: Payments; readonly ours: ReadonlyMap<string | undefined, Payment> },
): Promise<void> {
  const payment = ours.get(paymentId);
  const itemId = `payment:${paymentId}`;
  const isEarned = world.earned.some((item) => item.itemId === itemId);
  expect([paymentId, payment?.itemId]).toEqual([paymentId, isEarned ? itemId : undefined]);
  if (!isRefunded || payment === undefined) return;
  const { operations } = await payments.show(payment.trackingId);
  expect(operations.filter(({ kind }) => kind === 'refund').map(({ state }) => state)).not.toContain('refused');
}
