import { afterEach, describe, expect, test } from '@jest/globals';
import {
  type Charge,
  type CreateSubscription,
  type GatewayClient,
  GatewayError,
  verifySubscriptionWebhook,
} from '../../../src/gateway';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel';
import type { RunningSimulator } from '../../../src/simulator';
import { cancelSubscription, failNextRenewal, payPayment } from '../../../src/simulator/testing';
import { aClientOf, aRunningSimulator, jsonShapeOf, passTime } from '../../support/a-simulator';
import { interfaceExamples } from '../../support/interface-examples';
import { WebhookReceiver } from '../../support/webhook-receiver';

// Goal: the client and the simulator agree on every field, limit and refusal of the subscriptions.
// Method: the client over HTTP; the simulator's answers are also compared with the literal bodies of the interface.

const TERMS: CreateSubscription = {
  amountMillimes: 30_000,
  interval: 'month',
  name: 'Gold',
  developerTrackingId: 'plan-1',
  successLink: 'https://shop.example/paid',
  failLink: 'https://shop.example/failed',
};

const BODY = {
  amount: 30_000,
  interval: 'month',
  name: 'Gold',
  developer_tracking_id: 'plan-1',
  success_link: 'https://shop.example/paid',
  fail_link: 'https://shop.example/failed',
} as const;

const FEES = [
  {
    channel: 'subscription',
    rate_ppm: 20_000,
    fixed_millimes: 0,
    tva_ppm: 190_000,
    rounding: 'half_up',
    basis: 'item',
  },
];

let running: RunningSimulator | undefined;

afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function started(
  settings: unknown = {},
): Promise<{ readonly gateway: RunningSimulator; readonly client: GatewayClient }> {
  running = await aRunningSimulator({ settings });
  return { gateway: running, client: aClientOf(running, { verifySpacingMs: 0 }) };
}

/** One subscription whose first charge was paid a minute after it was made. */
async function active(
  settings: unknown = {},
  terms: Partial<CreateSubscription> = {},
): Promise<{ readonly gateway: RunningSimulator; readonly client: GatewayClient; readonly subscriptionId: string }> {
  const { gateway, client } = await started(settings);
  const { subscriptionId, paymentId } = await client.subscriptions.create({ ...TERMS, ...terms });
  await passTime(gateway.simulator, MINUTE_MS);
  payPayment(gateway.simulator.simulation, paymentId ?? '');
  await passTime(gateway.simulator, 0);
  return { gateway, client, subscriptionId };
}

async function failureOf(call: Promise<unknown>): Promise<GatewayError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof GatewayError)) throw new Error('the call did not fail as a call of the gateway does');
  return error;
}

async function allOf<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The body of a literal answer, by the name that the fixture gives it. */
function exampleBody(operation: string, start: string): unknown {
  for (const example of interfaceExamples()) {
    if (example.operation !== operation) continue;
    for (const answer of [...example.answers, ...example.errors]) {
      if (answer.name.startsWith(start)) return 'pages' in answer ? answer.pages[0]?.body : answer.body;
    }
  }
  throw new Error(`no literal answer of ${operation} begins with: ${start}`);
}

const post = async (client: GatewayClient, body: Readonly<Record<string, unknown>>): Promise<unknown> =>
  client.request({ method: 'POST', path: '/api/v2/subscriptions', auth: 'app', body });

