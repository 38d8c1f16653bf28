// Goal: each fault of a call reaches the client as in production, and money is requested at most once.
// Method: the real client against the simulator's HTTP side, with operations of a few lines; the test counts in the
// trace.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type GatewayClient, GatewayError } from '../../../src/gateway';
import { MINUTE_MS } from '../../../src/kernel';
import {
  createSimulator,
  createSimulatorApp,
  decodeCallFaultOrder,
  decodeWebhookOrder,
  emitWebhook,
  GATEWAY_PARTS,
  good,
  nextWebhook,
  orderCallFault,
  type SimOperation,
  type Simulator,
  SimulatorClock,
} from '../../../src/simulator/testing';
import { aClient } from '../../support/a-client';
import { aClientOf, aRunningSimulator, passTime, SIMULATED_START } from '../../support/a-simulator';
import { fixedClock, recordingLogger } from '../../support/fakes';
import { WebhookReceiver } from '../../support/webhook-receiver';

/** What the client waits when the fault is that nothing comes in time; and what it never needs otherwise. */
const SHORT_MS = 400;
const LONG_MS = 60_000;

const POS_START: SimOperation = {
  name: 'pos.start',
  method: 'POST',
  path: '/api/transactions/init_pos_transaction',
  auth: 'app',
  answer: () => ({ status: 201, body: { success: true, terminal_id: 'T-1', status_code: 201 } }),
};
const VERIFY: SimOperation = {
  name: 'payments.verify',
  method: 'GET',
  path: '/api/v2/verify_payment/:payment_id',
  auth: 'app',
  answer: () =>
    good(
      { type: 'NA', amount: 25_000, status: 'PENDING', details: {}, settlement_status: 'NOT_APPLICABLE' },
      { beside: { success: true, status_code: 200 } },
    ),
};

const servers: Server[] = [];
const receivers: WebhookReceiver[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  for (const receiver of receivers.splice(0)) await receiver.stop();
});

interface Running {
  readonly simulator: Simulator;
  readonly baseUrl: string;
  readonly client: GatewayClient;
}

async function run({ timeoutMs = LONG_MS, operations = [POS_START, VERIFY] } = {}): Promise<Running> {
  const simulator = createSimulator({
    clock: new SimulatorClock('manual', fixedClock(SIMULATED_START)),
    seed: 7,
    timeZone: 'Africa/Tunis',
    holidays: [],
    ...GATEWAY_PARTS,
    operations,
    begin: () => undefined,
  });
  const server = createServer(createSimulatorApp(simulator, recordingLogger()));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { publicKey: 'pk_simulator', privateKey: 'sk_simulator', apiKey: 'ak_simulator' };
  const clock = fixedClock(SIMULATED_START);
  return { simulator, baseUrl, client: aClient({ baseUrl, ...credentials, timeoutMs, clock }) };
}

function order({ simulator }: Running, value: Readonly<Record<string, unknown>>): void {
  orderCallFault(simulator.simulation, decodeCallFaultOrder(value, simulator.operations));
}

/** How many calls of an operation had their effect, and how many came whose effect a fault prevented. */
function countOf({ simulator }: Running, operation: string): { readonly processed: number; readonly stopped: number } {
  const lines = simulator.simulation.world.trace.filter(({ facts }) => facts['operation'] === operation);
  return {
    processed: lines.filter(({ what }) => what === 'call').length,
    stopped: lines.filter(({ what, facts }) => what === 'fault' && facts['processed'] === false).length,
  };
}

const startPos = ({ client }: Running, amountMillimes = 1_000): Promise<unknown> =>
  client.pos.start({
    idTerminal: 'T-1',
    serialNumber: 'SN-1',
    amountMillimes,
    paymentMethod: 'CARD',
    developerTrackingId: 'till-1',
  });

async function failureOf(work: Promise<unknown>): Promise<GatewayError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error('the call did not fail');
}

