import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { millimes } from '../../../src/kernel';
import { type AgentCaller, createAgentCaller, driveAgents, type DriveFaults, playCalls } from '../../../src/simulator';

// Goal: the caller reports every behavior of an endpoint, and a drive names each violation of the interface.
// Method: endpoints of a few lines behind a real socket, right and wrong in one respect each.

const TOKEN = 'aaaa.bbbb.cccc';
const CONFIRM = { transactionId: 'T-1', agentId: 'A-1', amountMillimes: millimes(5_000) };
const LONG_MS = 10_000;
const SHORT_MS = 300;

type Endpoint = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

interface Listening {
  readonly baseUrl: string;
  readonly server: Server;
  /** The bodies of the requests that came whole. */
  readonly bodies: string[];
  readonly requests: IncomingMessage[];
}

async function listen(endpoint: Endpoint): Promise<Listening> {
  const bodies: string[] = [];
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('error', () => undefined); // cut in the middle on purpose
    request.on('end', () => {
      bodies.push(body);
      endpoint(request, response, body);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/partner/`, server, bodies, requests };
}

const json =
  (value: unknown, status = 200): Endpoint =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

const callerFor = (baseUrl: string, timeoutMs = LONG_MS): AgentCaller =>
  createAgentCaller({ baseUrl, token: TOKEN, timeoutMs });

describe('A call of an agent endpoint', () => {
  test('sends the request of section 4.6 below the path of the address', async () => {
    const { baseUrl, requests, bodies } = await listen(json({ code: '0' }));
    expect(await callerFor(baseUrl).confirm(CONFIRM)).toEqual({ kind: 'answered', status: 200, body: { code: '0' } });
    expect(requests[0]).toMatchObject({ method: 'POST', url: '/partner/service/confirm' });
    expect(requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
    });
    expect(bodies).toEqual(['{"transactionId":"T-1","agentId":"A-1","amount":5000}']);
  });

  test('encodes an agentId so that it is one segment of the path', async () => {
    const { baseUrl, requests } = await listen(json({ code: '1', desc: '', amount: '0' }));
    for (const agentId of ['وكيل 12/a?b#c%', '..']) await callerFor(baseUrl).check(agentId);
    expect(requests.map(({ url }) => url)).toEqual([
      `/partner/service/check/${encodeURIComponent('وكيل 12/a?b#c%')}`,
      '/partner/service/check/..',
    ]);
  });

  test('requests the token before each call', async () => {
    const { baseUrl, requests } = await listen(json({ code: '0' }));
    const tokens = ['one', 'two'];
    const caller = createAgentCaller({ baseUrl, token: () => tokens.shift() ?? '', timeoutMs: LONG_MS });
    await caller.confirm(CONFIRM);
    await caller.confirm(CONFIRM);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer one', 'Bearer two']);
    await expect(caller.confirm(CONFIRM)).rejects.toMatchObject({ code: 'bad_input' });
  });

  test('sends no token, an altered one or an expired one as ordered', async () => {
    const { baseUrl, requests } = await listen(json({ error: 'forbidden' }, 403));
    const caller = callerFor(baseUrl);
    const faults = ['no_token', 'bad_token', { expiredToken: 'old.old.old' }] as const;
    for (const fault of faults) expect(await caller.confirm(CONFIRM, fault)).toEqual({ kind: 'refused', status: 403 });
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      'Bearer aaaa.bbbb.Accc',
      'Bearer old.old.old',
    ]);
  });

  test.each<[string, Endpoint, object]>([
    [
      'a number as code',
      json({ code: 0 }),
      { kind: 'unexpected', status: 200, reason: 'code is a number, not a string' },
    ],
    ['HTML', (_, response) => void response.end('<html>'), { kind: 'unexpected', reason: 'the body is not JSON' }],
    ['a 401', json({ code: '0' }, 401), { kind: 'unexpected', status: 401 }],
    [
      'a redirect',
      (_, response) => void response.writeHead(307, { location: '/service/confirm' }).end(),
      { kind: 'unexpected', status: 307 },
    ],
    ['a 503', json({}, 503), { kind: 'failed', status: 503, retryAfterMs: undefined }],
    [
      'a 503 with a time to wait',
      (_, response) => void response.writeHead(503, { 'retry-after': '5' }).end(),
      { kind: 'failed', retryAfterMs: 5_000 },
    ],
    ['a 502 that looks like a code', json({ code: '0' }, 502), { kind: 'failed', status: 502 }],
    [
      'a body without end',
      (_, response) => {
        const more = (): void => {
          if (!response.destroyed) response.write('x'.repeat(64 * 1024), more);
        };
        more();
      },
      { kind: 'unexpected', reason: expect.stringMatching(/^the body is larger than \d+ bytes$/) },
    ],
    ['a reset instead of an answer', (request) => request.socket.resetAndDestroy(), { kind: 'lost' }],
    [
      'half an answer',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"code":"0"}', () => response.destroy());
      },
      { kind: 'lost' },
    ],
  ])('distinguishes %s from an answer', async (_what, endpoint, expected) => {
    const { baseUrl } = await listen(endpoint);
    expect(await callerFor(baseUrl).confirm(CONFIRM)).toMatchObject(expected);
  });

  test.each<[string, Endpoint]>([
    ['never answers', () => undefined],
    [
      'drips',
      (_, response) => {
        const drip = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(drip));
      },
    ],
  ])('ends at its deadline when the endpoint %s', async (_what, endpoint) => {
    const { baseUrl } = await listen(endpoint);
    expect(await callerFor(baseUrl, SHORT_MS).confirm(CONFIRM)).toEqual({ kind: 'timed_out' });
  });

  test('reports that nothing was sent if no endpoint listens', async () => {
    const { baseUrl, server } = await listen(json({}));
    await new Promise((resolve) => server.close(resolve));
    expect(await callerFor(baseUrl).check('A-1')).toEqual({ kind: 'not_connected', reason: 'ECONNREFUSED' });
  });

  test.each(['ftp://x', 'x', ''])('is refused for the address %p', (baseUrl) => {
    expect(() => callerFor(baseUrl)).toThrow(expect.objectContaining({ code: 'bad_input' }));
  });
});

describe('A fault of the connection', () => {
  test('lose_reply hides an answer that the endpoint has sent', async () => {
    const { baseUrl, bodies } = await listen(json({ code: '0' }));
    expect(await callerFor(baseUrl).confirm(CONFIRM, 'lose_reply')).toMatchObject({ kind: 'lost' });
    expect(bodies).toHaveLength(1);
  });

  test('leave_early sends the whole request and closes before the answer', async () => {
    let arrived: (() => void) | undefined;
    const whole = new Promise<void>((resolve) => (arrived = resolve));
    const { baseUrl, bodies } = await listen(() => arrived?.());
    expect(await callerFor(baseUrl).confirm(CONFIRM, 'leave_early')).toEqual({ kind: 'lost', unheardCode: undefined });
    await whole;
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ transactionId: 'T-1' });
  });

  test('cut_request never sends the whole body', async () => {
    const { baseUrl, server, bodies } = await listen(json({ code: '0' }));
    const cut = new Promise<void>((resolve) =>
      server.once('request', (request: IncomingMessage) => request.once('close', () => resolve())),
    );
    expect(await callerFor(baseUrl).confirm(CONFIRM, 'cut_request')).toMatchObject({ kind: 'lost' });
    await cut;
    expect(bodies).toEqual([]);
  });

  test('slow_body sends the whole body in pieces', async () => {
    const { baseUrl, bodies } = await listen(json({ code: '0' }));
    expect(await callerFor(baseUrl).confirm(CONFIRM, 'slow_body')).toMatchObject({ kind: 'answered' });
    expect(JSON.parse(bodies[0] ?? '')).toEqual({ transactionId: 'T-1', agentId: 'A-1', amount: 5_000 });
  });
});

/** Endpoints that keep to section 4.6 in memory, or fail to in one respect. */
function endpoints(flaw: 'none' | 'no_memory' | 'any_token' | 'any_amount' | 'any_agent' | 'numbers'): Endpoint {
  const registered = new Set<string>();
  return (request, response, body) => {
    const answer = (value: unknown, status?: number): void => json(value, status)(request, response, body);
    const isAuthorized = request.headers.authorization === `Bearer ${TOKEN}`;
    if (!isAuthorized && flaw !== 'any_token') return answer({ error: 'forbidden' }, 403);
    const known = (agentId: string): boolean => agentId === 'A-1' || flaw === 'any_agent';
    if (request.method === 'GET') {
      const agentId = decodeURIComponent(request.url?.split('/').at(-1) ?? '');
      if (!known(agentId)) return answer({ code: '1', desc: '', amount: '0' });
      return answer({ code: '0', desc: 'Amira', amount: flaw === 'numbers' ? 1_000 : '1000' });
    }
    const { transactionId, agentId, amount } = JSON.parse(body) as Record<string, unknown>;
    if (registered.has(String(transactionId)) && flaw !== 'no_memory') return answer({ code: '3' });
    if (!known(String(agentId))) return answer({ code: '1' });
    if ((!Number.isInteger(amount) || Number(amount) <= 0) && flaw !== 'any_amount') return answer({ code: '2' });
    registered.add(String(transactionId));
    answer({ code: '0' });
  };
}

const FAULTS: DriveFaults = {
  lostReplyRate: 0.3,
  cutRequestRate: 0.1,
  resendRate: 0.3,
  badTokenRate: 0.2,
  duplicateConcurrentRate: 0.3,
  unknownAgentRate: 0.1,
  badAmountRate: 0.1,
};

const drive = (baseUrl: string, faults = FAULTS) =>
  driveAgents({
    caller: callerFor(baseUrl),
    agents: [{ agentId: 'A-1' }],
    payments: 60,
    concurrency: 8,
    seed: 7,
    faults,
    sleep: async () => undefined,
  });

describe('A drive of agents', () => {
  test('reports no violation of correct endpoints, and lists every valid payment', async () => {
    const { baseUrl } = await listen(endpoints('none'));
    const { plan, summary, journal } = await drive(baseUrl);
    expect(summary).toMatchObject({ violations: [], unknown: [], calls: journal.length });
    const good = plan.filter(({ make }) => make === 'good').map(({ transactionId }) => transactionId);
    expect(summary.registered.map(({ transactionId }) => transactionId)).toEqual(good);
    expect(summary.answers['confirm lost']).toBeGreaterThan(0);
    expect(summary.answers['confirm 403']).toBe(summary.answers['check 403']);
  });

  test.each([
    ['forget what they registered', 'no_memory', 'registered_twice'],
    ['take any token', 'any_token', 'token_not_refused'],
    ['take any amount', 'any_amount', 'wrong_code'],
    ['know every agent', 'any_agent', 'wrong_code'],
    ['answer numbers', 'numbers', 'unexpected_answer'],
  ] as const)('names what is wrong with endpoints that %s', async (_what, flaw, kind) => {
    const { baseUrl } = await listen(endpoints(flaw));
    const { summary } = await drive(baseUrl);
    expect(new Set(summary.violations.map((violation) => violation.kind))).toEqual(new Set([kind]));
    for (const { section, detail } of summary.violations) expect([section, detail]).not.toContain('');
  });

  test('detects a second 0 even if the reply with the first one was lost', async () => {
    const { baseUrl } = await listen(endpoints('no_memory'));
    const { summary } = await drive(baseUrl, { lostReplyRate: 1 });
    expect(summary.violations.map(({ kind }) => kind)).toContain('registered_twice');
  });

  test('ends if the endpoints reset every call, and reports the payments as unknown', async () => {
    const { baseUrl } = await listen((request) => request.socket.resetAndDestroy());
    const { summary } = await drive(baseUrl, {});
    expect(summary).toMatchObject({ registered: [], violations: [] });
    expect(summary.unknown).toHaveLength(60);
  });

  test('is refused with a concurrency of zero', async () => {
    const caller = callerFor('http://127.0.0.1:1');
    const options = { caller, agents: [{ agentId: 'A' }], payments: 1, seed: 1, faults: {} };
    for (const concurrency of [0, 1.5, 513]) {
      await expect(driveAgents({ ...options, concurrency })).rejects.toMatchObject({ code: 'bad_input' });
    }
  });
});

test('a calls file is played over HTTP', async () => {
  const { baseUrl } = await listen(endpoints('none'));
  const at = '2026-03-02T09:00:00+01:00';
  const confirm = { transactionId: 'T-1', agentId: 'A-1', amount: 1_000 };
  const calls = [
    { at, check: 'A-1', expect: { code: '0', desc: 'Amira', amount: '1000' } },
    ...['0', '3', '3'].map((code) => ({ at, confirm, expect: { code }, group: 'at once' })),
    { at, confirm: { ...confirm, transactionId: 'T-2', amount: '1000' }, expect: { code: '2' } },
  ];
  const played = await playCalls({
    caller: callerFor(baseUrl),
    calls: calls.map((line) => JSON.stringify(line)).join('\n'),
  });
  expect(played).toMatchObject({ kind: 'as_expected', calls: 5, atOnce: 3 });
});