describe('Create Subscription', () => {
  test('returns the ids, the link and the status', async () => {
    const { gateway, client } = await started();
    const created = await client.subscriptions.create(TERMS);
    expect(created).toMatchObject({
      subscriptionId: expect.stringMatching(/^sub_[\w-]+$/),
      paymentId: expect.stringMatching(/./),
      link: expect.stringContaining(gateway.baseUrl),
      status: 'incomplete',
      developerTrackingId: 'plan-1',
      duplicate: false,
    });
    expect(jsonShapeOf(created.raw)).toEqual(jsonShapeOf(exampleBody('subscriptions.create', 'created, waiting')));
  });

  test('stores every optional field', async () => {
    const { client } = await started({ isTest: true });
    const { subscriptionId } = await client.subscriptions.create({
      ...TERMS,
      amountMillimes: 100,
      interval: 'week',
      intervalCount: 52,
      name: "Or, à l'année",
      description: 'Une fois par an',
      webhook: 'https://merchant.example/webhooks/subscription',
      sessionTimeout: 7_200,
      clientId: 'customer-77',
      maxCycles: 12,
      acceptCard: false,
    });
    expect(await client.subscriptions.retrieve(subscriptionId)).toMatchObject({
      amountMillimes: 100,
      interval: 'week',
      intervalCount: 52,
      name: "Or, à l'année",
      description: 'Une fois par an',
      clientId: 'customer-77',
      maxCycles: 12,
      isTest: true,
    });
  });

  test('returns the first subscription for the same terms', async () => {
    const { gateway, client } = await started();
    const first = await client.subscriptions.create(TERMS);
    const again = await client.subscriptions.create(TERMS);
    expect(again).toMatchObject({
      subscriptionId: first.subscriptionId,
      paymentId: first.paymentId,
      link: first.link,
      duplicate: true,
    });
    expect(Object.keys(gateway.simulator.simulation.world.subscriptions.byId)).toHaveLength(1);
  });

  test('returns no link for a repeated request after the payment', async () => {
    const { client, subscriptionId } = await active();
    expect(await client.subscriptions.create(TERMS)).toMatchObject({
      subscriptionId,
      paymentId: null,
      link: null,
      status: 'active',
      duplicate: true,
    });
  });

  test('is a conflict for a used tracking id with other terms, and changes nothing', async () => {
    const { client } = await started();
    const { subscriptionId } = await client.subscriptions.create(TERMS);
    const error = await failureOf(client.subscriptions.create({ ...TERMS, amountMillimes: 31_000, clientId: 'other' }));
    expect(error).toMatchObject({ code: 'conflict', httpStatus: 409, gatewayCode: 'duplicate_developer_tracking_id' });
    expect(Object.keys(error.fields ?? {}).toSorted()).toEqual(['amountMillimes', 'clientId']);
    expect(await client.subscriptions.retrieve(subscriptionId)).toMatchObject({ amountMillimes: 30_000 });
  });

  test('accepts any text as a tracking id', async () => {
    const { client } = await started();
    const first = await client.subscriptions.create({ ...TERMS, developerTrackingId: '__proto__' });
    const other = await client.subscriptions.create({ ...TERMS, developerTrackingId: 'constructor' });
    const again = await client.subscriptions.create({ ...TERMS, developerTrackingId: '__proto__' });
    expect([first.duplicate, other.duplicate, again.duplicate]).toEqual([false, false, true]);
    expect(again.subscriptionId).toBe(first.subscriptionId);
  });

  test('names each refused field and its fault', async () => {
    const { client } = await started();
    const error = await failureOf(
      post(client, {
        ...BODY,
        amount: 99,
        currency: 'EUR',
        interval_count: 13,
        session_timeout: 60,
        destination: [],
        webhook: 'http://merchant.example/hook',
      }),
    );
    expect(error).toMatchObject({
      code: 'validation',
      httpStatus: 400,
      fields: {
        amount: ['Ensure this value is greater than or equal to 100.'],
        currency: ['Only TND is supported.'],
        interval_count: ['Cycle exceeds one year.'],
        session_timeout: ['Must be between 1200 and 7200.'],
        destination: ['Split payments cannot be attached to a subscription.'],
        webhook: ['Must be an https URL.'],
      },
    });
  });

  test.each([
    ['merchant_not_allowed', 403, 'permission'],
    ['merchant_wallet_inactive', 403, 'permission'],
    ['affiliation_inactive', 403, 'permission'],
    ['recurring_payments_disabled', 503, 'unavailable'],
  ] as const)('is refused by the platform: %s', async (refuseWith, httpStatus, code) => {
    const { gateway, client } = await started({ subscriptions: { refuseWith } });
    const error = await failureOf(client.subscriptions.create(TERMS));
    expect(error).toMatchObject({ code, httpStatus, gatewayCode: refuseWith });
    expect(gateway.simulator.simulation.world.subscriptions.byId).toEqual({});
  });

  test.each([
    ['not_enabled', 'card_recurring_not_enabled'],
    ['not_implemented', 'card_recurring_not_implemented'],
  ] as const)('with cards is refused while card recurring is %s', async (cardRecurring, gatewayCode) => {
    const { client } = await started({ subscriptions: { cardRecurring } });
    const error = await failureOf(client.subscriptions.create({ ...TERMS, acceptCard: true }));
    expect(error).toMatchObject({ code: 'refused', httpStatus: 400, gatewayCode });
  });

  test('is limited per minute for any request, and admitted again afterwards', async () => {
    const { gateway, client } = await started({ subscriptions: { creationsPerMinute: 2 } });
    const ask = async (id: string): Promise<unknown> => post(client, { ...BODY, developer_tracking_id: id });
    await ask('plan-1');
    await passTime(gateway.simulator, 30_000);
    expect(await failureOf(post(client, {}))).toMatchObject({ code: 'validation' });
    expect(await failureOf(ask('plan-2'))).toMatchObject({ code: 'rate_limited', httpStatus: 429 });
    await passTime(gateway.simulator, 29_999);
    expect(await failureOf(ask('plan-2'))).toMatchObject({ code: 'rate_limited' });
    await passTime(gateway.simulator, 1);
    await expect(ask('plan-2')).resolves.toMatchObject({ code: 0 });
  });

  test('is refused without the right credential, and does not count towards the limit', async () => {
    const { gateway } = await started({ subscriptions: { creationsPerMinute: 1 } });
    const stranger = aClientOf(gateway, { privateKey: 'sk_other' });
    expect(await failureOf(stranger.subscriptions.create(TERMS))).toMatchObject({ code: 'authentication' });
    expect(await aClientOf(gateway).subscriptions.create(TERMS)).toMatchObject({ duplicate: false });
  });
});