describe('A call that moves money', () => {
  const AFTER = { processed: 1, stopped: 0 };
  const BEFORE = { processed: 0, stopped: 1 };

  test.each([
    ['a reset before processing', { kind: 'reset_before' }, 'outcome_unknown', BEFORE],
    ['a reset after processing', { kind: 'reset_after' }, 'outcome_unknown', AFTER],
    ['a cut in the middle of the body', { kind: 'cut_mid_body' }, 'outcome_unknown', AFTER],
    ['half of the JSON', { kind: 'truncated_json' }, 'outcome_unknown', AFTER],
    ['garbage after processing', { kind: 'garbage' }, 'outcome_unknown', AFTER],
    ['garbage instead of processing', { kind: 'garbage', processed: false }, 'outcome_unknown', BEFORE],
    ['a page of HTML with 502', { kind: 'html_502' }, 'outcome_unknown', AFTER],
    ['500 after processing', { kind: 'status', code: 500 }, 'outcome_unknown', AFTER],
    ['503 before processing', { kind: 'status', code: 503, processed: false }, 'outcome_unknown', BEFORE],
    ['a body beyond any size', { kind: 'huge_body' }, 'outcome_unknown', AFTER],
    ['a redirect', { kind: 'redirect', to: '/api/transactions/init_pos_transaction' }, 'outcome_unknown', BEFORE],
    ['too many calls', { kind: 'too_many', retryAfterSecs: 7 }, 'rate_limited', BEFORE],
    ['a ban', { kind: 'ban', minutes: 5 }, 'permission', BEFORE],
  ])('is sent once despite %s', async (_what, fault, code, expected) => {
    const running = await run();
    order(running, { fault, times: 10 });
    expect((await failureOf(startPos(running))).code).toBe(code);
    expect(countOf(running, 'pos.start')).toEqual(expected);
  });

  test.each([
    ['comes late', { kind: 'delay', ms: 600_000 }],
    ['drips', { kind: 'drip', bytesPerSecond: 1 }],
  ])('is sent once when the answer %s, and the deadline holds', async (_how, fault) => {
    const running = await run({ timeoutMs: SHORT_MS });
    order(running, { fault, times: 10 });
    expect((await failureOf(startPos(running))).code).toBe('outcome_unknown');
    expect(countOf(running, 'pos.start').processed).toBeLessThanOrEqual(1);
  });

  test.each([
    [66_000_010, 'outcome_unknown', BEFORE],
    [66_000_011, 'outcome_unknown', AFTER],
    [66_000_012, 'outcome_unknown', AFTER],
    [66_000_013, 'rate_limited', BEFORE],
    [66_000_015, 'outcome_unknown', AFTER],
  ])('has the fault of the magic amount %d', async (amountMillimes, code, expected) => {
    const running = await run();
    expect((await failureOf(startPos(running, amountMillimes))).code).toBe(code);
    expect(countOf(running, 'pos.start')).toEqual(expected);
  });
});

