import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type GatewayClient, GatewayError } from '../../../src/gateway';
import type { Logger } from '../../../src/logging';
import { lineLogger } from '../../../src/logging/testing';
import { aClient } from '../../support/a-client';
import { CLIENT_OPERATIONS } from '../../support/client-operations';
import { recordingLogger } from '../../support/fakes';
import { always, type Reply, ScriptedGateway, type SeenRequest } from '../../support/scripted-gateway';

// Goal: the client never throws, logs or shows a key, whatever the gateway does with the request.
// Method: keys with unique texts, gateways that echo them in every part of an error, and a search through all output.

/** One holds another, so that hiding the shorter first would leave a piece of the longer. */
const KEYS = { publicKey: 'CANARY+pub/1=', privateKey: 'CANARY+pub/1=CANARY', apiKey: 'CANARY+api' };
/** No form of a key is without it; what is hidden is cut out whole. */
const CANARY = /CANARY|Q0FOQVJZ/i;

const warnings: Error[] = [];
const keepWarning = (warning: Error): void => {
  warnings.push(warning);
};
const gateways: ScriptedGateway[] = [];

beforeAll(() => {
  process.on('warning', keepWarning);
});
afterAll(() => {
  process.off('warning', keepWarning);
});
afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.stop()));
});

/** The header as it came, each key by itself, and their usual spellings. */
function echoOf({ headers }: SeenRequest): string {
  const header = headers['authorization'] ?? '';
  const credential = header.slice(header.indexOf(' ') + 1);
  const base64 = Buffer.from(credential).toString('base64');
  return [header, ...Object.values(KEYS), encodeURIComponent(credential), base64].join(' | ');
}

const ECHOES: readonly (readonly [about: string, reply: (echo: string) => Reply])[] = [
  ['in a message', (echo) => ({ kind: 'answer', body: { success: false, code: 403, message: echo } })],
  ['in the message of a result', (echo) => ({ kind: 'answer', body: { result: { status: 404, message: echo } } })],
  ['in a word', (echo) => ({ kind: 'answer', body: { status: 'error', message: 'no', code: echo } })],
  ['in a platform refusal', (echo) => ({ kind: 'answer', body: { result: { error: echo, details: echo }, code: 1 } })],
  [
    'in the ids of a taken tracking id',
    (echo) => {
      const [header = ''] = echo.split(' | ');
      const link = `https://a.example/?key=${encodeURIComponent(header)}`;
      const ids = { subscription_id: header, payment_id: header, link };
      const result = { success: false, error: 'duplicate_developer_tracking_id', details: 'taken', ...ids };
      return { kind: 'answer', status: 409, body: { result, code: 1 } };
    },
  ],
  ['in a detail', (echo) => ({ kind: 'answer', status: 429, body: { detail: echo } })],
  [
    'in a field and its reasons',
    (echo) => ({ kind: 'answer', status: 400, body: { [echo]: [echo, echo], a: [echo] } }),
  ],
  [
    'at the end of what is shown',
    (echo) => ({ kind: 'answer', status: 400, body: { detail: 'x'.repeat(190) + echo } }),
  ],
  ['in a body of no known shape', (echo) => ({ kind: 'answer', body: { success: 'no', [echo]: { [echo]: echo } } })],
  [
    'in places of a wrong type',
    (echo) => ({ kind: 'answer', body: { success: true, code: 0, result: echo, token: [echo] } }),
  ],
  [
    'in a page of HTML',
    (echo) => ({ kind: 'answer', status: 502, body: `<h1>${echo}</h1>`, headers: { 'Retry-After': '1' } }),
  ],
  [
    'in a header and a redirect',
    (echo) => ({ kind: 'answer', status: 307, headers: { Location: `/?${echo}`, 'Retry-After': echo } }),
  ],
  ['in bytes that are no HTTP', (echo) => ({ kind: 'bytes', bytes: `HTTP/9.9 ${echo}\r\n\r\n` })],
  ['in a status line', (echo) => ({ kind: 'bytes', bytes: `HTTP/1.1 404 ${echo}\r\n\r\n` })],
  ['in half an answer', (echo) => ({ kind: 'cut_in_body', body: { message: echo } })],
  ['nowhere: it resets the connection', () => ({ kind: 'cut_after' })],
];

interface Watched {
  readonly client: GatewayClient;
  /** All that was logged, as it was given and as it was written. */
  logged(): string;
}

function watchedClient(baseUrl: string): Watched {
  const lines: string[] = [];
  const written = lineLogger('debug', (line) => void lines.push(line));
  const recorded = recordingLogger();
  const both =
    (level: keyof Logger): Logger[keyof Logger] =>
    (message, fields) => {
      written[level](message, fields);
      recorded[level](message, fields);
    };
  const logger = { error: both('error'), warn: both('warn'), info: both('info'), debug: both('debug') };
  const client = aClient({ baseUrl, ...KEYS, logger, timeoutMs: 60_000 });
  return { client, logged: () => `${lines.join('')}${inspect(recorded.entries, { depth: null })}` };
}