describe('Get Subscription', () => {
  test('shows a subscription that waits for its first charge', async () => {
    const { client } = await started();
    const { subscriptionId, paymentId, link } = await client.subscriptions.create(TERMS);
    const { raw, ...subscription } = await client.subscriptions.retrieve(subscriptionId);
    expect(jsonShapeOf(raw)).toEqual(jsonShapeOf(exampleBody('subscriptions.retrieve', 'incomplete, with')));
    expect(subscription).toEqual({
      subscriptionId,
      status: 'incomplete',
      paymentMethod: 'service',
      amountMillimes: 30_000,
      currency: 'TND',
      interval: 'month',
      intervalCount: 1,
      name: 'Gold',
      description: '',
      clientId: null,
      developerTrackingId: 'plan-1',
      isTest: false,
      createdAt: '2026-03-02T08:00:00.000Z',
      activatedAt: null,
      currentPeriodStart: null,
      currentPeriodEnd: null,
      nextChargeAt: null,
      cyclesCompleted: 0,
      maxCycles: null,
      cancelAtPeriodEnd: false,
      canceledAt: null,
      cancellationInitiator: null,
      cancellationReason: null,
      latestCharge: {
        paymentId,
        status: 'PENDING',
        type: 'NA',
        billingReason: 'subscription_create',
        attempt: 0,
        periodStart: '2026-03-02',
        periodEnd: null,
        amountMillimes: 30_000,
        feeMillimes: null,
        tvaMillimes: null,
        createdAt: '2026-03-02T08:00:00.000Z',
        paidAt: null,
        raw: expect.anything(),
      },
      paymentId,
      checkoutUrl: link,
    });
  });

  test('shows an active subscription that ends with its period, after its fee was computed', async () => {
    const { gateway, client, subscriptionId } = await active(
      { payouts: { fees: FEES }, isTest: true },
      { clientId: 'customer-77', maxCycles: 12, description: 'Gold plan' },
    );
    await passTime(gateway.simulator, 32 * DAY_MS);
    cancelSubscription(gateway.simulator.simulation, subscriptionId, { initiator: 'customer', atPeriodEnd: true });
    const { raw, ...subscription } = await client.subscriptions.retrieve(subscriptionId);
    expect(jsonShapeOf(raw)).toEqual(jsonShapeOf(exampleBody('subscriptions.retrieve', 'active, an installment')));
    expect(subscription).toMatchObject({
      status: 'active',
      activatedAt: '2026-03-02T08:01:00.000Z',
      currentPeriodStart: '2026-04-02T08:01:00.000Z',
      currentPeriodEnd: '2026-05-02T08:01:00.000Z',
      nextChargeAt: '2026-05-02T08:01:00.000Z',
      cyclesCompleted: 2,
      cancelAtPeriodEnd: true,
      canceledAt: null,
      latestCharge: {
        status: 'SUCCESS',
        type: 'service',
        billingReason: 'subscription_cycle',
        periodStart: '2026-04-02',
        periodEnd: '2026-05-02',
        feeMillimes: 600,
        tvaMillimes: 114,
        createdAt: '2026-04-02T08:01:00.000Z',
        paidAt: '2026-04-02T08:01:05.000Z',
      },
    });
    expect(subscription).not.toHaveProperty('paymentId');
    expect(subscription).not.toHaveProperty('checkoutUrl');
  });

  test('shows a subscription that ended after its last retry, with the time of the failed debit as paid_at', async () => {
    const { gateway, client, subscriptionId } = await active({
      subscriptions: { retryAfterMinutes: [10, 10, 10], whenExhausted: 'canceled' },
    });
    failNextRenewal(gateway.simulator.simulation, subscriptionId, 4);
    await passTime(gateway.simulator, 40 * DAY_MS);
    const subscription = await client.subscriptions.retrieve(subscriptionId);
    // A whole client_id is text in the literal example.
    const shown = exampleBody('subscriptions.retrieve', 'canceled after the last retry') as { readonly result: object };
    expect(jsonShapeOf(subscription.raw)).toEqual(
      jsonShapeOf({ ...shown, result: { ...shown.result, client_id: null } }),
    );
    expect(subscription).toMatchObject({
      status: 'canceled',
      nextChargeAt: null,
      cancellationInitiator: 'system',
      cancellationReason: 'dunning_exhausted',
      canceledAt: '2026-04-02T08:31:20.000Z',
      latestCharge: {
        status: 'FAILURE',
        type: 'service',
        billingReason: 'subscription_retry',
        attempt: 3,
        feeMillimes: null,
        paidAt: '2026-04-02T08:31:20.000Z',
      },
    });
  });

  test.each(['sub_of_somebody_else', '__proto__', 'a/b'])('of %j is not found', async (id) => {
    const { client } = await started();
    expect(await failureOf(client.subscriptions.retrieve(id))).toMatchObject({
      code: 'not_found',
      httpStatus: 404,
      gatewayCode: 'subscription_not_found',
    });
  });
});

