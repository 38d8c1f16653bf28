import { afterEach, expect, test } from '@jest/globals';
import type { GatewayClient, GatewayClientOptions } from '../../../src/gateway';
import { memoryBudgetStore } from '../../../src/gateway/testing';
import { type Clock, MINUTE_MS, parseInstant, SECOND_MS } from '../../../src/kernel';
import { aClient } from '../../support/a-client';
import { type Script, ScriptedGateway } from '../../support/scripted-gateway';

// Goal: the client verifies a payment at most once per spacing, and stops when the gateway refuses calls.
// Method: the client over HTTP with a clock that the test moves; requests are counted at the gateway.

const START = parseInstant('2026-03-02T09:00:00+01:00') ?? 0;
const GOOD = {
  success: true,
  result: { type: 'wallet', amount: 5_000, status: 'SUCCESS', details: {}, developer_tracking_id: null },
  status_code: 200,
};

const gateways: ScriptedGateway[] = [];

afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.stop()));
});

class MovedClock implements Clock {
  #now = START;
  now = (): number => this.#now;
  pass = (ms: number): number => (this.#now += ms);
}

interface Started {
  readonly gateway: ScriptedGateway;
  readonly client: GatewayClient;
  readonly clock: MovedClock;
}

async function started(script: Script, options: Partial<GatewayClientOptions> = {}): Promise<Started> {
  const gateway = await ScriptedGateway.start(script);
  gateways.push(gateway);
  const clock = new MovedClock();
  return { gateway, clock, client: clientOf(gateway.baseUrl, clock, options) };
}

function clientOf(baseUrl: string, clock: Clock, options: Partial<GatewayClientOptions>): GatewayClient {
  return aClient({ baseUrl, publicKey: 'pk', privateKey: 'sk', clock, ...options });
}

const good: Script = () => ({ kind: 'answer', body: GOOD });
const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Script =>
  () => ({ kind: 'answer', status: code, headers, body: { detail: 'no' } });

test('the client sends one request for 1,000 parallel callers of one payment, and all get its answer', async () => {
  const { gateway, client } = await started(good);

  const answers = await Promise.all(Array.from({ length: 1_000 }, () => client.payments.verify('P-1')));

  expect(gateway.requests).toHaveLength(1);
  expect(answers.every(({ status: said, amountMillimes }) => said === 'SUCCESS' && amountMillimes === 5_000)).toBe(
    true,
  );
});

test('the client reuses the answer within the spacing, and requests a new one after it', async () => {
  const { gateway, client, clock } = await started(good);

  expect(await client.payments.verify('P-1')).toMatchObject({ reused: false, observedAt: '2026-03-02T08:00:00.000Z' });
  clock.pass(30 * SECOND_MS - 1);
  expect(await client.payments.verify('P-1')).toMatchObject({ reused: true, observedAt: '2026-03-02T08:00:00.000Z' });
  clock.pass(1);
  expect(await client.payments.verify('P-1')).toMatchObject({ reused: false, observedAt: '2026-03-02T08:00:30.000Z' });
  expect(gateway.requests).toHaveLength(2);
});

test('a slow answer has its request time, even if it is reused', async () => {
  const slow: Script = (_n, { method }) => {
    if (method !== '') clock.pass(3 * SECOND_MS);
    return { kind: 'answer', body: GOOD };
  };
  const { client, clock } = await started(slow);
  const times = { askedAt: '2026-03-02T08:00:00.000Z', observedAt: '2026-03-02T08:00:03.000Z' };
  expect(await client.payments.verify('P-1')).toMatchObject({ ...times, reused: false });
  expect(await client.payments.verify('P-1')).toMatchObject({ ...times, reused: true });
});

const REFUNDED = {
  success: true,
  result: {
    refund_id: 'R-1',
    payment_id: 'P-1',
    amount: 5_000,
    status: 'SUCCESS',
    refunded_at: '2026-03-02T08:00:00Z',
  },
  status_code: 200,
};
const isChange = ({ method }: { readonly method: string }): boolean => method === 'POST';

test.each([
  ['succeeded', { kind: 'answer', body: REFUNDED }, undefined],
  ['was refused', { kind: 'answer', status: 400, body: { detail: 'no' } }, { code: expect.any(String) }],
  ['has an unknown outcome', { kind: 'cut_after' }, { code: 'outcome_unknown' }],
] as const)('no client verifies from an answer before a refund that %s', async (_what, reply, error) => {
  const script: Script = (_n, request) => (isChange(request) ? reply : { kind: 'answer', body: GOOD });
  const clock = new MovedClock();
  const shared = { budget: { store: memoryBudgetStore(clock) } };
  const gateway = await ScriptedGateway.start(script);
  gateways.push(gateway);
  const [client, other] = [clientOf(gateway.baseUrl, clock, shared), clientOf(gateway.baseUrl, clock, shared)];
  await client.payments.verify('P-1');
  await other.payments.verify('P-2');
  clock.pass(10 * SECOND_MS);

  const refund = client.payments.refund({ paymentId: 'P-1' });
  if (error === undefined) await refund;
  else await expect(refund).rejects.toMatchObject(error);

  for (const each of [client, other]) {
    await expect(each.payments.verify('P-1')).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterMs: 20 * SECOND_MS,
    });
    expect(await each.payments.verify('P-2')).toMatchObject({ reused: true });
  }
  clock.pass(20 * SECOND_MS);
  expect(await other.payments.verify('P-1')).toMatchObject({ reused: false });
  expect(await client.payments.verify('P-1')).toMatchObject({ reused: true });
  expect(gateway.requests.filter(isChange)).toHaveLength(1);
});

