import { afterEach, describe, expect, test } from '@jest/globals';
import { createGatewayClient, type GatewayClientOptions, GatewayError } from '../../../src/gateway';
import { aClient } from '../../support/a-client';
import { CLIENT_OPERATIONS } from '../../support/client-operations';
import { recordingLogger } from '../../support/fakes';
import { always, ScriptedGateway } from '../../support/scripted-gateway';
import { selfSignedCertificate } from '../../support/self-signed';

const KEYS = { publicKey: 'pk_test', privateKey: 'sk_test', apiKey: 'ak_test' };
const PATIENT_MS = 60_000;

const gateways: ScriptedGateway[] = [];

afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.stop()));
});

async function startGateway(tls?: { readonly key: string; readonly cert: string }): Promise<ScriptedGateway> {
  const script = always({ kind: 'answer', body: { result: { bindings: [] } } });
  const gateway = await ScriptedGateway.start(script, tls === undefined ? {} : { tls });
  gateways.push(gateway);
  return gateway;
}

function refusalOf(options: object): GatewayError {
  try {
    createGatewayClient(options as GatewayClientOptions);
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error('the options were taken');
}

describe('the keys', () => {
  test('are trimmed and joined by one colon', async () => {
    const { baseUrl, requests } = await startGateway();
    const client = createGatewayClient({ baseUrl, publicKey: ' pk\n', privateKey: '\tsk\r\n', timeoutMs: PATIENT_MS });
    await client.bindings.list({ clientId: 'client-1' });
    expect(requests[0]?.headers['authorization']).toBe('Bearer pk:sk');
  });

  test.each(['publicKey', 'privateKey', 'apiKey'])('%s is refused without being shown if it cannot be sent', (name) => {
    const bad = [
      'can\rary',
      'can\nary',
      'can:ary',
      'can ary',
      'canarÿ',
      'can\u0000ary',
      '',
      ' ',
      5,
      null,
      {},
      ['canary'],
    ];
    for (const value of bad) {
      const error = refusalOf({ baseUrl: 'https://gateway.example', ...KEYS, [name]: value });
      expect(error).toMatchObject({ code: 'validation', fields: { [name]: expect.anything() } });
      expect(`${error.stack} ${JSON.stringify(error)}`).not.toMatch(/can.?ary|canar/);
    }
  });

  test.each([
    ['can:ary', 'others (not shown)'],
    [' ', 'an empty text'],
    [4_111, 'a number'],
    [null, 'nothing'],
  ])('that are %j are refused with the expected value, the actual one and a remedy', (privateKey, got) => {
    const expected = 'visible ASCII characters without a colon, a space or a line break';
    const { fields } = refusalOf({ baseUrl: 'https://gateway.example', ...KEYS, privateKey });
    expect(fields).toEqual({ privateKey: [`expected ${expected}, got ${got}; copy the key again`] });
  });

  test.each(['publicKey', 'privateKey'])('%s may not be omitted alone', (name) => {
    const error = refusalOf({ baseUrl: 'https://gateway.example', ...KEYS, [name]: undefined });
    const reason = 'expected publicKey and privateKey together, got one of them; pass both or neither';
    expect(error).toMatchObject({
      fields: { [name]: [reason] },
      message: expect.stringContaining(`${name}: ${reason}`),
    });
  });

  test('that an operation needs and the client lacks are reported before a request is sent', async () => {
    const gateway = await startGateway();
    const client = createGatewayClient({ baseUrl: gateway.baseUrl });
    for (const operation of CLIENT_OPERATIONS) {
      // It brings its own.
      if (operation.name === 'wallet.refresh') continue;
      await expect(operation.call(client)).rejects.toMatchObject({ code: 'authentication' });
    }
    expect(gateway.connections).toBe(0);
  });
});

describe('S23: the base URL', () => {
  test.each([
    'http://gateway.example',
    'http://10.0.0.1',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'http://[::ffff:7f00:1]',
    'https://user:canary@gateway.example',
    'https://canary@gateway.example',
    'https://gateway.example/?canary=1',
    'https://gateway.example/?',
    'https://gateway.example/#canary',
    'https:gateway.example',
    'https:\\\\gateway.example',
    'https://gate\nway.example',
    '//gateway.example',
    'gateway.example',
    'ftp://127.0.0.1',
    'data:text/plain,canary',
    'https://',
    '',
    5,
    null,
    undefined,
    { toString: () => 'https://gateway.example' },
  ])('%j is refused without being shown', (baseUrl) => {
    const error = refusalOf({ baseUrl, ...KEYS });
    expect(error).toMatchObject({ code: 'validation', fields: { baseUrl: expect.anything() } });
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain('canary');
  });

  test.each([
    [undefined, 'expected an absolute URL, got nothing; pass one such as https://gateway.example'],
    [5, 'expected an absolute URL, got a number; pass one such as https://gateway.example'],
    [
      '//user:canary@host',
      'expected an absolute URL, got another text (not shown); pass one such as https://gateway.example',
    ],
    [
      'https://user:canary@gateway.example',
      'expected a URL without a user and a password, got one (not shown); pass the keys as options',
    ],
    [
      'https://gateway.example/?canary=1',
      'expected a URL that ends with its path, got one with "?" or "#"; remove that part',
    ],
    [
      'http://gateway.example',
      'expected https, or http on a loopback address, got http on another host; pass the https address',
    ],
  ])('%j is refused with the expected value, the actual one and a remedy', (baseUrl, reason) => {
    expect(refusalOf({ baseUrl, ...KEYS })).toMatchObject({
      fields: { baseUrl: [reason] },
      message: expect.stringContaining(`baseUrl: ${reason}`),
    });
  });

  test.each([
    'https://gateway.example',
    'https://10.0.0.1:8443/gw',
    'http://localhost:1',
    'http://127.9.9.9',
    'http://[::1]:1',
  ])('%s is accepted', (baseUrl) => {
    expect(() => createGatewayClient({ baseUrl })).not.toThrow();
  });

  test.each([
    ['', ''],
    ['/', ''],
    ['///', ''],
    ['/gw', '/gw'],
    ['/gw/v9//', '/gw/v9'],
  ])('ending in "%s" puts "%s" before every path', async (ending, prefix) => {
    const { baseUrl, requests } = await startGateway();
    const client = createGatewayClient({ baseUrl: `${baseUrl}${ending}`, ...KEYS, timeoutMs: PATIENT_MS });
    await client.bindings.list({ clientId: 'client-1' });
    expect(requests[0]?.target).toBe(`${prefix}/api/v2/bindings/list?client_id=client-1`);
  });
});

test.each([
  ['posFamily', 'partner', 'api or partners, got "partner"'],
  ['timeZone', 'Africa/Carthage', 'an IANA time zone such as Europe/Paris, got "Africa/Carthage"'],
  ['timeoutMs', 0, 'a whole number from 1 to 120000, got 0'],
  ['timeoutMs', 120_001, 'a whole number from 1 to 120000, got 120001'],
  ['timeoutMs', 1_000.5, 'a whole number from 1 to 120000, got 1000.5'],
  ['timeoutMs', '1000', 'a whole number from 1 to 120000, got "1000"'],
  ['timeoutMs', [1], 'a whole number from 1 to 120000, got a list'],
  ['verifySpacingMs', -1, 'a whole number from 0 to 86400000, got -1'],
  ['verifySpacingMs', Number.NaN, 'a whole number from 0 to 86400000, got NaN'],
  ['clock', {}, 'an object with now(), got one without now()'],
  ['clock', 5, 'an object with now(), got a number'],
  [
    'logger',
    { warn: () => undefined },
    'an object with error(), warn(), info(), debug(), got one without error(), info(), debug()',
  ],
  ['budget', 5, 'one object, got a number'],
  ['budget.verifiesPerMinute', 0, 'a whole number from 1 to 6000, got 0'],
  ['budget.creationsPerMinute', 1.5, 'a whole number from 1 to 6000, got 1.5'],
  ['budget.circuitMs', Number.POSITIVE_INFINITY, 'a whole number from 1 to 86400000, got Infinity'],
  ['budget.store', {}, 'an object with read(), replace(), got one without read(), replace()'],
])('%s %j is refused with the expected value, the actual one and a remedy', (name, value, fault) => {
  const [outer = '', inner] = name.split('.');
  const given = { [outer]: inner === undefined ? value : { [inner]: value } };
  const reason = `expected ${fault}; correct it, or omit it for the default`;
  expect(refusalOf({ baseUrl: 'https://gateway.example', ...given }).fields).toEqual({ [name]: [reason] });
});

test.each([
  [undefined, 'nothing'],
  [null, 'nothing'],
  [5, 'a number'],
  ['https://user:canary@gateway.example', 'a text'],
  [[], 'a list'],
])('the options %j are refused without being shown', (options, got) => {
  const error = refusalOf(options as unknown as object);
  expect(error).toMatchObject({ code: 'validation' });
  expect(error.fields?.['options']).toEqual([`expected one object, got ${got}; pass at least { baseUrl }`]);
  expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain('canary');
});

describe('a server with an untrusted certificate', () => {
  test('receives nothing, and every operation reports a connection error', async () => {
    const gateway = await startGateway(selfSignedCertificate());
    const client = aClient({ baseUrl: gateway.baseUrl, ...KEYS, timeoutMs: PATIENT_MS });
    for (const operation of CLIENT_OPERATIONS.filter(({ safety }) => safety === 'C' || safety === 'D')) {
      await expect(operation.call(client)).rejects.toMatchObject({ code: 'connection', operation: expect.anything() });
    }
    expect(gateway.receivedBytes).toBe(0);
    expect(gateway.requests).toEqual([]);
  });

  test('is not trusted despite NODE_TLS_REJECT_UNAUTHORIZED', async () => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const gateway = await startGateway(selfSignedCertificate());
      const client = aClient({ baseUrl: gateway.baseUrl, ...KEYS, timeoutMs: PATIENT_MS });
      await expect(client.payments.refund({ paymentId: 'P-1' })).rejects.toMatchObject({ code: 'connection' });
      expect(gateway.receivedBytes).toBe(0);
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });

  test.each([
    ['never ends its handshake', { kind: 'silence' }],
    ['speaks no TLS', { kind: 'bytes', bytes: 'HTTP/1.1 400 Bad Request\r\n\r\n' }],
    ['hangs up', { kind: 'cut_before' }],
  ] as const)('receives no request, even if it %s', async (_about, reply) => {
    const gateway = await ScriptedGateway.start(always(reply));
    gateways.push(gateway);
    const baseUrl = gateway.baseUrl.replace('http:', 'https:');
    const client = aClient({ baseUrl, ...KEYS, timeoutMs: 1_000 });
    await expect(client.payments.refund({ paymentId: 'P-1' })).rejects.toMatchObject({ code: 'connection' });
  });
});