describe('List Charges', () => {
  test('returns all charges once, the newest first, for any page size', async () => {
    const { gateway, client, subscriptionId } = await active({}, { interval: 'day' });
    failNextRenewal(gateway.simulator.simulation, subscriptionId, 1);
    await passTime(gateway.simulator, 5 * DAY_MS + MINUTE_MS);
    const shown = ({ billingReason, attempt, status, periodStart }: Charge): string =>
      `${billingReason} ${attempt} ${status} ${periodStart}`;
    const charges = await allOf(client.subscriptions.listCharges(subscriptionId));
    expect(charges.map(shown)).toEqual([
      'subscription_cycle 0 SUCCESS 2026-03-07',
      'subscription_cycle 0 SUCCESS 2026-03-06',
      'subscription_cycle 0 SUCCESS 2026-03-05',
      'subscription_cycle 0 SUCCESS 2026-03-04',
      'subscription_retry 1 SUCCESS 2026-03-03',
      'subscription_cycle 0 FAILURE 2026-03-03',
      'subscription_create 0 SUCCESS 2026-03-02',
    ]);
    for (const pageSize of [1, 2, 4, 6, 100]) {
      expect(await allOf(client.subscriptions.listCharges(subscriptionId, { pageSize }))).toEqual(charges);
    }
  });

  test('has the fields of the interface, with 10 charges per page by default', async () => {
    const { gateway, client, subscriptionId } = await active({}, { interval: 'day' });
    await passTime(gateway.simulator, 11 * DAY_MS);
    const path = `/api/v2/subscriptions/${subscriptionId}/charges`;
    const page = await client.request({ method: 'GET', path, auth: 'app' });
    expect(page).toMatchObject({ success: true, count: 12, previous: null, name: expect.any(String), code: 0 });
    const { results, ...rest } = page as { readonly results: readonly unknown[] };
    const { results: _rows, ...literal } = exampleBody('subscriptions.listCharges', 'two pages') as {
      readonly results: readonly unknown[];
    };
    expect(results).toHaveLength(10);
    expect(jsonShapeOf(rest)).toEqual(jsonShapeOf(literal));
    expect(Object.keys(Object(results[0])).toSorted()).toEqual(Object.keys(Object(_rows[0])).toSorted());
    const next = new URL((page as { readonly next: string }).next);
    expect([next.origin, next.pathname, next.search]).toEqual([gateway.baseUrl, path, '?page=2&page_size=10']);
  });

  test.each([
    ['page', '0'],
    ['page', '-1'],
    ['page', 'x'],
    ['page', ''],
    ['page', '1.5'],
    ['page_size', '0'],
    ['page_size', '101'],
    ['page_size', 'all'],
  ])('refuses %s=%j', async (name, value) => {
    const { client, subscriptionId } = await active();
    const path = `/api/v2/subscriptions/${subscriptionId}/charges`;
    const error = await failureOf(client.request({ method: 'GET', path, auth: 'app', query: { [name]: value } }));
    expect(error).toMatchObject({ code: 'validation', httpStatus: 400 });
    expect(Object.keys(error.fields ?? {})).toEqual([name]);
  });

  test('is empty after the last page', async () => {
    const { client, subscriptionId } = await active();
    const path = `/api/v2/subscriptions/${subscriptionId}/charges`;
    const page = await client.request({ method: 'GET', path, auth: 'app', query: { page: '2' } });
    expect(page).toMatchObject({ count: 1, next: null, results: [] });
  });

  test('is not found for an unknown subscription', async () => {
    const { client } = await started();
    const error = await failureOf(allOf(client.subscriptions.listCharges('sub_none')));
    expect(error).toMatchObject({ code: 'not_found', gatewayCode: 'subscription_not_found' });
  });
});

