import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { GatewayClient } from '../../../src/gateway';
import { aClient } from '../../support/a-client';
import { allOf } from '../../support/client-operations';
import { always, ScriptedGateway } from '../../support/scripted-gateway';

// Goal: no text of a caller or the gateway sends a request, or a credential, anywhere but to the base URL.
// Method: such texts as paths and ids, and a second server that they name and that must never be reached.

const PREFIX = '/gw';
const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'ALL_PROXY', 'all_proxy'];

let elsewhere: ScriptedGateway;
let gateway: ScriptedGateway;
let client: GatewayClient;

beforeAll(async () => {
  elsewhere = await ScriptedGateway.start(always({ kind: 'answer', body: { success: true } }));
});

afterAll(async () => elsewhere.stop());

beforeEach(async () => {
  gateway = await ScriptedGateway.start(always({ kind: 'answer', status: 404, body: { detail: 'not here' } }));
  const options = { publicKey: 'pk', privateKey: 'sk', apiKey: 'ak', timeoutMs: 60_000, verifySpacingMs: 0 };
  client = aClient({ baseUrl: `${gateway.baseUrl}${PREFIX}`, ...options });
});

afterEach(async () => {
  await gateway.stop();
  expect(elsewhere.connections).toBe(0);
});

function foreignTexts(): readonly string[] {
  const host = new URL(elsewhere.baseUrl).host;
  return [
    `http://${host}/x`,
    `HTTP://${host}`,
    `//${host}/x`,
    `///${host}/x`,
    `\\\\${host}\\x`,
    `/\\${host}/x`,
    `@${host}/x`,
    `:80@${host}/`,
    `.${host}`,
    `data:application/json,{"success":true}`,
    `file:///etc/hostname`,
    `javascript:alert(1)`,
    `/../x`,
    `/a/../../x`,
    `/./x`,
    `/%2e%2e/x`,
    `/%2E./x`,
    `/.%2e`,
    `/x?y=1`,
    `/x#y`,
    `/x y`,
    `/x\r\nHost: ${host}`,
    `/x\ty`,
    `/é`,
    `/`,
    '',
  ];
}

test('S13: a request path that could leave the base URL is refused before it is sent', async () => {
  for (const path of foreignTexts()) {
    for (const method of ['GET', 'POST'] as const) {
      await expect(client.request({ method, path, auth: 'app' })).rejects.toMatchObject({
        code: 'validation',
        fields: { path: expect.anything() },
      });
    }
  }
  expect(gateway.connections).toBe(0);
});

test('S13: an id in the form of an address stays one segment of the path', async () => {
  const ids = foreignTexts().filter((id) => id !== '');
  for (const id of ids) {
    await expect(client.payments.verify(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(client.subscriptions.retrieve(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(allOf(client.subscriptions.listCharges(id))).rejects.toMatchObject({ code: 'not_found' });
  }
  const paths = gateway.requests.map(({ target }) => target.split('?')[0] ?? '');
  expect(paths).toEqual(
    ids.flatMap((id) => {
      const segment = encodeURIComponent(id);
      const subscription = `${PREFIX}/api/v2/subscriptions/${segment}`;
      return [`${PREFIX}/api/v2/verify_payment/${segment}`, subscription, `${subscription}/charges`];
    }),
  );
});

test.each(['.', '..'])('S13: the id %s, a dot segment of a path, is refused', async (id) => {
  const refusal = { code: 'validation' };
  await expect(client.payments.verify(id)).rejects.toMatchObject(refusal);
  await expect(client.subscriptions.retrieve(id)).rejects.toMatchObject(refusal);
  await expect(allOf(client.subscriptions.listCharges(id))).rejects.toMatchObject(refusal);
  expect(gateway.connections).toBe(0);
});

test('S13: a query value cannot add parameters', async () => {
  const clientId = `x&client_id=y#z=${elsewhere.baseUrl}`;
  await expect(client.bindings.list({ clientId })).rejects.toMatchObject({ code: 'not_found' });
  expect(gateway.requests[0]?.target).toBe(`${PREFIX}/api/v2/bindings/list?client_id=${encodeURIComponent(clientId)}`);
});

describe('S13: a proxy of the environment', () => {
  const before = new Map(PROXY_VARIABLES.map((name) => [name, process.env[name]]));

  beforeEach(() => {
    for (const name of PROXY_VARIABLES) process.env[name] = elsewhere.baseUrl;
  });

  afterEach(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  test('is not used', async () => {
    const { baseUrl } = gateway;
    const direct = aClient({ baseUrl, publicKey: 'pk', privateKey: 'sk', timeoutMs: 60_000 });
    await expect(direct.payments.refund({ paymentId: 'P-1' })).rejects.toMatchObject({ code: 'not_found' });
    expect(gateway.requests.map(({ target }) => target)).toEqual(['/api/v2/refund_payment']);
  });
});