describe('a clock that fails', () => {
  const fail = (): never => {
    throw new Error('canary');
  };

  test.each([
    ['throws', fail],
    ['gives no number', () => Number.NaN],
    ['gives a Date', () => new Date(0) as unknown as number],
  ])('because it %s is reported by the operation that needs it', async (_about, now) => {
    const { baseUrl } = await startGateway();
    const client = createGatewayClient({ baseUrl, ...KEYS, timeoutMs: PATIENT_MS, clock: { now } });
    const refusal = { code: 'validation', fields: { clock: expect.anything() } };
    await expect(client.payments.verify('P-1')).rejects.toMatchObject(refusal);
  });

  test('after the request was sent does not hide the result of a payment', async () => {
    const body = { result: { payment_id: 'P-1', status: 'cancelled' }, status: 'success' };
    const headers = { 'Retry-After': 'Mon, 02 Mar 2026 09:00:00 GMT' };
    const gateway = await ScriptedGateway.start(always({ kind: 'answer', body, headers }));
    gateways.push(gateway);
    const client = createGatewayClient({
      baseUrl: gateway.baseUrl,
      ...KEYS,
      timeoutMs: PATIENT_MS,
      clock: { now: () => (gateway.requests.length === 0 ? Date.now() : fail()) },
    });
    await expect(client.payments.cancel({ paymentId: 'P-1' })).resolves.toMatchObject({ status: 'cancelled' });
  });
});

