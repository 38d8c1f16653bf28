import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import axios from 'axios';
import { newId } from '../../../src/kernel';
import { aClient } from '../../support/a-client';
import { always, ScriptedGateway, type SeenRequest } from '../../support/scripted-gateway';

// Goal: other code's changes to its own axios change neither the content nor the target of the client's requests.
// Method: the same refund with and without poisoned defaults, set before and after the client is created.

const REFUNDED = { refund_id: 'R', payment_id: 'P-1', amount: '5000', status: 'success' };

let gateway: ScriptedGateway;
let elsewhere: Server;
let strangers = 0;
const socketPath = join(tmpdir(), `millime-${newId()}.sock`);

beforeEach(async () => {
  strangers = 0;
  gateway = await ScriptedGateway.start(always({ kind: 'answer', body: { result: REFUNDED, status: 'success' } }));
  elsewhere = createServer((socket) => {
    strangers += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => elsewhere.listen(socketPath, resolve));
});

afterEach(async () => {
  await gateway.stop();
  await new Promise((resolve) => elsewhere.close(resolve));
});

function makeRefund(): () => Promise<unknown> {
  const { baseUrl } = gateway;
  const client = aClient({ baseUrl, publicKey: 'pk', privateKey: 'sk', timeoutMs: 60_000 });
  return async () => client.payments.refund({ paymentId: 'P-1' });
}

async function sent(refund: () => Promise<unknown>): Promise<SeenRequest | undefined> {
  await expect(refund()).resolves.toMatchObject({ refundId: 'R' });
  return gateway.requests.at(-1);
}

const POISONS: readonly (readonly [name: string, value: unknown])[] = [
  ['socketPath', socketPath],
  ['auth', { username: 'other', password: 'OTHER' }],
  ['params', { api_key: 'OTHER' }],
  ['paramsSerializer', () => 'other=1'],
  ['timeout', 1],
  ['maxContentLength', 1],
  ['maxBodyLength', 1],
  ['maxRate', 1],
  ['decompress', false],
  ['proxy', { host: '127.0.0.1', port: 1 }],
  ['baseURL', 'http://127.0.0.1:1'],
  ['adapter', () => Promise.reject(new Error('the adapter of somebody else'))],
  ['transport', { request: () => Promise.reject(new Error('the transport of somebody else')) }],
  ['lookup', () => Promise.reject(new Error('the look-up of somebody else'))],
  ['transformRequest', [() => 'other']],
  ['transformResponse', [() => 'other']],
  ['validateStatus', () => false],
  ['cancelToken', axios.CancelToken.source().token],
  ['responseType', 'text'],
  ['allowAbsoluteUrls', true],
  ['method', 'delete'],
];

describe.each(POISONS)('S13: axios.defaults.%s of other code', (name, value) => {
  const before = Reflect.getOwnPropertyDescriptor(axios.defaults, name);

  afterEach(() => {
    if (before === undefined) Reflect.deleteProperty(axios.defaults, name);
    else Reflect.defineProperty(axios.defaults, name, before);
  });

  test('changes no request, whether set before or after the client is created', async () => {
    const made = makeRefund();
    const plain = await sent(made);
    Reflect.set(axios.defaults, name, value);

    expect(await sent(made)).toEqual(plain);
    expect(await sent(makeRefund())).toEqual(plain);
    expect(strangers).toBe(0);
  });
});

describe.each(['common', 'post'] as const)('S13: axios.defaults.headers.%s of other code', (method) => {
  afterEach(() => {
    for (const name of ['Authorization', 'X-Api-Token', 'Cookie']) delete axios.defaults.headers[method][name];
  });

  test('is not sent', async () => {
    const made = makeRefund();
    const plain = await sent(made);
    for (const name of ['Authorization', 'X-Api-Token', 'Cookie']) axios.defaults.headers[method][name] = 'OTHER';

    expect(await sent(made)).toEqual(plain);
    expect(await sent(makeRefund())).toEqual(plain);
  });
});

test('S13: an interceptor of other code sees no request', async () => {
  let seen = 0;
  const id = axios.interceptors.request.use((config) => {
    seen += 1;
    return config;
  });
  try {
    await sent(makeRefund());
    expect(seen).toBe(0);
  } finally {
    axios.interceptors.request.eject(id);
  }
});