test.each(['capture', 'cancel'] as const)('no client verifies from an answer before its %s', async (operation) => {
  const { client } = await started((_n, request) =>
    isChange(request)
      ? { kind: 'answer', body: { success: true, result: { payment_id: 'P-1', status: 'SUCCESS' }, status_code: 200 } }
      : { kind: 'answer', body: GOOD },
  );
  await client.payments.verify('P-1');
  await client.payments[operation]({ paymentId: 'P-1' });
  await expect(client.payments.verify('P-1')).rejects.toMatchObject({ code: 'rate_limited' });
});

test('a refund that is refused before it is sent drops no answer', async () => {
  const { gateway, client } = await started(good);
  await client.payments.verify('P-1');
  await expect(client.payments.refund({ paymentId: '' })).rejects.toMatchObject({ code: 'validation' });
  expect(await client.payments.verify('P-1')).toMatchObject({ reused: true });
  expect(gateway.requests).toHaveLength(1);
});

test('a refund is not sent if the store cannot drop the answer', async () => {
  const clock = new MovedClock();
  const store = memoryBudgetStore(clock);
  let isDown = false;
  const failing = {
    read: (key: string) => (isDown ? Promise.reject(new Error('down')) : store.read(key)),
    replace: store.replace,
  };
  const { gateway, client } = await started(good, { clock, budget: { store: failing } });
  await client.payments.verify('P-1');
  isDown = true;
  await expect(client.payments.refund({ paymentId: 'P-1' })).rejects.toMatchObject({ code: 'unavailable' });
  expect(gateway.requests).toHaveLength(1);
});

test('a call after a failed try waits for the spacing and states how long', async () => {
  const { gateway, client, clock } = await started((n) =>
    n === 1 ? { kind: 'cut_after' } : { kind: 'answer', body: GOOD },
  );

  await expect(client.payments.verify('P-1')).rejects.toMatchObject({ code: 'connection' });
  clock.pass(10 * SECOND_MS);
  await expect(client.payments.verify('P-1')).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterMs: 20 * SECOND_MS,
  });
  clock.pass(20 * SECOND_MS);
  expect(await client.payments.verify('P-1')).toMatchObject({ status: 'SUCCESS', reused: false });
  expect(gateway.requests).toHaveLength(2);
});

test('payments above the limit per minute are not verified and get a wait', async () => {
  const { gateway, client, clock } = await started(good, { budget: { verifiesPerMinute: 3 } });

  for (const paymentId of ['P-1', 'P-2', 'P-3']) await client.payments.verify(paymentId);
  await expect(client.payments.verify('P-4')).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: MINUTE_MS });
  expect(gateway.requests).toHaveLength(3);
  clock.pass(MINUTE_MS);
  expect(await client.payments.verify('P-4')).toMatchObject({ reused: false });
});

test.each([
  ['403', status(403), 15 * MINUTE_MS],
  ['429 without a time', status(429), 15 * MINUTE_MS],
  ['429 with Retry-After: 120', status(429, { 'Retry-After': '120' }), 2 * MINUTE_MS],
  ['503 with Retry-After: 3600', status(503, { 'Retry-After': '3600' }), 60 * MINUTE_MS],
])('no payment is verified after %s until the circuit closes', async (_name, script, waitMs) => {
  const { gateway, client, clock } = await started((n, request) => (n === 1 ? script(n, request) : good(n, request)));

  await expect(client.payments.verify('P-1')).rejects.toMatchObject({ httpStatus: expect.any(Number) });
  await expect(client.payments.verify('P-1')).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: waitMs });
  await expect(client.payments.verify('P-2')).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: waitMs });
  clock.pass(waitMs - 1);
  await expect(client.payments.verify('P-3')).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 1 });
  expect(gateway.requests).toHaveLength(1);
  clock.pass(1);
  expect(await client.payments.verify('P-4')).toMatchObject({ status: 'SUCCESS' });
  expect(await client.payments.verify('P-5')).toMatchObject({ status: 'SUCCESS' });
});

