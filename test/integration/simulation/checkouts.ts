import { expect } from '@jest/globals';
import type { Payment, PaymentRequest } from '../../../src/payments';
import type { SimPayment } from '../../../src/simulator/testing';
import { BY_TEST } from '../../support/factories';
import type { Model } from './model';
import type { Operation, Scene } from './scene';

const AMOUNT_MAX = 90_000;
/** Amounts of checkouts end in the number of their step, so that no two are equal. */
const STEPS_MAX = 1_000;
const BALANCE_MAX = 2n ** 52n;
const CREATED = ['created', 'existing', 'unknown', 'refused'];

/** Begins a payment through the gateway's client, or asks once more for the session of its reference. */
export const beginCheckout: Operation = async (scene) => {
  const request = checkoutRequest(scene);
  if (request === undefined) return;
  await scene.pass(0); // the gateway's time may have stood still until now
  const { answer } = await scene.settle(`begin ${JSON.stringify(request)}`, () =>
    scene.rooms.payments.create(request, BY_TEST),
  );
  expectCreated(answer);
};

/** The customer pays or fails to, in the session of a payment that Millime knows or does not know. */
export const completeCheckout: Operation = async (scene) => {
  const { gateway, random, pass } = scene;
  if (gateway === undefined) return;
  const pendingOf = (): SimPayment[] => gateway.payments.filter(({ status }) => status === 'PENDING');
  if (pendingOf().length === 0) await beginCheckout(scene);
  const pending = pendingOf();
  if (pending.length === 0) return;
  const type = random.onceIn(3) ? 'card' : 'wallet';
  await gateway.complete(random.oneOf(pending), random.onceIn(5) ? 'fail' : 'pay', type);
  await pass(random.oneOf([0, 1_000, 60_000]));
};

export const pollPayments: Operation = async ({ gateway, rooms, settle }) => {
  if (gateway?.isInUse === true) await settle('poll', () => rooms.payments.poll());
};

export const processInbox: Operation = async ({ gateway, rooms, settle }) => {
  if (gateway?.isInUse === true) await settle('process the inbox', () => rooms.webhooks.processInbox());
};

export const checkCheckout: Operation = async (scene) => {
  const payment = await someCheckout(scene);
  if (payment === undefined) return;
  const { rooms, settle } = scene;
  await settle(`check ${payment.reference}`, () => rooms.payments.checkStatus(payment.trackingId));
};

/** Sent once, whatever becomes of the answer; what it came to, the gateway knows. */
export const refundCheckout: Operation = async (scene) => {
  const payment = await someCheckout(scene, (status) => status === 'SUCCESS');
  if (payment === undefined) return;
  const { answer } = await scene.settle(`refund ${payment.reference}`, () =>
    scene.rooms.payments.refund(payment.trackingId, BY_TEST),
  );
  expectOperated(answer);
};

/** A reserved amount is taken, in part or whole, or released. */
export const endHold: Operation = async (scene) => {
  const payment = await someCheckout(scene, (status) => status === 'PREAUTH_SUCCESS');
  if (payment === undefined) return;
  const { random, rooms, settle } = scene;
  const isCapture = !random.onceIn(3);
  const amount = random.onceIn(2) ? undefined : 1 + random.below(payment.amount);
  const { answer } = await settle(`${isCapture ? 'capture' : 'cancel'} ${payment.reference}`, () =>
    isCapture
      ? rooms.payments.capture(payment.trackingId, amount, BY_TEST)
      : rooms.payments.cancel(payment.trackingId, BY_TEST),
  );
  expectOperated(answer);
};

/** A payment of a new reference, or of one that was used; undefined where a history has no gateway. */
export function checkoutRequest({ gateway, model, random, step }: Scene): PaymentRequest | undefined {
  if (gateway === undefined) return undefined;
  gateway.use();
  if (model.requests.length > 0 && random.onceIn(4)) return random.oneOf(model.requests);
  const open = openAgents(model);
  const request: PaymentRequest = {
    kind: random.onceIn(4) ? 'preauthorization' : 'standard',
    amountMillimes: STEPS_MAX * (1 + random.below(AMOUNT_MAX)) + step,
    reference: `K${step}`,
    agentId: open.length > 0 && random.onceIn(2) ? random.oneOf(open) : undefined,
    acceptCard: true,
  };
  model.requests.push(request);
  model.asked.set(request.amountMillimes, request.agentId);
  return request;
}

/** A repeated request names an agent who was closed meanwhile: then it is refused. */
export function expectCreated(answer: unknown): void {
  const kind = typeof answer === 'string' ? answer : (answer as { kind: string }).kind;
  expect([...CREATED, 'refused: bad_input', 'refused: conflict', 'refused: not_found']).toContain(kind);
}

export function expectOperated(answer: unknown): void {
  const kind = typeof answer === 'string' ? answer : (answer as { kind: string }).kind;
  expect(['done', 'refused', 'unknown', 'refused: conflict']).toContain(kind);
}

/** A payment that Millime and the gateway both know. */
export async function someCheckout(
  { gateway, rooms, random }: Scene,
  hasStatus: (status: string | undefined) => boolean = () => true,
): Promise<Payment | undefined> {
  if (gateway?.isInUse !== true) return undefined;
  const known = (await rooms.payments.list({ limit: STEPS_MAX }))
    .filter(
      ({ reference, gatewayId, status }) =>
        reference?.startsWith('K') === true && gatewayId !== undefined && hasStatus(status),
    )
    .sort((a, b) => (String(a.reference) < String(b.reference) ? -1 : 1));
  return known.length === 0 ? undefined : random.oneOf(known);
}

/** Those whose balance has room for the checkouts of a history. */
function openAgents(model: Model): string[] {
  const isSmall = (owed: bigint): boolean => owed > -BALANCE_MAX && owed < BALANCE_MAX;
  return [...model.agents]
    .filter(([agentId, status]) => status === 'open' && isSmall(model.owed(agentId)))
    .map(([agentId]) => agentId);
}
