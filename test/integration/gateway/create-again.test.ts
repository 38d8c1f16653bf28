import { afterEach, describe, expect, test } from '@jest/globals';
import type { GatewayClient, GatewayClientOptions } from '../../../src/gateway';
import { memoryBudgetStore } from '../../../src/gateway/testing';
import { systemClock } from '../../../src/kernel';
import { aClient } from '../../support/a-client';
import { always, type Reply, type Script, ScriptedGateway } from '../../support/scripted-gateway';

// Goal: a repeated creation of a subscription reports the existing one, and why the previous call failed.
// Method: a gateway that answers 409 and shows the existing subscription as each case needs it; a budget that is spent
// or hangs.

const PLAN = {
  amountMillimes: 5_000,
  interval: 'month',
  name: 'Plan',
  developerTrackingId: 'T-1',
  successLink: 'https://shop.example/yes',
  failLink: 'https://shop.example/no',
} as const;
const LINK = 'https://checkout.example/P-1';
const TAKEN = {
  success: false,
  error: 'duplicate_developer_tracking_id',
  details: 'developer_tracking_id already used',
  subscription_id: 'S-1',
  payment_id: 'P-1',
  link: LINK,
};
const EXISTING = {
  subscription_id: 'S-1',
  status: 'incomplete',
  amount: 5_000,
  currency: 'TND',
  interval: 'month',
  interval_count: 1,
  client_id: null,
  developer_tracking_id: 'T-1',
  is_test: false,
  cycles_completed: 0,
  max_cycles: null,
  cancel_at_period_end: false,
  payment_id: 'P-1',
  checkout_url: LINK,
};

const gateways: ScriptedGateway[] = [];

afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.stop()));
});

interface Started {
  readonly gateway: ScriptedGateway;
  readonly client: GatewayClient;
}

async function started(script: Script, options: Partial<GatewayClientOptions> = {}): Promise<Started> {
  const gateway = await ScriptedGateway.start(script);
  gateways.push(gateway);
  const { baseUrl } = gateway;
  return { gateway, client: aClient({ baseUrl, publicKey: 'pk', privateKey: 'sk', ...options }) };
}

function taken(read: Reply, more: Readonly<Record<string, unknown>> = {}): Script {
  const result = { ...TAKEN, ...more };
  return (_n, { method }) => (method === 'POST' ? { kind: 'answer', status: 409, body: { result, code: 1 } } : read);
}

const shown = (more: object = {}): Reply => ({
  kind: 'answer',
  body: { success: true, result: { ...EXISTING, ...more } },
});

describe('a tracking id that exists', () => {
  const ids = { subscriptionId: 'S-1', paymentId: 'P-1', link: LINK };

  test.each([
    ['cannot be read', { kind: 'answer', status: 404, body: { success: false, message: 'subscription_not_found' } }],
    ['is in another currency', shown({ currency: 'EUR' })],
    ['would send the customer to a script', shown({ checkout_url: 'javascript:alert(1)' })],
  ] as const)('names the existing subscription when it %s', async (_about, read) => {
    const { client } = await started(taken(read));
    const creation = client.subscriptions.create(PLAN);
    await expect(creation).rejects.toMatchObject({ code: 'duplicate_tracking_id', httpStatus: 409 });
    await expect(creation).rejects.toHaveProperty('existing', ids);
  });

  test.each([
    ['incomplete', { paymentId: 'P-1', link: LINK }],
    ['active', { paymentId: null, link: null }],
  ])('of an %s subscription without a first charge returns the link to pay, if any', async (status, toPay) => {
    const { client } = await started(taken(shown({ status, payment_id: null, checkout_url: null })));
    expect(await client.subscriptions.create(PLAN)).toMatchObject({ subscriptionId: 'S-1', duplicate: true, ...toPay });
  });

  test('names the existing subscription and its other terms', async () => {
    const { client } = await started(taken(shown({ amount: 6_000 })));
    const creation = client.subscriptions.create(PLAN);
    await expect(creation).rejects.toMatchObject({
      code: 'conflict',
      fields: { amountMillimes: ['differs from the existing subscription'] },
    });
    await expect(creation).rejects.toHaveProperty('existing', ids);
  });

  test('compares an absent interval count as 1', async () => {
    const { client } = await started(taken(shown({ interval_count: 3 })));
    await expect(client.subscriptions.create(PLAN)).rejects.toMatchObject({
      code: 'conflict',
      fields: { intervalCount: ['differs from the existing subscription'] },
    });
  });

  test.each([
    ['a link that no browser may follow', { link: 'javascript:alert(1)' }],
    ['a link without end', { link: `https://a.example/${'x'.repeat(10_000)}` }],
    ['a payment that is no text', { payment_id: 7, link: null }],
    ['a payment without end', { payment_id: 'P'.repeat(10_000), link: '' }],
  ])('omits %s', async (_about, more) => {
    const { client } = await started(taken(shown({ amount: 6_000 }), more));
    const { link: _link, ...withoutLink } = ids;
    const expected = 'payment_id' in more ? { subscriptionId: 'S-1' } : withoutLink;
    await expect(client.subscriptions.create(PLAN)).rejects.toHaveProperty('existing', expected);
  });

  test('names no subscription if the gateway names none', async () => {
    const { client } = await started(taken(shown(), { subscription_id: null }));
    await expect(client.subscriptions.create(PLAN)).rejects.toMatchObject({
      code: 'duplicate_tracking_id',
      existing: undefined,
    });
  });

  test('with the same terms is a success', async () => {
    const { client } = await started(taken(shown()));
    expect(await client.subscriptions.create(PLAN)).toMatchObject({ ...ids, duplicate: true });
  });
});

test('a try that the budget stops reports the failure of the previous try', async () => {
  const { gateway, client } = await started(always({ kind: 'cut_after' }), { budget: { creationsPerMinute: 2 } });
  await expect(client.subscriptions.create(PLAN)).rejects.toMatchObject({ code: 'connection' });
  expect(gateway.connections).toBe(2);
  await expect(client.subscriptions.create(PLAN)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(gateway.connections).toBe(2);
});

test('a store that hangs delays a creation at most to its deadline, and nothing is sent', async () => {
  let goOn: () => void = () => undefined;
  const hangs = new Promise<void>((resolve) => (goOn = resolve));
  const store = memoryBudgetStore(systemClock);
  const hanging = { ...store, read: async (key: string) => hangs.then(() => store.read(key)) };
  const { gateway, client } = await started(always({ kind: 'silence' }), {
    timeoutMs: 50,
    budget: { store: hanging },
  });
  await expect(client.subscriptions.create(PLAN)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('in time'),
  });
  goOn();
  expect(gateway.connections).toBe(0);
});
