// Goal: webhook events lead to one state in any order and with any repeats, and never change a status.
// Method: events as the inbox passes them, in random permutations with duplicates, against attempts in every state.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openBreakStore } from '../../../src/breaks';
import { millimes, SECOND_MS } from '../../../src/kernel';
import { createPayments, type Payment, type PaymentRequest, type PaymentWebhookEvent } from '../../../src/payments';
import {
  applyWebhookEvent,
  openPaymentStore,
  type PaymentChange,
  type WebhookEventOutcome,
} from '../../../src/payments/testing';
import { describeOnEachDatabase } from '../../support/db';
import { BY_TEST } from '../../support/factories';
import { type Random, randomFrom } from '../../support/random';
import { aCollectingScene, type CollectingScene } from './scene';

const AMOUNT = 25_000;
const PERMUTATIONS = 12;

interface FoundBreak {
  readonly fingerprint: string;
  readonly facts: Readonly<Record<string, string | number>>;
}

describeOnEachDatabase('webhook events of a payment', (harness) => {
  let scene: CollectingScene;

  beforeEach(async () => {
    scene = await aCollectingScene(harness.database);
  });
  afterEach(async () => {
    expect(await scene.brokenInvariants()).toEqual([]);
    await scene.close();
  });

  const make = async (overrides: Partial<PaymentRequest> = {}): Promise<Payment> => {
    const request = { kind: 'standard', amountMillimes: AMOUNT, ...overrides } as const;
    const outcome = await scene.payments.create(request, BY_TEST);
    if (outcome.kind === 'checked') throw new Error('it is no dry run');
    return outcome.payment;
  };
  const lose = async (reference: string): Promise<{ payment: Payment; gatewayId: string }> => {
    await scene.control('POST', '/faults', { fault: { kind: 'reset_after' }, operation: 'payments.create' });
    const payment = await make({ reference });
    const { payments } = (await scene.control('GET', '/payments')) as { payments: { paymentId: string }[] };
    return { payment, gatewayId: payments.at(-1)?.paymentId ?? '' };
  };
  const eventOf = (overrides: Partial<PaymentWebhookEvent>): PaymentWebhookEvent => ({
    gatewayId: undefined,
    trackingId: undefined,
    succeeded: true,
    occurredAt: undefined,
    amount: undefined,
    currency: undefined,
    receivedAt: scene.clock.now(),
    ...overrides,
  });
  const tell = (overrides: Partial<PaymentWebhookEvent>): Promise<WebhookEventOutcome> =>
    applyWebhookEvent(scene.deps, eventOf(overrides));
  const now = async ({ trackingId }: Pick<Payment, 'trackingId'>): Promise<Payment> =>
    (await scene.payments.show(trackingId)).payment;
  const set = (payment: Payment, change: PaymentChange): Promise<void> =>
    harness.database.transact((session) => openPaymentStore(session).change(payment, change));
  const breaks = async (): Promise<FoundBreak[]> => {
    const open = await harness.database.read((session) => openBreakStore(session).list({}));
    return open.map(({ fingerprint, subject: { facts } }) => ({ fingerprint, facts }));
  };

  test('are unknown for a payment that Millime does not have', async () => {
    await make();
    expect(await tell({ gatewayId: 'somebody-else', trackingId: 'his' })).toEqual({ kind: 'unknown_payment' });
    expect(await tell({})).toEqual({ kind: 'unknown_payment' });
    const foreign = { gatewayId: 'réf-٣', trackingId: 'réservation-٣ '.repeat(40) };
    expect(await tell(foreign)).toEqual({ kind: 'unknown_payment' });
  });

  test('schedule a status check now and leave the status unchanged', async () => {
    const payment = await make();
    await scene.pass(SECOND_MS);
    const told = await tell({ gatewayId: payment.gatewayId });
    expect(told).toEqual({ kind: 'known', trackingId: payment.trackingId, mismatch: false });
    const at = scene.clock.now();
    expect(await now(payment)).toEqual({ ...payment, triggeredAt: at, nextCheckAt: at });
  });

  test('of version 2 set the exact instant of the success, the earliest of several', async () => {
    const payment = await make();
    await scene.pass(10 * SECOND_MS);
    const at = scene.clock.now();
    await tell({ gatewayId: payment.gatewayId, occurredAt: at - 2 * SECOND_MS });
    await tell({ gatewayId: payment.gatewayId, occurredAt: at - 3 * SECOND_MS });
    await tell({ gatewayId: payment.gatewayId, occurredAt: at - SECOND_MS });
    const succeeded = at - 3 * SECOND_MS;
    expect(await now(payment)).toMatchObject({
      succeededAfter: succeeded,
      succeededUntil: succeeded,
      status: undefined,
    });
  });

  test.each([
    ['a failure', { succeeded: false }, 'standard'],
    ['a hold', {}, 'preauthorization'],
  ] as const)('of %s set no time of the success', async (_, overrides, kind) => {
    const payment = await make({ kind });
    await tell({ gatewayId: payment.gatewayId, occurredAt: scene.clock.now(), ...overrides });
    expect(await now(payment)).toMatchObject({ succeededAfter: undefined, succeededUntil: undefined });
  });

  test('attach a session whose answer was lost, and the status check then posts its money', async () => {
    const { payment, gatewayId } = await lose('order-1');
    await scene.control('POST', `/payments/${gatewayId}/pay`, {});
    await scene.pass(SECOND_MS);
    expect(await tell({ gatewayId, trackingId: payment.trackingId, amount: millimes(AMOUNT) })).toMatchObject({
      kind: 'known',
      mismatch: false,
    });
    expect(await now(payment)).toMatchObject({
      gatewayId,
      requestState: 'made',
      requestError: undefined,
      isLive: true,
      sessionEndsAt: (payment.sentAt ?? 0) + 1_200_000,
      nextCheckAt: scene.clock.now(),
    });
    await scene.payments.checkStatus(payment.trackingId);
    expect(await now(payment)).toMatchObject({ status: 'SUCCESS', itemId: `payment:${gatewayId}` });
  });

  test('attach an abandoned session, which claims its reference again unless another attempt has it', async () => {
    const first = await lose('order-1');
    const second = await lose('order-2');
    await scene.pass(61 * 60 * SECOND_MS);
    await scene.payments.resolveStaleRequests();
    await make({ reference: 'order-2' });
    await tell({ gatewayId: first.gatewayId, trackingId: first.payment.trackingId });
    await tell({ gatewayId: second.gatewayId, trackingId: second.payment.trackingId });
    expect(await now(first.payment)).toMatchObject({ requestState: 'made', isLive: true });
    expect(await now(second.payment)).toMatchObject({ requestState: 'made', isLive: false });
    expect(await breaks()).toEqual([]);
  });

  test.each(['refused', 'requested'] as const)(
    'of a payment that Millime stores as %s attach the session and open a break',
    async (requestState) => {
      const { payment, gatewayId } = await lose('order-1');
      await set(payment, { requestState });
      expect(await tell({ gatewayId, trackingId: payment.trackingId })).toMatchObject({ mismatch: true });
      expect(await now(payment)).toMatchObject({ requestState: 'made', gatewayId });
      expect(await breaks()).toMatchObject([
        { fingerprint: `webhook_mismatch:${payment.trackingId}:request_state`, facts: { ours: requestState } },
      ]);
    },
  );

  test('that arrive before the answer to the creating call do not disturb it', async () => {
    const { gateway } = scene.deps;
    const overtaken: typeof gateway = {
      ...gateway,
      payments: {
        ...gateway.payments,
        create: async (input) => {
          const created = await gateway.payments.create(input);
          await tell({ gatewayId: created.paymentId, trackingId: input.developerTrackingId });
          return created;
        },
      },
    };
    const payments = createPayments({ ...scene.deps, gateway: overtaken });
    const outcome = await payments.create({ kind: 'standard', amountMillimes: AMOUNT }, BY_TEST);
    expect(outcome).toMatchObject({
      kind: 'created',
      payment: { requestState: 'made', link: expect.stringContaining('http'), triggeredAt: scene.clock.now() },
    });
    expect(await breaks()).toEqual([]);
  });

  test.each([
    ['tracking_id', { trackingId: 'not-ours' }, 'not-ours'],
    ['amount', { amount: millimes(AMOUNT - 1) }, AMOUNT - 1],
    ['currency', { currency: 'EUR' }, 'EUR'],
  ] as const)('with another %s open a break and schedule a status check', async (field, overrides, theirs) => {
    const payment = await make();
    const told = await tell({ gatewayId: payment.gatewayId, occurredAt: scene.clock.now(), ...overrides });
    expect(told).toMatchObject({ mismatch: true });
    expect(await breaks()).toMatchObject([
      { fingerprint: `webhook_mismatch:${payment.trackingId}:${field}`, facts: { field, theirs } },
    ]);
    expect(await now(payment)).toMatchObject({ triggeredAt: scene.clock.now(), succeededUntil: undefined });
  });

  test('that name another session for a tracking id open a break and keep the stored session', async () => {
    const payment = await make();
    await tell({ gatewayId: 'another-session', trackingId: payment.trackingId });
    expect(await breaks()).toMatchObject([{ facts: { ours: payment.gatewayId, theirs: 'another-session' } }]);
    expect(await now(payment)).toMatchObject({ gatewayId: payment.gatewayId });
  });

  test('that attached a missing session give way to the next session with the tracking id', async () => {
    const { payment, gatewayId } = await lose('order-1');
    const { trackingId } = payment;
    await tell({ gatewayId: 'no-such-session', trackingId });
    await scene.payments.checkStatus(trackingId);
    expect(await now(payment)).toMatchObject({ gatewayId: 'no-such-session', lastCheckError: 'not_found' });
    await scene.control('POST', `/payments/${gatewayId}/pay`, {});
    await scene.pass(SECOND_MS);
    // Only the gateway can sign our tracking id together with its own.
    expect(await tell({ gatewayId: 'no-such-session' })).toMatchObject({ mismatch: false });
    expect(await tell({ gatewayId, trackingId })).toMatchObject({ kind: 'known', mismatch: true });
    const at = scene.clock.now();
    expect(await now(payment)).toMatchObject({
      gatewayId,
      triggeredAt: at,
      nextCheckAt: at,
      lastCheckError: undefined,
    });
    expect(await breaks()).toMatchObject([
      { fingerprint: `webhook_mismatch:${trackingId}:payment_id`, facts: { theirs: gatewayId } },
    ]);
    await scene.payments.checkStatus(trackingId);
    expect(await now(payment)).toMatchObject({ status: 'SUCCESS', lastCheckError: undefined });
    // Once the gateway has answered, nobody takes its place.
    await tell({ gatewayId: 'no-such-session', trackingId });
    expect(await now(payment)).toMatchObject({ gatewayId });
  });

  test('never replace the session that the gateway answered with, even while it does not know it', async () => {
    const payment = await make();
    await set(payment, { failedChecks: 1, lastCheckError: 'not_found' });
    await tell({ gatewayId: 'another-session', trackingId: payment.trackingId });
    expect(await now(payment)).toMatchObject({ gatewayId: payment.gatewayId });
  });

  test('of a captured pre-authorization may state the captured amount and no other', async () => {
    const payment = await make({ kind: 'preauthorization' });
    await set(payment, { captured: millimes(9_000) });
    for (const amount of [AMOUNT, 9_000]) {
      expect(await tell({ gatewayId: payment.gatewayId, amount: millimes(amount) })).toMatchObject({ mismatch: false });
    }
    expect(await tell({ gatewayId: payment.gatewayId, amount: millimes(9_001) })).toMatchObject({ mismatch: true });
  });

  test('schedule no status check if a later one covers them, and one otherwise', async () => {
    const payment = await make();
    const receivedAt = scene.clock.now();
    await scene.control('POST', `/payments/${payment.gatewayId}/pay`, {});
    await scene.pass(40 * SECOND_MS);
    await scene.payments.checkStatus(payment.trackingId);
    const checked = await now(payment);
    await tell({ gatewayId: payment.gatewayId, receivedAt });
    expect(await now(payment)).toEqual(checked);
    await tell({ gatewayId: payment.gatewayId, succeeded: false, receivedAt });
    expect(await now(payment)).toMatchObject({
      status: 'SUCCESS',
      triggeredAt: receivedAt,
      nextCheckAt: scene.clock.now(),
    });
  });

  test('lead to one state in any order and with any repeats', async () => {
    const random = randomFrom(20_261_121);
    const seen = new Set<string>();
    for (let run = 0; run < PERMUTATIONS; run += 1) {
      const { payment, gatewayId } = await lose(`order-${run}`);
      const { trackingId } = payment;
      const at = scene.clock.now();
      const all: readonly Partial<PaymentWebhookEvent>[] = [
        { gatewayId, trackingId, succeeded: false, occurredAt: at - 5, amount: millimes(AMOUNT), currency: 'TND' },
        { gatewayId, trackingId, occurredAt: at - 3, amount: millimes(AMOUNT), currency: 'TND', receivedAt: at - 2 },
        { gatewayId, trackingId, occurredAt: at - 3, amount: millimes(AMOUNT), currency: 'TND' },
        { gatewayId, trackingId, occurredAt: at - 4, amount: millimes(AMOUNT + 1), currency: 'TND' },
        // Version 1 names the session only: nobody knows it before another one told our tracking id.
        { gatewayId, receivedAt: at },
      ];
      const parked: Partial<PaymentWebhookEvent>[] = [];
      for (const event of shuffled([...all, ...all], random)) {
        if ((await tell(event)).kind === 'unknown_payment') parked.push(event);
      }
      for (const event of parked) expect(await tell(event)).toMatchObject({ kind: 'known' });
      const ended = await now(payment);
      const relative = {
        ...ended,
        trackingId: '',
        gatewayId: ended.gatewayId === gatewayId,
        reference: '',
        terms: {},
        breaks: (await breaks())
          .map(({ fingerprint }) => fingerprint)
          .includes(`webhook_mismatch:${trackingId}:amount`),
      };
      seen.add(JSON.stringify(relative));
    }
    expect([...seen]).toHaveLength(1);
    expect(JSON.parse([...seen].join(''))).toMatchObject({ gatewayId: true, breaks: true, requestState: 'made' });
  });
});

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const drawn = items.map((item) => ({ item, place: random.below(2 ** 30) }));
  return drawn.toSorted((one, other) => one.place - other.place).map(({ item }) => item);
}
