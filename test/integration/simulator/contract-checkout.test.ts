// Goal: the client and the simulator agree on every operation of the hosted checkout (interface section 4.1).
// Method: the typed client calls a running simulator over HTTP; answers have the keys and JSON types of the typed
// examples.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CreatePayment, GatewayClient } from '../../../src/gateway';
import { businessDate, MINUTE_MS } from '../../../src/kernel';
import type { RunningSimulator } from '../../../src/simulator';
import { failPayment, payPayment } from '../../../src/simulator/testing';
import { aClientOf, aRunningSimulator, jsonShapeOf, SIMULATED_START } from '../../support/a-simulator';
import { type ExampleAnswer, type ExampleError, interfaceExamples } from '../../support/interface-examples';

const INPUT: CreatePayment = {
  amountMillimes: 25_000,
  successLink: 'https://shop.example/paid',
  failLink: 'https://shop.example/failed',
};
/** No request of this client is held back: what the simulator says to repeated calls is under test here. */
const NO_SPACING = { verifySpacingMs: 0, budget: { verifiesPerMinute: 6_000 } };

let running: RunningSimulator;
let client: GatewayClient;

beforeEach(async () => {
  running = await aRunningSimulator({ settings: { verify: { perMinute: 10, banAfter: 3, banMinutes: 15 } } });
  client = aClientOf(running, NO_SPACING);
});

afterEach(async () => {
  await running.close();
});

const pay = (paymentId: string, how: Parameters<typeof payPayment>[2] = {}): unknown =>
  payPayment(running.simulator.simulation, paymentId, how);

/** The literal body of an example, by the name of its answer or error. */
function exampleBody(operation: string, name: string): unknown {
  const all: readonly (ExampleAnswer | ExampleError)[] = interfaceExamples()
    .filter((example) => example.operation === operation)
    .flatMap(({ answers, errors }) => [...answers, ...errors]);
  const found = all.find((one) => one.name === name);
  if (found === undefined || !('body' in found)) throw new Error(`no example of ${operation} is called ${name}`);
  return found.body;
}

const expectShapeOf = (raw: unknown, operation: string, name: string): void =>
  expect(jsonShapeOf(raw)).toEqual(jsonShapeOf(exampleBody(operation, name)));