describe('the logger', () => {
  test('that fails does not hide the result of a payment', async () => {
    const gateway = await ScriptedGateway.start(
      always({ kind: 'answer', body: { result: { payment_id: 'P-1', status: 'cancelled' }, status: 'success' } }),
    );
    gateways.push(gateway);
    const fail = (): never => {
      throw new Error('the disk is full');
    };
    const logger = { error: fail, warn: fail, info: fail, debug: fail };
    const client = createGatewayClient({ baseUrl: gateway.baseUrl, ...KEYS, timeoutMs: PATIENT_MS, logger });
    await expect(client.payments.cancel({ paymentId: 'P-1' })).resolves.toMatchObject({ status: 'cancelled' });
  });

  test('gets one warning that clientId creates no binding in the standard variant (open point 7)', async () => {
    const created = { result: { success: true, payment_id: 'P-1', link: 'https://checkout.example/P-1' }, code: 0 };
    const gateway = await ScriptedGateway.start(always({ kind: 'answer', body: created }));
    gateways.push(gateway);
    const logger = recordingLogger();
    const client = createGatewayClient({ baseUrl: gateway.baseUrl, ...KEYS, timeoutMs: PATIENT_MS, logger });
    const input = { amountMillimes: 1_000, successLink: 'https://shop.example', failLink: 'https://shop.example' };

    await client.payments.create(input);
    await client.payments.createWithBinding({ ...input, clientId: 'client-1' });
    expect(logger.events('gateway.client_id_without_binding')).toEqual([]);
    await client.payments.create({ ...input, clientId: 'client-1' });
    await client.payments.create({ ...input, clientId: 'client-1' });
    expect(logger.events('gateway.client_id_without_binding')).toHaveLength(1);
  });
});