test('Verify Payment shows the charges of a subscription as payments of the wallet', async () => {
  const { gateway, client, subscriptionId } = await active({}, { interval: 'day' });
  failNextRenewal(gateway.simulator.simulation, subscriptionId, 1);
  await passTime(gateway.simulator, DAY_MS + 5_000);
  const charges = await allOf(client.subscriptions.listCharges(subscriptionId));
  const verified = [];
  for (const { paymentId } of charges) verified.push(await client.payments.verify(paymentId));
  expect(verified).toMatchObject([
    { status: 'FAILURE', type: 'wallet', amountMillimes: 30_000, settlementStatus: 'NOT_APPLICABLE' },
    { status: 'SUCCESS', type: 'wallet', amountMillimes: 30_000, settlementStatus: 'AVAILABLE' },
  ]);
});

test('the webhook of a subscription receives its events in order and signed, and none of its payments', async () => {
  const receiver = await WebhookReceiver.start();
  try {
    const webhook = `${receiver.baseUrl}/webhooks/subscription`;
    const { gateway, subscriptionId } = await active({ subscriptions: { retryAfterMinutes: [10] } }, { webhook });
    const { simulator } = gateway;
    failNextRenewal(simulator.simulation, subscriptionId, 1);
    const judged = [];
    await passTime(simulator, 32 * DAY_MS);
    for (const received of receiver.received) {
      // The age is for other tests: each webhook is judged at the time of its own signature.
      const now = Number(/t=(\d+)/.exec(String(received.headers['x-service-signature']))?.[1]);
      const judgement = verifySubscriptionWebhook({ ...received, keys: ['sk_simulator'], now });
      judged.push(judgement.kind === 'authentic' ? [judgement.event.event, judgement.event.status] : judgement);
    }
    expect(judged).toEqual([
      ['subscription.activated', 'active'],
      ['subscription.charge.succeeded', 'active'],
      ['subscription.charge.failed', 'past_due'],
      ['subscription.past_due', 'past_due'],
      ['subscription.charge.succeeded', 'active'],
      ['subscription.reactivated', 'active'],
    ]);
  } finally {
    await receiver.stop();
  }
});
