import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningSimulator } from '../../../src/simulator';
import { aClientOf, aRunningSimulator, SIMULATED_START } from '../../support/a-simulator';
import { WebhookReceiver } from '../../support/webhook-receiver';

// Goal: the control API does over HTTP what its table states, and refuses invalid input by name.
// Method: a simulator whose time stands still; payments are made by the client, a real receiver gets the webhooks.

let running: RunningSimulator;
let receiver: WebhookReceiver;

beforeEach(async () => {
  running = await aRunningSimulator();
  receiver = await WebhookReceiver.start();
});

afterEach(async () => {
  await running.close();
  await receiver.stop();
});

interface Answered {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function control(method: string, path: string, body?: unknown): Promise<Answered> {
  const response = await fetch(`${running.baseUrl}/_simulator${path}`, {
    method,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function file(path: string): Promise<string> {
  const response = await fetch(`${running.baseUrl}/_simulator${path}`);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer()).toString('latin1');
}

const links = { successLink: 'https://shop.example/yes', failLink: 'https://shop.example/no' };

async function aPayment(more: object = {}): Promise<string> {
  const { paymentId } = await aClientOf(running).payments.create({ amountMillimes: 5_000, ...links, ...more });
  return paymentId;
}

describe('The simulated time', () => {
  test('stays at its start and moves to the requested instant', async () => {
    expect((await control('GET', '/time')).body).toMatchObject({ now: SIMULATED_START, mode: 'manual' });
    const { status, body } = await control('POST', '/time/advance', { workingDays: 1 });
    expect(status).toBe(200);
    expect(body).toMatchObject({ now: '2026-03-03T08:00:00.000Z', businessDate: '2026-03-03', workingDay: true });
  });

  test('adds up the steps of concurrent calls', async () => {
    const steps = Array.from({ length: 6 }, () => control('POST', '/time/advance', { by: 'PT1H' }));
    expect((await Promise.all(steps)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await control('GET', '/time')).body).toMatchObject({ now: '2026-03-02T14:00:00.000Z', problem: null });
  });

  test.each(['2026-03-32T00:00:00Z', '2026-04-31T00:00:00Z', '2190-01-02T00:00:00Z'])(
    'does not move to %s',
    async (to) => {
      expect((await control('POST', '/time/advance', { to })).status).toBe(400);
      expect((await control('GET', '/time')).body).toMatchObject({ now: SIMULATED_START });
    },
  );

  test('never moves back', async () => {
    const { status, body } = await control('POST', '/time/advance', { to: '2026-03-02T07:59:59Z' });
    expect({ status, error: body['error'] }).toEqual({ status: 400, error: 'bad_input' });
  });

  test('advances after all due events, including webhooks and their repeats', async () => {
    await receiver.stop();
    receiver = await WebhookReceiver.start((n) => (n < 3 ? 503 : 204));
    await aPayment({ webhook: receiver.baseUrl });
    await control('POST', '/time/advance', { by: 'PT1H' });
    expect(receiver.received).toHaveLength(3);
    expect((await control('GET', '/state')).body).toMatchObject({
      payments: { EXPIRED: 1 },
      webhooks: { delivered: 1 },
    });
  });
});

describe('A payment', () => {
  test("is paid, and the call is answered after the webhook's delivery", async () => {
    const paymentId = await aPayment({ webhook: receiver.baseUrl, webhookVersion: 2, acceptCard: true });
    const { status, body } = await control('POST', `/payments/${paymentId}/pay`, { type: 'card' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ paymentId, status: 'SUCCESS', type: 'card', settlementStatus: 'PROCESSING' });
    expect(receiver.received).toHaveLength(1);
    const { body: seen } = await control('GET', `/payments/${paymentId}`);
    expect(seen).toMatchObject({ createdAt: SIMULATED_START, settledAt: SIMULATED_START });
    expect((await control('GET', '/webhooks')).body['webhooks']).toMatchObject([{ paymentId, status: 'delivered' }]);
  });

  test('fails', async () => {
    const paymentId = await aPayment();
    const { body } = await control('POST', `/payments/${paymentId}/fail`);
    expect(body).toMatchObject({ status: 'FAILURE', settlementStatus: 'NOT_APPLICABLE' });
    expect((await control('GET', '/payments')).body['payments']).toMatchObject([{ paymentId, status: 'FAILURE' }]);
  });

  test('is unchanged by an ending that its status does not allow', async () => {
    const paymentId = await aPayment();
    expect((await control('POST', `/payments/${paymentId}/pay`, { type: 'card' })).status).toBe(409);
    expect((await control('POST', `/payments/${paymentId}/pay`)).status).toBe(200);
    expect((await control('POST', `/payments/${paymentId}/pay`)).status).toBe(409);
    expect((await control('POST', '/payments/unknown/pay')).status).toBe(404);
    expect((await control('GET', '/payments/__proto__')).status).toBe(404);
  });

  test("can be paid by a webhook's receiver before it answers", async () => {
    const second = await aPayment();
    await receiver.stop();
    receiver = await WebhookReceiver.start(async (n) => {
      if (n === 1) await control('POST', `/payments/${second}/pay`);
      return 200;
    });
    const first = await aPayment({ webhook: receiver.baseUrl });
    await control('POST', `/payments/${first}/pay`);
    expect((await control('GET', '/state')).body).toMatchObject({ payments: { SUCCESS: 2 } });
  });
});

describe("A customer's other actions", () => {
  test('activate, renew, fail and cancel a subscription', async () => {
    const { subscriptionId, paymentId } = await aClientOf(running).subscriptions.create({
      ...links,
      amountMillimes: 5_000,
      interval: 'month',
      name: 'Plan',
      developerTrackingId: 'S-1',
    });
    await control('POST', `/payments/${paymentId}/pay`);
    const path = `/subscriptions/${subscriptionId}`;
    expect((await control('GET', path)).body).toMatchObject({ status: 'active', cyclesCompleted: 1 });
    // A debit takes its time.
    expect((await control('POST', `${path}/renew`)).status).toBe(200);
    await control('POST', '/time/advance', { minutes: 5 });
    expect((await control('GET', path)).body).toMatchObject({ cyclesCompleted: 2 });
    expect((await control('POST', `${path}/fail-next-renewal`, { times: 1 })).body).toMatchObject({ debitsToFail: 1 });
    await control('POST', `${path}/renew`);
    await control('POST', '/time/advance', { minutes: 5 });
    expect((await control('GET', path)).body).toMatchObject({ status: 'past_due' });
    const { body } = await control('POST', `${path}/cancel`, { initiator: 'customer' });
    expect(body).toMatchObject({ status: 'canceled', cancellationInitiator: 'customer' });
    expect((await control('POST', `${path}/close-wallet`)).status).toBe(409);
    expect((await control('GET', '/subscriptions')).body['subscriptions']).toHaveLength(1);
  });

  test('finish a transaction at a terminal', async () => {
    await aClientOf(running).pos.start({
      idTerminal: 'T-1',
      serialNumber: 'SN-1',
      amountMillimes: 7_000,
      paymentMethod: 'CARD',
      developerTrackingId: 'P-1',
    });
    const [transaction] = (await control('GET', '/pos')).body['transactions'] as { serviceTransactionId: string }[];
    const { body } = await control('POST', `/pos/${transaction?.serviceTransactionId}/finish`, { status: 'PS' });
    expect(body).toMatchObject({ status: 'PS', createdAt: SIMULATED_START });
    expect((await control('POST', '/pos/unknown/finish')).status).toBe(404);
  });

  test('pay a QR code twice', async () => {
    const { operationUuid } = await aClientOf(running).qr.generate({ amountMillimes: 7_000, merchantId: 12 });
    const { body } = await control('POST', `/qr/${operationUuid}/pay`, { times: 2 });
    expect(body['transactionIds']).toHaveLength(2);
    expect((await control('GET', '/qr')).body).toMatchObject({ codes: [{ operationUuid }], payments: [{}, {}] });
  });

  test('link a wallet', async () => {
    const { sessionId } = await aClientOf(running).wallet.initiateLink({ phoneNumber: '21698765432' });
    expect((await control('GET', '/wallets')).body['links']).toMatchObject([{ sessionId, trackingId: null }]);
    const { body } = await control('POST', `/wallet-links/${sessionId}/confirm`);
    expect(body['trackingId']).toMatch(/^[0-9a-f-]{36}$/);
    expect((await control('POST', `/wallet-links/${sessionId}/confirm`)).status).toBe(409);
  });
});

describe('A fault', () => {
  test('affects the call that it was ordered for, and can be withdrawn', async () => {
    const paymentId = await aPayment();
    const order = { operation: 'payments.verify', fault: { kind: 'status', code: 500, processed: false }, times: 2 };
    expect((await control('POST', '/faults', order)).status).toBe(200);
    await expect(aClientOf(running).payments.verify(paymentId)).rejects.toMatchObject({ code: 'unavailable' });
    expect((await control('GET', '/faults')).body).toMatchObject({ calls: [{ times: 1 }], bannedUntil: null });
    expect((await control('DELETE', '/faults')).body).toMatchObject({ calls: [], webhooks: [] });
    await expect(aClientOf(running).payments.verify(paymentId)).resolves.toMatchObject({ status: 'PENDING' });
  });

  test('affects one call by its path, and is refused for an impossible path', async () => {
    const [first, second] = [await aPayment(), await aPayment()];
    const fault = { kind: 'status', code: 500, processed: false };
    await control('POST', '/faults', { path: `/api/v2/verify_payment/${second}`, fault });
    await expect(aClientOf(running).payments.verify(first)).resolves.toMatchObject({ status: 'PENDING' });
    await expect(aClientOf(running).payments.verify(second)).rejects.toMatchObject({ code: 'unavailable' });
    const { status, body } = await control('POST', '/faults', { path: '/api/v2/verify', fault });
    expect({ status, details: String(body['details']) }).toMatchObject({
      status: 400,
      details: expect.stringContaining('path: '),
    });
  });

  test('delays no call with a path of many stars', async () => {
    const path = `${'*a'.repeat(60)}*`;
    expect((await control('POST', '/faults', { path, fault: { kind: 'reset_before' } })).status).toBe(200);
    const paymentId = await aPayment();
    await expect(aClientOf(running).payments.verify(paymentId)).resolves.toMatchObject({ status: 'PENDING' });
  });

  test('answers as a ban for too many calls if it is a ban', async () => {
    await control('POST', '/faults', { fault: { kind: 'ban', minutes: 5 } });
    const ask = async () => (await fetch(`${running.baseUrl}/api/v2/verify_payment/x`)).json();
    const first = await ask();
    expect(await ask()).toEqual(first);
  });

  test('affects the next webhook', async () => {
    expect((await control('POST', '/webhooks/next', { fault: { kind: 'unsigned' } })).status).toBe(200);
    await control('POST', `/payments/${await aPayment({ webhook: receiver.baseUrl })}/pay`);
    expect(receiver.received[0]?.headers).not.toHaveProperty('x-service-signature');
  });
});

describe('The state', () => {
  test('is saved and loaded as one document', async () => {
    const paymentId = await aPayment();
    await control('PATCH', '/settings', { cardAvailableAt: '10:00' });
    const { body: snapshot } = await control('GET', '/snapshot');
    await control('POST', '/reset', { seed: 8 });
    expect((await control('GET', '/state')).body).toMatchObject({ seed: 8, payments: {} });
    expect((await control('POST', '/snapshot', snapshot)).body).toMatchObject({ seed: 7, payments: { PENDING: 1 } });
    expect((await control('GET', '/settings')).body).toMatchObject({ cardAvailableAt: '10:00' });
    expect((await control('POST', `/payments/${paymentId}/pay`)).status).toBe(200);
  });

  test('stays unchanged when a document cannot be read', async () => {
    await aPayment();
    const { body: snapshot } = await control('GET', '/snapshot');
    for (const [wrong, field] of [
      [{ settings: {}, world: {} }, 'world.seed'],
      [{ ...snapshot, more: 1 }, 'more'],
      [{ world: snapshot['world'] }, 'settings'],
    ] as const) {
      const { status, body } = await control('POST', '/snapshot', wrong);
      expect({ status, details: String(body['details']) }).toMatchObject({
        status: 400,
        details: expect.stringContaining(`${field}: `),
      });
    }
    expect((await control('GET', '/state')).body).toMatchObject({ payments: { PENDING: 1 } });
  });

  test('is the same after the same calls, trace included', async () => {
    const run = async (): Promise<unknown> => {
      await control('POST', `/payments/${await aPayment()}/pay`);
      await control('POST', '/time/advance', { workingDays: 2 });
      return (await control('GET', '/trace')).body['lines'];
    };
    const first = await run();
    await control('POST', '/reset');
    expect(await run()).toEqual(first);
  });

  test('is traced in single lines', async () => {
    await aPayment();
    const { body } = await control('GET', '/trace?limit=1');
    const [line] = body['lines'] as { number: number }[];
    expect(body['lines']).toHaveLength(1);
    const { body: rest } = await control('GET', `/trace?after=${line?.number}&limit=10`);
    expect((rest['lines'] as { number: number }[])[0]?.number).toBeGreaterThan(line?.number ?? 0);
  });

  test('has settings that change by field, and stay if one is wrong', async () => {
    const { status, body } = await control('PATCH', '/settings', { verify: { perMinute: 5 } });
    expect({ status, verify: body['verify'] }).toMatchObject({ status: 200, verify: { perMinute: 5, banMinutes: 15 } });
    const wrong = await control('PATCH', '/settings', { verify: { perMinute: 9, often: 1 }, payer: { mode: 'no' } });
    expect(wrong.status).toBe(400);
    expect(JSON.stringify(wrong.body['details'])).toMatch(/payer\.mode.*often/);
    expect((await control('GET', '/settings')).body).toMatchObject({ verify: { perMinute: 5 } });
  });
});

describe('A payout', () => {
  test('is shown with its lines, files and truth, up to the last closed day', async () => {
    const paymentId = await aPayment();
    await control('POST', `/payments/${paymentId}/pay`);
    expect((await control('GET', '/payouts')).body).toMatchObject({ payouts: [], availableMillimes: 5_000 });
    await control('POST', '/time/advance', { workingDays: 2 });
    const itemId = `payment:${paymentId}`;
    expect((await control('GET', '/payouts')).body).toMatchObject({
      payouts: [{ netMillimes: 5_000, cutAt: '2026-03-02T15:00:00.000Z', lines: [{ itemId }] }],
      openItems: 0,
    });
    expect((await control('GET', '/truth.json')).body).toMatchObject({
      through: '2026-03-03',
      items: [{ item_id: itemId, state: 'paid' }],
    });
    expect(await file('/match/items.csv')).toContain(`${itemId},wallet,5000,${SIMULATED_START}`);
    expect(await file('/match/observations.csv')).toContain(`${itemId},${SIMULATED_START},SUCCESS,AVAILABLE`);
    expect(await file('/match/statement.csv')).toMatch(/,2026-03-03,2026-03-03,5000,/);
    const statement = await file('/bank-statement.csv');
    expect(statement).toContain('du 03/03/2026 au 03/03/2026');
    expect(statement).toContain('10\u00a0005,000');
    expect(await file('/bank-statement.csv?from=2026-03-01&through=2026-03-02')).toContain(
      'Solde final au 02/03/2026 :;;;;;;10\u00a0000,000',
    );
    for (const path of ['/bank-statement', '/bank-statement.csv']) {
      expect(await file(`${path}?format=csv`)).toBe(statement);
      expect(await file(`${path}?format=camt053`)).toContain('<Amt Ccy="TND">10005.000</Amt>');
      expect(await file(`${path}?format=mt940`)).toContain(':62F:C260303TND10005,000');
    }
  });

  test('has no statement of a day that has not ended', async () => {
    const { status, body } = await control('GET', '/bank-statement.csv?through=2026-03-02');
    expect({ status, error: body['error'] }).toEqual({ status: 409, error: 'conflict' });
  });
});

describe('An unusable request', () => {
  test.each([
    ['POST', '/time/advance', { minutes: 1, hours: 2 }, 'hours'],
    ['POST', '/time/advance', '{"minutes":', 'body: cannot be read as JSON (not_json)'],
    ['POST', '/time/advance', [], 'body'],
    ['POST', '/payments/x/pay', { type: 'cash' }, 'type'],
    ['POST', '/subscriptions/x/renew', { now: true }, 'now'],
    ['POST', '/reset', { seed: -1 }, 'seed'],
    ['POST', '/faults', { fault: { kind: 'none' } }, 'fault.kind'],
    ['POST', '/faults', { operation: 'nothing', fault: { kind: 'garbage' } }, 'operation'],
    ['POST', '/webhooks/next', {}, 'fault'],
    ['POST', '/agents/drive', { baseUrl: 'http://127.0.0.1:1' }, 'token'],
    ['GET', '/trace?limit=0', undefined, 'limit'],
    ['GET', '/trace?after=1&after=2', undefined, 'after: expected one value, got several'],
    ['GET', '/trace?before=1', undefined, 'before'],
    ['GET', '/bank-statement.csv?from=yesterday', undefined, 'from'],
    ['GET', '/bank-statement?format=pdf', undefined, 'format: expected one of csv, camt053, mt940'],
    ['GET', '/bank-statement.csv?format=CSV', undefined, 'format: expected one of csv, camt053, mt940'],
  ])('%s %s %j is answered 400 with the wrong field', async (method, path, body, named) => {
    const answer = await control(method, path, body);
    expect(answer).toMatchObject({ status: 400, body: { error: 'bad_input' } });
    expect(String(answer.body['details'])).toContain(named);
  });

  test('is answered 404 in JSON at an unknown address', async () => {
    expect(await control('GET', '/nothing')).toMatchObject({ status: 404, body: { error: 'not_found' } });
    expect(await control('PATCH', '/time', {})).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });

  test('finds every route in the list', async () => {
    const { body } = await control('GET', '');
    expect(body['routes']).toContainEqual(expect.objectContaining({ method: 'GET', path: '/_simulator/time' }));
  });
});