/** Everything that a program could print of an error. */
function shownOf(error: unknown): string {
  const seen: string[] = [];
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    seen.push(at.message, at.stack ?? '', String(at), JSON.stringify(at));
    seen.push(
      JSON.stringify(Object.fromEntries(Reflect.ownKeys(at).map((key) => [String(key), Reflect.get(at, key)]))),
    );
  }
  return [...seen, inspect(error, { depth: null, showHidden: true, getters: true })].join('\n');
}

describe.each(ECHOES)('S18: a gateway that echoes the keys %s', (_about, reply) => {
  test('leaves none in an error, a log line or the client', async () => {
    const gateway = await ScriptedGateway.start((_n, request) => reply(echoOf(request)));
    gateways.push(gateway);
    const { client, logged } = watchedClient(gateway.baseUrl);
    const refresh = CLIENT_OPERATIONS.find(({ name }) => name === 'wallet.refresh');
    const calls = CLIENT_OPERATIONS.filter((operation) => operation !== refresh).map((operation) =>
      operation.call(client),
    );
    const refreshed = client.wallet.refresh({ refreshToken: 'CANARY+refresh' });

    const ends = await Promise.allSettled([...calls, refreshed]);

    const shown = ends.map((end) => (end.status === 'rejected' ? shownOf(end.reason) : ''));
    // `request` alone gives a body on that it does not know.
    expect(shown.filter((text) => text !== '').length).toBeGreaterThanOrEqual(CLIENT_OPERATIONS.length - 2);
    expect(gateway.requests.length).toBeGreaterThanOrEqual(CLIENT_OPERATIONS.length);
    expect(shown.join('\n')).not.toMatch(CANARY);
    expect(logged()).toContain('gateway.failed');
    expect(logged()).not.toMatch(CANARY);
  });
});

test.each([
  ['a message', { result: { status: 404, message: 'no\u001b[2J\n\u202e' } }],
  ['a word', { status: 'error', message: 'no', code: 'no\u001b[2J\n\u202e' }],
  ['a platform refusal', { result: { error: 'no\u001b[2J\n\u202e', success: false }, code: 1 }],
  ['a detail', { detail: 'no\u001b[2J\n\u202e' }],
  ['a field', { 'no\u001b[2J\n\u202e': ['no'] }],
  ['a reason', { amount: ['no\u001b[2J\n\u202e'] }],
])('S19: terminal controls in %s of the gateway are shown escaped', async (_about, body) => {
  const gateway = await ScriptedGateway.start(always({ kind: 'answer', status: 400, body }));
  gateways.push(gateway);
  const { client } = watchedClient(gateway.baseUrl);

  const error: unknown = await client.payments.refund({ paymentId: 'P-1' }).catch((thrown: unknown) => thrown);

  if (!(error instanceof GatewayError)) throw new Error('it was not refused');
  const shown = [error.message, error.gatewayCode ?? '', ...Object.entries(error.fields ?? {}).flat(2)].join('');
  expect(shown).toContain('no\\u001b[2J\\n\\u202e');
  expect(shown).not.toMatch(/[\p{Cc}\u202e]/u);
});

test('S18: a failed connection shows no key', async () => {
  const { client, logged } = watchedClient('http://127.0.0.1:1');
  const ends = await Promise.allSettled(CLIENT_OPERATIONS.map((operation) => operation.call(client)));
  const shown = ends.map((end) => (end.status === 'rejected' ? shownOf(end.reason) : 'success'));
  expect(shown).not.toContain('success');
  expect(shown.join('\n')).not.toMatch(CANARY);
  expect(logged()).not.toMatch(CANARY);
});

test('S18: a success logs no key, and returns an echoed one only in raw', async () => {
  const operation = CLIENT_OPERATIONS.find(({ name }) => name === 'payments.cancel');
  const gateway = await ScriptedGateway.start((_n, request) => ({
    kind: 'answer',
    body: { ...Object(operation?.answer), trace: echoOf(request) },
  }));
  gateways.push(gateway);
  const { client, logged } = watchedClient(gateway.baseUrl);

  const { raw, ...decoded } = await client.payments.cancel({ paymentId: 'P-1' });

  expect(inspect(decoded, { depth: null })).not.toMatch(CANARY);
  expect(logged()).toContain('gateway.answered');
  expect(logged()).not.toMatch(CANARY);
  expect(inspect(raw)).toMatch(CANARY);
});

test('S18: neither the client nor a warning of the process shows a key', async () => {
  const gateway = await ScriptedGateway.start(always({ kind: 'answer', body: {} }));
  gateways.push(gateway);
  const { client } = watchedClient(gateway.baseUrl);
  await Promise.allSettled(CLIENT_OPERATIONS.map((operation) => operation.call(client)));

  expect(inspect(client, { depth: null, showHidden: true, getters: true })).not.toMatch(CANARY);
  expect(JSON.stringify(client)).not.toMatch(CANARY);
  expect(inspect(warnings, { depth: null, showHidden: true })).not.toMatch(CANARY);
});
