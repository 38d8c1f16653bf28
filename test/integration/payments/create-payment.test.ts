// Goal: one session exists per reference, stored before it is sent, whatever the gateway and the network do.
// Method: the use case against the simulated gateway with ordered faults; its sessions are compared with Millime's
// rows.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createAgents } from '../../../src/agents';
import { type Actor, openAuditTrail, OPERATOR } from '../../../src/identity';
import { isAppError, millimes, MINUTE_MS, SECOND_MS } from '../../../src/kernel';
import {
  type CreateOutcome,
  createPayments,
  type Payment,
  type PaymentRequest,
  type Payments,
} from '../../../src/payments';
import { openPaymentStore } from '../../../src/payments/testing';
import { describeOnEachDatabase } from '../../support/db';
import { anAgent, BY_TEST } from '../../support/factories';
import { aPayment } from '../../support/factories/a-payment';
import { aCollectingScene, type CollectingScene } from './scene';

const SESSION_MS = 20 * MINUTE_MS;

const aRequest = (overrides: Partial<PaymentRequest> = {}): PaymentRequest => ({
  kind: 'standard',
  amountMillimes: 25_000,
  ...overrides,
});

describeOnEachDatabase('creating a payment', (harness) => {
  let scene: CollectingScene;

  beforeEach(async () => {
    scene = await aCollectingScene(harness.database);
  });
  afterEach(async () => {
    expect(await scene.brokenInvariants()).toEqual([]);
    await scene.close();
  });

  const create = (overrides: Partial<PaymentRequest> = {}): Promise<CreateOutcome> =>
    scene.payments.create(aRequest(overrides), BY_TEST);
  const ofApplication = (isTest: boolean): Payments =>
    createPayments({ ...scene.deps, settings: { ...scene.deps.settings, isTest } });
  const stored = (): Promise<Payment[]> => scene.payments.list({ limit: 100 });
  const atTheGateway = async (): Promise<unknown[]> => {
    return ((await scene.control('GET', '/payments')) as { payments: unknown[] }).payments;
  };
  const failNext = (kind: string): Promise<unknown> =>
    scene.control('POST', '/faults', { fault: { kind }, operation: 'payments.create' });

  test.each([
    ['standard', {}],
    ['binding', { clientId: 'customer-7' }],
    ['preauthorization', {}],
    ['split', { destination: [{ amountMillimes: 4_000, destination: '00012' }] }],
  ] as const)('creates a %s payment with Millime’s tracking id and a status check 30 s later', async (kind, more) => {
    const outcome = await create({ kind, ...more });
    const now = scene.clock.now();
    expect(outcome).toMatchObject({
      kind: 'created',
      payment: {
        kind,
        amount: 25_000,
        ourShare: kind === 'split' ? 21_000 : 25_000,
        requestState: 'made',
        sentAt: now,
        sessionEndsAt: now + SESSION_MS,
        nextCheckAt: now + 30 * SECOND_MS,
        link: expect.stringContaining('http'),
        gatewayId: expect.any(String),
        status: undefined,
      },
    });
    const [payment] = await stored();
    expect(await atTheGateway()).toMatchObject([{ developerTrackingId: payment?.trackingId }]);
  });

  test('stores the actor who requested it', async () => {
    const outcome = await create({ reference: 'order-1' });
    const trackingId = outcome.kind === 'created' ? outcome.payment.trackingId : '';
    const { rows: records } = await harness.database.read((session) => openAuditTrail(session).list({ limit: 10 }));
    expect(records).toMatchObject([
      {
        action: 'payment.requested',
        actorName: 'test',
        subject: `payment:${trackingId}`,
        detail: { reference: 'order-1' },
      },
    ]);
  });

  test.each([
    ['an amount of zero', { amountMillimes: 0 }, 'amountMillimes'],
    ['a part of a millime', { amountMillimes: 1.5 }, 'amountMillimes'],
    ['a link that is none', { successLink: 'ftp://shop.example' }, 'successLink'],
    ['a reference with outer spaces', { reference: ' order-1' }, 'reference'],
    ['an unknown agent id', { agentId: '999' }, 'agentId'],
    ['parts that are more than the amount', splitOf(25_001), 'destination'],
    ['parts of a payment that is no split', { ...splitOf(1), kind: 'standard' }, 'destination'],
    ['a binding to nobody', { kind: 'binding' }, 'clientId'],
  ] as const)('refuses %s by naming the field, and stores and sends nothing', async (_, overrides, field) => {
    const fault = await create(overrides).catch((error: unknown) => error);
    if (!isAppError(fault, 'bad_input')) throw fault;
    expect([fault.message, ...fault.details].join('\n')).toContain(field);
    expect(await stored()).toEqual([]);
    expect(await atTheGateway()).toEqual([]);
  });

  test('refuses a closed agent and accepts an open one', async () => {
    const agents = createAgents(scene.deps);
    await agents.add(anAgent(), BY_TEST);
    expect(await create({ agentId: '004711' })).toMatchObject({ kind: 'created', payment: { agentId: '004711' } });
    await agents.close('004711', BY_TEST);
    await expect(create({ agentId: '004711' })).rejects.toMatchObject({ message: 'agentId: names a closed agent' });
  });

  test('names a link that neither the request nor the configuration has', async () => {
    const settings = { ...scene.deps.settings, successLink: undefined };
    const payments = createPayments({ ...scene.deps, settings });
    await expect(payments.create(aRequest(), BY_TEST)).rejects.toMatchObject({
      code: 'bad_input',
      message: 'successLink: expected a link, got nothing; name one, or set CHECKOUT_SUCCESS_URL',
    });
  });

  test('requests signed webhooks of version 2 if Millime’s address is configured', async () => {
    const settings = { ...scene.deps.settings, publicUrl: 'https://millime.example' };
    const outcome = await createPayments({ ...scene.deps, settings }).create(aRequest(), BY_TEST);
    expect(outcome).toMatchObject({
      payment: { terms: { webhook: 'https://millime.example/webhooks/payment', webhookVersion: 2 } },
    });
  });

  test('is off without a credential and names the missing variables', async () => {
    const payments = createPayments({ ...scene.deps, gateway: undefined });
    await expect(payments.create(aRequest(), BY_TEST)).rejects.toMatchObject({
      code: 'misconfigured',
      message: expect.stringContaining('GATEWAY_PRIVATE_KEY'),
    });
  });

  test('refuses an API key without the scope', async () => {
    const actor: Actor = { kind: 'api_key', name: 'reader', keyId: '1'.repeat(26), scopes: new Set() };
    await expect(scene.payments.create(aRequest(), { actor, dryRun: false })).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  test('validates in a dry run, and neither sends nor stores', async () => {
    expect(await scene.payments.create(aRequest(), { actor: OPERATOR, dryRun: true })).toEqual({ kind: 'checked' });
    await expect(
      scene.payments.create(aRequest({ agentId: '999' }), { actor: OPERATOR, dryRun: true }),
    ).rejects.toMatchObject({ code: 'bad_input' });
    expect([await stored(), await atTheGateway()]).toEqual([[], []]);
  });

  test('returns the live session of a reference', async () => {
    const first = await create({ reference: 'order-1' });
    const second = await create({ reference: 'order-1' });
    expect([first.kind, second.kind]).toEqual(['created', 'existing']);
    expect(second).toMatchObject({ payment: 'payment' in first ? first.payment : {} });
    expect(await atTheGateway()).toHaveLength(1);
  });

  test('creates one session for concurrent requests with one reference', async () => {
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => create({ reference: 'order-1' })));
    expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(1);
    expect(await stored()).toHaveLength(1);
    expect(await atTheGateway()).toHaveLength(1);
  });

  test.each([{ amountMillimes: 25_001 }, { kind: 'preauthorization' }, { clientId: 'customer-8' }] as const)(
    'reports a conflict for a live reference with terms other than %j',
    async (overrides) => {
      await create({ reference: 'order-1' });
      await expect(create({ reference: 'order-1', ...overrides })).rejects.toMatchObject({ code: 'conflict' });
      expect(await stored()).toHaveLength(1);
    },
  );

  test.each([
    ['test', true],
    ['live', false],
  ])('does not return a link of the %s application to the other one', async (name, isTest) => {
    await ofApplication(isTest).create(aRequest({ reference: 'order-1' }), BY_TEST);
    await expect(ofApplication(!isTest).create(aRequest({ reference: 'order-1' }), BY_TEST)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`the live attempt belongs to the ${name} application`),
    });
    expect(await stored()).toHaveLength(1);
  });

  test('reports a request in flight for five minutes, then its outcome as unknown', async () => {
    const sentAt = scene.clock.now();
    const reference = 'order-1';
    const amount = millimes(25_000);
    const inFlight = aPayment({
      reference,
      isLive: true,
      amount,
      requestState: 'sending',
      gatewayId: undefined,
      sentAt,
    });
    await harness.database.transact((session) => openPaymentStore(session).add([inFlight]));
    await scene.pass(5 * MINUTE_MS);
    expect(await create({ reference })).toMatchObject({
      kind: 'unknown',
      reason: 'the request is still being sent; try again in a moment',
    });
    await scene.pass(1);
    expect(await create({ reference })).toMatchObject({
      kind: 'unknown',
      reason: 'the gateway did not confirm the session',
      newSessionFrom: sentAt + SESSION_MS + 40 * MINUTE_MS,
    });
    expect(await atTheGateway()).toEqual([]);
  });

  test('checks an expired session once and gives its reference to a new one', async () => {
    const first = await create({ reference: 'order-1' });
    await scene.pass(SESSION_MS + MINUTE_MS);
    const second = await create({ reference: 'order-1' });
    expect([first.kind, second.kind]).toEqual(['created', 'created']);
    expect(await stored()).toMatchObject([{ isLive: true }, { isLive: false, status: 'EXPIRED' }]);
  });

  test('gives the reference of a session unknown to the gateway to a new one 40 minutes after its end', async () => {
    const first = await create({ reference: 'order-1' });
    const trackingId = 'payment' in first ? first.payment.trackingId : '';
    await harness.database.transact(async (session) => {
      await session('payments').where('tracking_id', trackingId).update({ gateway_id: 'forgotten' });
    });
    await scene.pass(SESSION_MS + MINUTE_MS);
    expect(await create({ reference: 'order-1' })).toMatchObject({ kind: 'existing', payment: { trackingId } });
    await scene.pass(39 * MINUTE_MS);
    const second = await create({ reference: 'order-1' });
    expect(second).toMatchObject({ kind: 'created', payment: { isLive: true } });
    expect(await create({ reference: 'order-1' })).toMatchObject({ kind: 'existing' });
    expect(await stored()).toMatchObject([{ isLive: true }, { trackingId, isLive: false }]);
  });

  test('creates no second payment for a paid reference', async () => {
    const first = await create({ reference: 'order-1' });
    const gatewayId = 'payment' in first ? first.payment.gatewayId : undefined;
    await scene.control('POST', `/payments/${gatewayId}/pay`, {});
    await scene.pass(SESSION_MS + MINUTE_MS);
    expect(await create({ reference: 'order-1' })).toMatchObject({ kind: 'existing', payment: { status: 'SUCCESS' } });
    expect(await atTheGateway()).toHaveLength(1);
  });

  test('reports the gateway’s refusal in its words and frees the reference', async () => {
    await scene.control('POST', '/faults', { fault: { kind: 'too_many' }, operation: 'payments.create' });
    const refused = await create({ reference: 'order-1' });
    expect(refused).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('rate_limited'),
      payment: { requestState: 'refused', isLive: false, nextCheckAt: undefined },
    });
    expect(await create({ reference: 'order-1' })).toMatchObject({ kind: 'created' });
  });

  test('marks the attempt refused if the gateway rejects the request as invalid', async () => {
    const body = { result: { status: 400, message: 'Bad Request' }, code: 1 };
    const fault = { kind: 'status', code: 400, body, processed: false };
    await scene.control('POST', '/faults', { fault, operation: 'payments.create' });
    expect(await create({ reference: 'order-1' })).toMatchObject({ kind: 'refused', payment: { isLive: false } });
  });

  test.each(['reset_after', 'html_502', 'garbage', 'truncated_json'])(
    'leaves the attempt unknown after an answer lost by %s, and creates no second session',
    async (kind) => {
      await failNext(kind);
      const lost = await create({ reference: 'order-1' });
      expect(lost).toMatchObject({
        kind: 'unknown',
        newSessionFrom: Date.UTC(2026, 2, 2, 9),
        payment: { requestState: 'unknown', isLive: true, nextCheckAt: undefined },
      });
      expect(await create({ reference: 'order-1' })).toMatchObject({ kind: 'unknown' });
      expect(await atTheGateway()).toHaveLength(1);
    },
  );

  test('abandons an unknown session exactly 40 minutes after it could last be paid', async () => {
    await failNext('reset_after');
    await create({ reference: 'order-1' });
    await scene.pass(SESSION_MS + 40 * MINUTE_MS - 1);
    expect(await create({ reference: 'order-1' })).toMatchObject({ kind: 'unknown' });
    await scene.pass(1);
    expect(await create({ reference: 'order-1' })).toMatchObject({ kind: 'created' });
    expect(await stored()).toMatchObject([{ requestState: 'made' }, { requestState: 'abandoned', isLive: false }]);
  });

  test('finds a payment by Millime’s id, by the gateway’s id, and as the newest of its reference', async () => {
    const first = await create({ reference: 'order-1' });
    if (first.kind !== 'created') throw new Error('the gateway makes it');
    const { trackingId, gatewayId = '' } = first.payment;
    for (const id of [trackingId, gatewayId, 'order-1']) {
      expect(await scene.payments.show(id)).toEqual({ payment: first.payment, observations: [], operations: [] });
    }
    await expect(scene.payments.show('réservation-٣')).rejects.toMatchObject({ code: 'not_found' });
    await expect(scene.payments.show('order-2')).rejects.toMatchObject({ code: 'not_found' });
  });
});

function splitOf(amountMillimes: number): Partial<PaymentRequest> {
  return { kind: 'split', destination: [{ amountMillimes, destination: '00012' }] };
}
