import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createGatewayClient, isGatewayError } from '../../../src/gateway';
import { createPausingClient } from '../../../src/gateway/testing';
import { CLIENT_OPERATIONS } from '../../support/client-operations';
import { always, type Reply, ScriptedGateway } from '../../support/scripted-gateway';

// Goal: no answer or silence of the gateway holds a call or its connection open beyond the deadline.
// Method: a gateway that never ends; the test waits for the error, and for the connection that only the client can
// close.

const TIMEOUT_MS = 4_000;

const gateways: ScriptedGateway[] = [];

afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.stop()));
});

async function startGateway(reply: Reply): Promise<ScriptedGateway> {
  const gateway = await ScriptedGateway.start(always(reply));
  gateways.push(gateway);
  return gateway;
}

interface Ended {
  readonly codes: readonly string[];
  readonly connections: number;
}

const ENDLESS: readonly (readonly [about: string, reply: Reply])[] = [
  ['a body that drips', { kind: 'drip' }],
  ['a head that drips', { kind: 'drip_head' }],
  ['silence', { kind: 'silence' }],
];

describe('F11: a gateway that does not end its answer', () => {
  const endOf = new Map<string, Ended>();

  // All wait for their deadline at once.
  beforeAll(async () => {
    await Promise.all(ENDLESS.map(async ([about, reply]) => endOf.set(about, await callAll(reply))));
  });

  test.each(ENDLESS)('%s ends every operation by its deadline, and the client closes the connection', (about) => {
    const codes = CLIENT_OPERATIONS.map(({ safety }) => {
      return safety === 'A' || safety === 'B' ? 'timeout' : 'outcome_unknown';
    });
    expect(endOf.get(about)).toEqual({ codes, connections: CLIENT_OPERATIONS.length });
  });
});

/** Every operation at once; comes back when the gateway has no connection any more. */
async function callAll(reply: Reply): Promise<Ended> {
  const gateway = await startGateway(reply);
  const { baseUrl } = gateway;
  const keys = { publicKey: 'pk', privateKey: 'sk', apiKey: 'ak' };
  const client = createGatewayClient({ baseUrl, ...keys, timeoutMs: TIMEOUT_MS });
  const ends = await Promise.allSettled(CLIENT_OPERATIONS.map((operation) => operation.call(client)));
  await gateway.idle();
  const codes = ends.map((end) => {
    if (end.status === 'fulfilled') return 'success';
    return isGatewayError(end.reason) ? end.reason.code : `not ours: ${String(end.reason)}`;
  });
  return { codes, connections: gateway.connections };
}

test('an unknown outcome carries the timeout as its cause', async () => {
  const { baseUrl } = await startGateway({ kind: 'silence' });
  const client = createGatewayClient({ baseUrl, publicKey: 'pk', privateKey: 'sk', timeoutMs: TIMEOUT_MS });
  await expect(client.payments.refund({ paymentId: 'P-1' })).rejects.toMatchObject({
    code: 'outcome_unknown',
    operation: 'payments.refund',
    cause: { code: 'timeout' },
  });
});

test('the tries of one call share its deadline, and no pause that would pass it begins', async () => {
  const gateway = await startGateway({ kind: 'answer', status: 502, body: '' });
  // No longer than the shortest first pause, so a second try can never fit.
  const client = createGatewayClient({ baseUrl: gateway.baseUrl, publicKey: 'pk', privateKey: 'sk', timeoutMs: 100 });
  await expect(client.bindings.list({ clientId: 'client-1' })).rejects.toThrow();
  expect(gateway.connections).toBeLessThanOrEqual(1);
});

test('the client pauses before each further try: about 200 ms, then about twice as long', async () => {
  const { baseUrl } = await startGateway({ kind: 'answer', status: 502, body: '' });
  const pauses: number[] = [];
  const client = createPausingClient({ baseUrl, publicKey: 'pk', privateKey: 'sk' }, async (ms) => pauses.push(ms));
  await expect(client.bindings.list({ clientId: 'client-1' })).rejects.toMatchObject({ code: 'unavailable' });
  const [first = 0, second = 0, ...others] = pauses;
  expect(Math.abs(first - 200)).toBeLessThanOrEqual(100);
  expect(Math.abs(second - 400)).toBeLessThanOrEqual(200);
  expect(others).toEqual([]);
});