test('a key unknown to the gateway does not stop the verification of other payments', async () => {
  const { gateway, client, clock } = await started((n, request) => (n === 1 ? status(401) : good)(n, request));

  await expect(client.payments.verify('P-1')).rejects.toMatchObject({ code: 'authentication', httpStatus: 401 });
  expect(await client.payments.verify('P-2')).toMatchObject({ status: 'SUCCESS', reused: false });
  await expect(client.payments.verify('P-1')).rejects.toMatchObject({ retryAfterMs: 30 * SECOND_MS });
  clock.pass(30 * SECOND_MS);
  expect(await client.payments.verify('P-1')).toMatchObject({ status: 'SUCCESS' });
  expect(gateway.requests).toHaveLength(3);
});

test.each([
  [403, { error: 'forbidden' }, 15 * MINUTE_MS],
  [403, { result: { status: 404, message: 'Payment not found' } }, 15 * MINUTE_MS],
  [429, { error: 'too_many_requests' }, 15 * MINUTE_MS],
  [429, { non_field_errors: ['slow down'] }, 15 * MINUTE_MS],
  [429, { status: 'error', code: 'IP_BANNED', message: 'no' }, 15 * MINUTE_MS],
  [429, { success: false, code: 400, message: 'slow down' }, 15 * MINUTE_MS],
])('a %s opens the circuit, whatever its body: %j', async (code, body, waitMs) => {
  const { gateway, client } = await started(() => ({ kind: 'answer', status: code, body }));

  await expect(client.payments.verify('P-1')).rejects.toMatchObject({ httpStatus: code });
  await expect(client.payments.verify('P-2')).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: waitMs });
  expect(gateway.requests).toHaveLength(1);
});

test('a gateway that refuses connections is verified after ever longer waits', async () => {
  const { gateway, client, clock } = await started(good);
  await gateway.stop();

  await expect(client.payments.verify('P-1')).rejects.toMatchObject({ code: 'connection' });
  await expect(client.payments.verify('P-2')).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterMs: 30 * SECOND_MS,
  });
  clock.pass(30 * SECOND_MS);
  await expect(client.payments.verify('P-3')).rejects.toMatchObject({ code: 'connection' });
  await expect(client.payments.verify('P-4')).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: MINUTE_MS });
});

test('two clients of one application share a spacing in a shared store, two applications do not', async () => {
  const { gateway, clock, client } = await started(good, {
    budget: { store: memoryBudgetStore({ now: () => START }) },
  });
  const store = memoryBudgetStore(clock);
  const ours = [1, 2].map(() => clientOf(gateway.baseUrl, clock, { budget: { store } }));
  const another = clientOf(gateway.baseUrl, clock, { publicKey: 'pk_2', budget: { store } });

  for (const one of [...ours, another, client]) await one.payments.verify('P-1');
  expect(gateway.requests.map(({ headers }) => headers['authorization'])).toEqual([
    'Bearer pk:sk',
    'Bearer pk_2:sk',
    'Bearer pk:sk',
  ]);
});

test('the sixty-first subscription of a minute is not sent', async () => {
  const { gateway, client, clock } = await started((n) => {
    const link = 'https://gateway.example/pay';
    const result = { success: true, subscription_id: `S-${n}`, payment_id: `P-${n}`, link, status: 'incomplete' };
    return { kind: 'answer', body: { result, name: 'developers', code: 0, version: 'v2' } };
  });
  const create = (n: number): Promise<unknown> =>
    client.subscriptions.create({
      amountMillimes: 1_000,
      interval: 'month',
      name: 'Plan',
      developerTrackingId: `T-${n}`,
      successLink: 'https://shop.example/yes',
      failLink: 'https://shop.example/no',
    });

  await Promise.all(Array.from({ length: 60 }, (_, n) => create(n)));
  await expect(create(60)).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: MINUTE_MS });
  expect(gateway.requests).toHaveLength(60);
  clock.pass(MINUTE_MS);
  await create(60);
  expect(gateway.requests).toHaveLength(61);
});