/** What an error body over the wire looks like, beside the envelope that the interface leaves open. */
async function rawAnswer(
  path: string,
  { body, authorization = 'Bearer pk_simulator:sk_simulator' }: { body?: unknown; authorization?: string } = {},
): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }> {
  const response = await fetch(`${running.baseUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  };
}

describe('payments.create', () => {
  test('returns the id, a link to its page on the simulator, and the tracking id', async () => {
    const created = await client.payments.create({ ...INPUT, developerTrackingId: 'commande-é-1', webhookVersion: 2 });

    expect(created).toMatchObject({
      paymentId: expect.stringMatching(/^pay_/),
      link: `${running.baseUrl}/pay/${created.paymentId}`,
      developerTrackingId: 'commande-é-1',
    });
    expectShapeOf(created.raw, 'payments.create', 'a link');
  });

  test('returns null without a tracking id', async () => {
    const created = await client.payments.create(INPUT);

    expect(created.developerTrackingId).toBeNull();
    expectShapeOf(created.raw, 'payments.create', 'no tracking id was given: null comes back');
  });

  test.each([
    ['standard', () => client.payments.create(INPUT)],
    ['binding', () => client.payments.createWithBinding({ ...INPUT, clientId: 'customer 77' })],
    ['preauthorization', () => client.payments.preauthorize(INPUT)],
    [
      'split',
      () => client.payments.createSplit({ ...INPUT, destination: [{ amountMillimes: 5_000, destination: '0123' }] }),
    ],
  ])('stores the variant %s with its amount', async (variant, create) => {
    const { paymentId } = await create();

    const { payments } = running.simulator.simulation.world.checkout;
    expect(payments[paymentId]).toMatchObject({ variant, amountMillimes: 25_000 });
  });

  test('is refused as a bad request with an unusable body', async () => {
    const refused = await rawAnswer('/api/v2/generate_payment', { body: { amount: 25_000 } });

    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ result: { status: 400, message: 'Bad Request' } });
    const input = { method: 'POST', path: '/api/v2/generate_payment', body: { amount: 1 }, auth: 'app' } as const;
    await expect(client.request(input)).rejects.toMatchObject({ code: 'validation', gatewayCode: '400' });
  });
});

describe('payments.verify', () => {
  test('shows a wallet payment as in section 2.1', async () => {
    const { paymentId } = await client.payments.create({ ...INPUT, developerTrackingId: 'order-1' });
    pay(paymentId);

    const verified = await client.payments.verify(paymentId);

    expect(verified).toMatchObject({
      paymentId,
      status: 'SUCCESS',
      type: 'wallet',
      amountMillimes: 25_000,
      settlementStatus: 'AVAILABLE',
      developerTrackingId: 'order-1',
      reused: false,
    });
    expectShapeOf(verified.raw, 'payments.verify', 'a wallet payment');
  });

  test('shows the parts of a split', async () => {
    const destination = [{ amountMillimes: 5_000, destination: '0123' }];
    const { paymentId } = await client.payments.createSplit({ ...INPUT, destination, developerTrackingId: 'order-2' });
    pay(paymentId, { type: 'mpayment' });

    const verified = await client.payments.verify(paymentId);

    expect(verified).toMatchObject({ type: 'mpayment', amountMillimes: 25_000 });
    expect(verified.details['destination']).toEqual([{ amount: 5_000, destination: '0123' }]);
    expectShapeOf(verified.raw, 'payments.verify', 'a split payment by mobile switch, paid out');
  });

  test('follows a card payment on its way to the bank', async () => {
    const { paymentId } = await client.payments.create({ ...INPUT, acceptCard: true });
    pay(paymentId, { type: 'card' });

    const seen: unknown[] = [];
    for (const day of ['2026-03-02', '2026-03-03', '2026-03-04'] as const) {
      const { calendar } = running.simulator.simulation;
      await running.simulator.advanceTo(calendar.startOf(businessDate(day)) + 12 * 60 * MINUTE_MS);
      seen.push((await client.payments.verify(paymentId)).settlementStatus);
    }

    expect(seen).toEqual(['PROCESSING', 'AVAILABLE', 'PAID']);
  });

  test('shows a pending, an expired and a failed payment, none of which is the merchant’s money', async () => {
    const [left, refused] = [await client.payments.create(INPUT), await client.payments.create(INPUT)];
    expect(await client.payments.verify(left.paymentId)).toMatchObject({ status: 'PENDING', type: 'NA', details: {} });
    failPayment(running.simulator.simulation, refused.paymentId, { type: 'wallet' });

    await running.simulator.advanceTo(running.simulator.simulation.now() + 20 * MINUTE_MS);

    const expired = await client.payments.verify(left.paymentId);
    expect(expired).toMatchObject({ status: 'EXPIRED', type: 'NA', settlementStatus: 'NOT_APPLICABLE' });
    const failed = await client.payments.verify(refused.paymentId);
    expect(failed).toMatchObject({
      status: 'FAILURE',
      details: { failureReason: expect.any(String) },
      settlementStatus: 'NOT_APPLICABLE',
    });
  });

  test.each(['unknown', '__proto__', 'a/b+c=?d %'])('finds no payment with the id %j', async (paymentId) => {
    await expect(client.payments.verify(paymentId)).rejects.toMatchObject({ code: 'not_found', httpStatus: 404 });

    const { status, body } = await rawAnswer(`/api/v2/verify_payment/${encodeURIComponent(paymentId)}`);
    expect(status).toBe(404);
    expect(jsonShapeOf(body)).toMatchObject(
      jsonShapeOf(exampleBody('payments.verify', 'not found under 404')) as Record<string, unknown>,
    );
    expect(body).toMatchObject({ result: { status: 404, message: 'Payment not found' } });
  });

  test('is refused above the limit, and a caller that continues is banned from every operation for a while', async () => {
    const { paymentId } = await client.payments.create(INPUT);
    const verify = `/api/v2/verify_payment/${paymentId}`;
    for (let call = 0; call < 10; call += 1) expect((await rawAnswer(verify)).status).toBe(200);

    await expect(client.payments.verify(paymentId)).rejects.toMatchObject({
      code: 'rate_limited',
      httpStatus: 429,
      retryAfterMs: MINUTE_MS,
    });
    expect((await rawAnswer(verify)).headers.get('retry-after')).toBe('60');
    expect((await rawAnswer(verify)).status).toBe(429);

    expect((await rawAnswer(verify)).status).toBe(403);
    await expect(client.payments.create(INPUT)).rejects.toMatchObject({ code: 'permission', httpStatus: 403 });
    await running.simulator.advanceTo(running.simulator.simulation.now() + 15 * MINUTE_MS);
    expect((await rawAnswer(verify)).status).toBe(200);
    await client.payments.create(INPUT);
  });
});

describe('payments.capture and payments.cancel', () => {
  async function aHold(): Promise<string> {
    const { paymentId } = await client.payments.preauthorize({ ...INPUT, amountMillimes: 120_000 });
    pay(paymentId);
    return paymentId;
  }

  test('capture all of a reservation', async () => {
    const paymentId = await aHold();
    expect(await client.payments.verify(paymentId)).toMatchObject({
      status: 'PREAUTH_SUCCESS',
      amountMillimes: 120_000,
      settlementStatus: 'NOT_APPLICABLE',
    });

    const captured = await client.payments.capture({ paymentId });

    expect(captured).toMatchObject({
      paymentId,
      status: 'confirmed',
      amountMillimes: 120_000,
      confirmedAt: SIMULATED_START,
    });
    expect(captured.assumedOffset).toBeUndefined();
    expectShapeOf(captured.raw, 'payments.capture', 'confirmed, the amount as text, the time with an offset');
  });

  test('capture a part of a reservation once', async () => {
    const paymentId = await aHold();

    const captured = await client.payments.capture({ paymentId, amountMillimes: 40_000 });

    expect(captured).toMatchObject({ amountMillimes: 40_000 });
    expect(await client.payments.verify(paymentId)).toMatchObject({ status: 'SUCCESS', amountMillimes: 40_000 });
    const again = client.payments.capture({ paymentId, amountMillimes: 40_000 });
    await expect(again).rejects.toMatchObject({ code: 'refused', gatewayCode: 'CONFIRMATION_FAILED' });
  });

  test('do not capture more than is reserved', async () => {
    const paymentId = await aHold();

    const tooMuch = client.payments.capture({ paymentId, amountMillimes: 120_001 });

    await expect(tooMuch).rejects.toMatchObject({ code: 'refused', gatewayCode: 'CONFIRMATION_FAILED' });
    const { body } = await rawAnswer('/api/v2/confirm_payment', { body: { payment_id: 'unknown' } });
    expect(jsonShapeOf(body)).toEqual(jsonShapeOf(exampleBody('payments.capture', 'refused under 400')));
  });

  test('cancel a reservation once', async () => {
    const paymentId = await aHold();

    const cancelled = await client.payments.cancel({ paymentId });

    expect(cancelled).toMatchObject({ paymentId, status: 'cancelled', cancelledAt: SIMULATED_START });
    expectShapeOf(cancelled.raw, 'payments.cancel', 'cancelled, the time with an offset');
    const again = client.payments.cancel({ paymentId });
    await expect(again).rejects.toMatchObject({ code: 'refused', gatewayCode: 'CANCELLATION_FAILED' });
    const { body } = await rawAnswer('/api/v2/cancel_payment', { body: { payment_id: paymentId } });
    expect(jsonShapeOf(body)).toEqual(jsonShapeOf(exampleBody('payments.cancel', 'refused under 400')));
  });
});

describe('payments.refund', () => {
  test('refunds a paid payment in full once', async () => {
    const { paymentId } = await client.payments.create(INPUT);
    pay(paymentId);

    const refunded = await client.payments.refund({ paymentId });

    expect(refunded).toMatchObject({
      refundId: expect.stringMatching(/^rf_/),
      paymentId,
      amountMillimes: 25_000,
      status: 'success',
      refundedAt: SIMULATED_START,
    });
    expectShapeOf(refunded.raw, 'payments.refund', 'refunded, the amount as text');
    expect(await client.payments.verify(paymentId)).toMatchObject({ settlementStatus: 'NOT_APPLICABLE' });
    const again = client.payments.refund({ paymentId });
    await expect(again).rejects.toMatchObject({ code: 'refused', gatewayCode: 'REFUND_NOT_ALLOWED' });
    const { body } = await rawAnswer('/api/v2/refund_payment', { body: { payment_id: paymentId } });
    expect(jsonShapeOf(body)).toEqual(jsonShapeOf(exampleBody('payments.refund', 'refused under 400')));
  });
});

describe('bindings.list', () => {
  test("lists the card that a client's first successful payment saved", async () => {
    const clientId = 'customer 77&é+';
    const { paymentId } = await client.payments.createWithBinding({ ...INPUT, clientId, acceptCard: true });
    expect(await client.bindings.list({ clientId })).toEqual([]);
    pay(paymentId, { type: 'card' });

    const [binding, ...others] = await client.bindings.list({ clientId });

    expect(others).toEqual([]);
    expect(binding).toMatchObject({ clientId, status: 'active', createdAt: SIMULATED_START });
    expect(binding?.cardLastFour).toMatch(/^\d{4}$/);
    expect((await client.payments.verify(paymentId)).details).toMatchObject({ bindingId: binding?.bindingId });
    const { body } = await rawAnswer(`/api/v2/bindings/list?client_id=${encodeURIComponent(clientId)}`);
    const { result, ...envelope } = exampleBody('bindings.list', 'two bindings, one of a status that no table has') as {
      result: { bindings: unknown[] };
    };
    expect(jsonShapeOf(body)).toEqual(
      jsonShapeOf({ ...envelope, result: { ...result, bindings: result.bindings.slice(0, 1) } }),
    );
  });

  test('refuses an unknown client', async () => {
    const unknown = client.bindings.list({ clientId: 'unknown' });

    await expect(unknown).rejects.toMatchObject({ code: 'validation', httpStatus: 400, gatewayCode: '400' });
    const { body } = await rawAnswer('/api/v2/bindings/list');
    expect(body).toMatchObject({ result: { status: 400, message: 'Invalid client_id' } });
  });
});

test.each([
  ['POST', '/api/v2/generate_payment'],
  ['GET', '/api/v2/verify_payment/x'],
  ['POST', '/api/v2/confirm_payment'],
  ['POST', '/api/v2/cancel_payment'],
  ['POST', '/api/v2/refund_payment'],
  ['GET', '/api/v2/bindings/list?client_id=c'],
])('%s %s accepts only the application credential', async (method, path) => {
  for (const authorization of ['Bearer pk_simulator:sk_other', 'Api-Key ak_simulator', 'Bearer pk_simulator']) {
    const answer = await rawAnswer(path, { authorization, ...(method === 'POST' ? { body: {} } : {}) });
    expect(answer.status).toBe(401);
  }
});
