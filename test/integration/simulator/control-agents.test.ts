import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningSimulator } from '../../../src/simulator';
import { aRunningSimulator } from '../../support/a-simulator';

// Goal: a confirm stored by the integrator's agent endpoint is owed to the integrator once, and nothing else is.
// Method: endpoints of a few lines that keep to section 4.6, or violate it; the money is read from the payouts.

const TOKEN = 'the-token';
let running: RunningSimulator;
let endpoints: Server;
let stored: Set<string>;
let wrongCode: string | undefined;
/** Told of each request instead of answering it. */
let unanswered: ((request: IncomingMessage) => void) | undefined;

beforeEach(async () => {
  running = await aRunningSimulator();
  stored = new Set();
  wrongCode = undefined;
  unanswered = undefined;
  endpoints = createServer((request, response) => {
    let text = '';
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    request.on('end', () => {
      if (unanswered !== undefined) return unanswered(request);
      response.setHeader('Content-Type', 'application/json');
      if (request.headers.authorization !== `Bearer ${TOKEN}`) response.writeHead(403).end('{}');
      else if (request.method === 'GET') response.end('{"code":"0","desc":"Agent","amount":"0"}');
      else response.end(JSON.stringify({ code: codeOf(text) }));
    });
  });
  endpoints.listen(0, '127.0.0.1');
  await once(endpoints, 'listening');
});

afterEach(async () => {
  await running.close();
  endpoints.closeAllConnections();
  endpoints.close();
});

function codeOf(text: string): string {
  if (wrongCode !== undefined) return wrongCode;
  const { transactionId, amount } = JSON.parse(text) as { transactionId: string; amount: unknown };
  if (stored.has(transactionId)) return '3';
  if (!Number.isSafeInteger(amount) || Number(amount) <= 0) return '2';
  stored.add(transactionId);
  return '0';
}

async function agents(
  call: string,
  more: object,
  signal?: AbortSignal,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const baseUrl = `http://127.0.0.1:${(endpoints.address() as AddressInfo).port}`;
  const response = await fetch(`${running.baseUrl}/_simulator/agents/${call}`, {
    method: 'POST',
    body: JSON.stringify({ baseUrl, token: TOKEN, ...more }),
    signal: signal ?? null,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function owed(): Promise<string[]> {
  const response = await fetch(`${running.baseUrl}/_simulator/match/items.csv`);
  const rows = (await response.text()).trim().split('\r\n').slice(1);
  return rows.map((row) => row.split(',').slice(0, 3).join(' ')).sort();
}

describe('A check', () => {
  test('returns the answer of the endpoint', async () => {
    expect((await agents('check', { agentId: 'A-1' })).body).toMatchObject({ kind: 'answered', body: { code: '0' } });
    expect((await agents('check', { agentId: 'A-1', fault: 'no_token' })).body).toMatchObject({ kind: 'refused' });
  });
});

describe('A confirm', () => {
  const payment = { transactionId: 'T-1', agentId: 'A-1', amountMillimes: 7_000 };

  test('is owed once if it is stored', async () => {
    expect((await agents('confirm', payment)).body).toMatchObject({ kind: 'answered', body: { code: '0' } });
    expect((await agents('confirm', payment)).body).toMatchObject({ kind: 'answered', body: { code: '3' } });
    expect(await owed()).toEqual(['service:T-1 agent 7000']);
  });

  test('is not owed if it is refused', async () => {
    wrongCode = '1';
    await agents('confirm', payment);
    await agents('confirm', { ...payment, fault: 'bad_token' });
    expect(await owed()).toEqual([]);
  });

  test('is owed if its reply was lost and a repeat told the outcome', async () => {
    const { body } = await agents('confirm', { ...payment, fault: 'lose_reply', untilKnown: true });
    expect(body).toMatchObject({ kind: 'registered', code: '3' });
    expect(await owed()).toEqual(['service:T-1 agent 7000']);
  });

  test.each([
    { ...payment, amountMillimes: 0 },
    { ...payment, transactionId: '__proto__' },
  ])('is not sent for %j', async (bad) => {
    expect((await agents('confirm', bad)).status).toBe(400);
    expect(stored.size).toBe(0);
  });
});

describe('A drive of agents', () => {
  const plan = { agents: [{ agentId: 'A-1' }, { agentId: 'A-2' }], payments: 15 };

  test('makes the gateway owe exactly the stored payments', async () => {
    const faults = { resendRate: 0.3, badTokenRate: 0.3, duplicateConcurrentRate: 0.3, badAmountRate: 0.2 };
    const { status, body } = await agents('drive', { ...plan, faults });
    expect({ status, violations: body['violations'], unknown: body['unknown'] }).toEqual({
      status: 200,
      violations: [],
      unknown: [],
    });
    const ids = (await owed()).map((row) => row.split(' ')[0]?.replace('service:', ''));
    expect(ids.length).toBeGreaterThan(0);
    expect(ids).toEqual([...stored].sort());
  });

  test('can be repeated with other transactions', async () => {
    await agents('drive', plan);
    await agents('drive', plan);
    expect(stored.size).toBe(30);
    expect(await owed()).toHaveLength(30);
  });

  test('ends and reports it if no endpoint listens', async () => {
    const { body } = await agents('drive', { ...plan, baseUrl: 'http://127.0.0.1:1' });
    expect(body).toMatchObject({ stopped: 'unreachable', registered: [], unknown: [] });
    expect(body['notTried']).toBeGreaterThan(0);
  });

  test.each([0, 3_601, 1.5])('is refused with a time limit of %p seconds', async (timeLimitSecs) => {
    const { status, body } = await agents('drive', { ...plan, timeLimitSecs });
    expect({ status, error: body['error'] }).toEqual({ status: 400, error: 'bad_input' });
    expect(stored.size).toBe(0);
  });

  describe('A drive that waits for an answer', () => {
    /** Far longer than this test may last: only a stop ends the call before. */
    const timeoutMs = 120_000;
    let requests: IncomingMessage[];
    let leave: AbortController;

    /** Asks for a drive, and resolves when its first request has arrived. */
    async function begin(call: string, more: object): Promise<{ readonly cut: Promise<unknown> }> {
      requests = [];
      leave = new AbortController();
      const arrived = new Promise<IncomingMessage>((resolve) => {
        unanswered = (request) => {
          requests.push(request);
          resolve(request);
        };
      });
      agents(call, { timeoutMs, ...more }, leave.signal).catch(() => undefined);
      const { socket } = await arrived;
      return { cut: once(socket, 'close') };
    }

    test('stops with its call when its caller disconnects', async () => {
      const { cut } = await begin('drive', { ...plan, concurrency: 1 });
      leave.abort();
      await cut;
      await owed();
      expect(requests).toHaveLength(1);
    });

    test('stops with its call when the simulator closes', async () => {
      const { cut } = await begin('drive', { ...plan, concurrency: 1 });
      await running.close();
      await cut;
      expect(requests).toHaveLength(1);
      running = await aRunningSimulator(); // to be closed at the end
    });

    test('stops as well during a confirm that is repeated', async () => {
      const payment = { transactionId: 'T-1', agentId: 'A-1', amountMillimes: 7_000 };
      const { cut } = await begin('confirm', { ...payment, untilKnown: true });
      leave.abort();
      await cut;
      await owed();
      expect(requests).toHaveLength(1);
    });
  });

  test('names what breaks the interface', async () => {
    wrongCode = '9';
    const { body } = await agents('drive', plan);
    expect(body['violations']).not.toEqual([]);
    expect(await owed()).toEqual([]);
  });
});