describe('An ordered answer', () => {
  test('is accepted if it arrives slowly but within the deadline', async () => {
    const running = await run();
    order(running, { fault: { kind: 'drip', bytesPerSecond: 100_000 } });
    expect(await startPos(running)).toMatchObject({ terminalId: 'T-1' });
  });

  test('is accepted if it is late within the deadline', async () => {
    const running = await run();
    order(running, { fault: { kind: 'delay', ms: 1 } });
    expect(await startPos(running)).toMatchObject({ terminalId: 'T-1' });
  });

  test('states the waiting time of a 429 in the header', async () => {
    const running = await run();
    order(running, { fault: { kind: 'too_many', retryAfterSecs: 7 } });
    expect(await failureOf(startPos(running))).toMatchObject({ httpStatus: 429, retryAfterMs: 7_000 });
  });

  test('has the status, body and headers of the order', async () => {
    const running = await run();
    const body = { success: false, code: 503, message: 'Service unavailable' };
    order(running, { fault: { kind: 'status', code: 503, body, headers: { 'X-Why': 'test' }, processed: false } });
    const response = await fetch(`${running.baseUrl}${POS_START.path}`, { method: 'POST' });
    expect([response.status, response.headers.get('x-why'), await response.json()]).toEqual([503, 'test', body]);
  });

  test.each([
    [418, { detail: "I'm a Teapot" }],
    [500, { detail: 'Internal Server Error' }],
    [599, { detail: 'Error 599' }],
    [201, { success: true, terminal_id: 'T-1', status_code: 201 }],
  ])('with the status %d and no body is never a success for an error', async (code, expected) => {
    const running = await run();
    order(running, { fault: { kind: 'status', code, headers: { 'X-Why': 'test' } } });
    const response = await fetch(`${running.baseUrl}${POS_START.path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer pk_simulator:sk_simulator' },
    });
    expect([response.status, response.headers.get('x-why'), await response.json()]).toEqual([code, 'test', expected]);
    expect(countOf(running, 'pos.start').processed).toBe(1);
  });

  test('is not followed if it is a redirect', async () => {
    const elsewhere = await WebhookReceiver.start();
    receivers.push(elsewhere);
    const running = await run();
    order(running, { fault: { kind: 'redirect', to: `${elsewhere.baseUrl}/stolen` } });
    await failureOf(startPos(running));
    expect(elsewhere.received).toEqual([]);
  });
});

describe('A ban', () => {
  test('answers 403 to every operation until its simulated minutes end', async () => {
    const running = await run();
    order(running, { operation: 'pos.start', fault: { kind: 'ban', minutes: 5 } });
    expect(await failureOf(startPos(running))).toMatchObject({ httpStatus: 403 });
    await passTime(running.simulator, 5 * MINUTE_MS - 1);
    expect(await failureOf(startPos(running))).toMatchObject({ httpStatus: 403 });
    const get = (): Promise<Response> =>
      fetch(`${running.baseUrl}/api/v2/verify_payment/P-1`, {
        headers: { authorization: 'Bearer pk_simulator:sk_simulator' },
      });
    expect((await get()).status).toBe(403);
    await passTime(running.simulator, 1);
    expect(await startPos(running)).toMatchObject({ terminalId: 'T-1' });
    expect((await get()).status).toBe(200);
  });

  test('counts for no other order', async () => {
    const running = await run();
    order(running, { fault: { kind: 'ban', minutes: 1 } });
    order(running, { fault: { kind: 'too_many', retryAfterSecs: 1 } });
    await failureOf(startPos(running));
    expect((await failureOf(startPos(running))).code).toBe('permission');
    await passTime(running.simulator, MINUTE_MS);
    expect((await failureOf(startPos(running))).code).toBe('rate_limited');
  });
});

test('a webhook may arrive before the answer to the call that creates its payment', async () => {
  const receiver = await WebhookReceiver.start();
  receivers.push(receiver);
  const running = await aRunningSimulator({ settings: { payer: { mode: 'auto', afterSecs: 0 } } });
  try {
    const { simulation, operations } = running.simulator;
    const waiting = { operation: 'payments.create', fault: { kind: 'webhook_first' } };
    orderCallFault(simulation, decodeCallFaultOrder(waiting, operations));
    const { paymentId } = await aClientOf(running).payments.create({
      amountMillimes: 25_000,
      successLink: 'https://shop.example/paid',
      failLink: 'https://shop.example/failed',
      webhook: `${receiver.baseUrl}/webhooks/payment`,
    });
    expect(receiver.received.map(({ target }) => target.split('&')[0])).toEqual([
      `/webhooks/payment?payment_id=${encodeURIComponent(paymentId)}`,
    ]);
  } finally {
    await running.close();
  }
});

describe('A webhook before the answer of its call', () => {
  const PAY: SimOperation = {
    ...POS_START,
    answer: (simulation) => {
      const url = `${receivers[0]?.baseUrl ?? 'http://nobody.invalid'}/hint`;
      emitWebhook(simulation, { kind: 'hint', channel: 'pos', url, body: { id: 'X-1' } });
      return { status: 201, body: { success: true, terminal_id: 'T-1', status_code: 201 } };
    },
  };

  /** What the integrator knew of its own call when the webhook came. */
  async function heardFirst(prepare: (running: Running) => void): Promise<readonly string[]> {
    const heard: string[] = [];
    receivers.push(
      await WebhookReceiver.start(() => {
        heard.push('webhook');
        return 200;
      }),
    );
    const running = await run({ operations: [PAY] });
    prepare(running);
    await startPos(running);
    heard.push('answer');
    await running.simulator.catchUp();
    return heard;
  }

  test('is not sent without an order', async () => {
    expect(await heardFirst(() => undefined)).toEqual(['answer', 'webhook']);
  });

  test('is sent if the webhook is ordered to be early', async () => {
    const early = decodeWebhookOrder({ fault: { kind: 'early' } });
    expect(await heardFirst(({ simulator }) => void nextWebhook(simulator.simulation, early))).toEqual([
      'webhook',
      'answer',
    ]);
  });

  test('is sent if the call is ordered to wait for it', async () => {
    expect(await heardFirst((running) => order(running, { fault: { kind: 'webhook_first' } }))).toEqual([
      'webhook',
      'answer',
    ]);
  });

  test('lets its receiver call the gateway before it answers', async () => {
    const running = await run({ operations: [PAY, VERIFY] });
    const statuses: number[] = [];
    receivers.push(
      await WebhookReceiver.start(async () => {
        const headers = { authorization: 'Bearer pk_simulator:sk_simulator' };
        statuses.push((await fetch(`${running.baseUrl}/api/v2/verify_payment/P-1`, { headers })).status);
        return 200;
      }),
    );
    order(running, { operation: 'pos.start', fault: { kind: 'webhook_first' } });
    await startPos(running);
    expect(statuses).toEqual([200]);
  });
});

test('a fault affects its operation only, after the number of calls to skip, for its number of times', async () => {
  const running = await run();
  order(running, {
    operation: 'pos.start',
    afterCalls: 2,
    times: 2,
    fault: { kind: 'too_many', retryAfterSecs: 1 },
  });
  const outcomes: string[] = [];
  const codeOf = (error: unknown): string => (error instanceof GatewayError ? error.code : 'another error');
  for (let call = 0; call < 6; call += 1) {
    outcomes.push(await startPos(running).then(() => 'good', codeOf));
    if (call === 0) await running.client.payments.verify('P-1');
  }
  expect(outcomes).toEqual(['good', 'good', 'rate_limited', 'rate_limited', 'good', 'good']);
});
