import { afterEach, describe, expect, test } from '@jest/globals';
import type { GatewayClient, GatewayClientOptions } from '../../../src/gateway';
import { aClient } from '../../support/a-client';
import { recordingLogger } from '../../support/fakes';
import { always, type Script, ScriptedGateway } from '../../support/scripted-gateway';

// Goal: a read invents nothing, shares no object between its callers, and warns if it may be incomplete.
// Method: answers over HTTP with a field less, a row more, or at the other one of the two POS paths.

const UUID = 'c0000000-0000-4000-8000-000000000001';
const API_PATH = '/api/transactions/get_pos_transaction_status';
const PARTNER_PATH = '/partners/transactions/get_pos_transaction_status';
const NO_PAGE = { kind: 'answer', status: 404, body: '<h1>Not Found</h1>' } as const;
const ROWS = {
  success: true,
  transactions: [{ service_transaction_id: UUID, payment_status: 'PS', amount_in_millimes: 1_000, currency: 'TND' }],
};

const gateways: ScriptedGateway[] = [];

afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.stop()));
});

interface Started {
  readonly gateway: ScriptedGateway;
  readonly client: GatewayClient;
}

async function started(script: Script, options: Partial<GatewayClientOptions> = {}): Promise<Started> {
  const gateway = await ScriptedGateway.start(script);
  gateways.push(gateway);
  const keys = { publicKey: 'pk', privateKey: 'sk', apiKey: 'ak' };
  return { gateway, client: aClient({ baseUrl: gateway.baseUrl, ...keys, ...options }) };
}

describe('the answer of Verify Payment', () => {
  const body = (type: object): object => ({
    success: true,
    result: { amount: 5_000, status: 'SUCCESS', details: { card: { last: '42' } }, ...type },
  });

  test.each([{}, { type: null }])('has no type if the gateway sent none: %j', async (type) => {
    const { client } = await started(always({ kind: 'answer', body: body(type) }));
    expect((await client.payments.verify('P-1')).type).toBeNull();
  });

  test('is a separate object for each caller that shares the request', async () => {
    const { gateway, client } = await started(always({ kind: 'answer', body: body({ type: 'card' }) }));
    const [one, other] = await Promise.all([client.payments.verify('P-1'), client.payments.verify('P-1')]);
    expect(gateway.connections).toBe(1);
    Object.assign(Object(one.details['card']), { last: 'changed' });
    expect(one.raw).toEqual(body({ type: 'card' }));
    expect(other.details).toEqual({ card: { last: '42' } });
    Object.assign(Object(one.raw), { result: 'changed' });
    expect(other.raw).toEqual(body({ type: 'card' }));
  });
});

describe('the status of a POS transaction', () => {
  const query = { developerTrackingId: 'T-1', idTerminal: 'TERM-1' };
  const only =
    (path: string): Script =>
    (_n, { target }) =>
      target.startsWith(path) ? { kind: 'answer', body: ROWS } : NO_PAGE;
  const pathsOf = ({ requests }: ScriptedGateway): readonly (string | undefined)[] =>
    requests.map(({ target }) => target.split('?')[0]);

  test.each([
    ['api', API_PATH, PARTNER_PATH],
    ['partners', PARTNER_PATH, API_PATH],
  ] as const)('is requested at the other path if %s lacks its path', async (posFamily, own, other) => {
    const { gateway, client } = await started(only(other), { posFamily });
    expect(await client.pos.status(query)).toMatchObject([{ serviceTransactionId: UUID }]);
    expect(pathsOf(gateway)).toEqual([own, other]);
    const [first, second] = gateway.requests.map(({ target }) => target.split('?')[1]);
    expect(second).toBe(first);
  });

  test('is requested once at each path if neither exists', async () => {
    const { gateway, client } = await started(always(NO_PAGE));
    await expect(client.pos.status(query)).rejects.toMatchObject({ code: 'unexpected_shape', httpStatus: 404 });
    expect(pathsOf(gateway)).toEqual([API_PATH, PARTNER_PATH]);
  });

  test('is not requested again if the gateway does not know the transaction', async () => {
    const body = { success: false, code: 404, message: 'Transaction not found' };
    const { gateway, client } = await started(always({ kind: 'answer', status: 404, body }));
    await expect(client.pos.status(query)).rejects.toMatchObject({ code: 'not_found' });
    expect(pathsOf(gateway)).toEqual([API_PATH]);
  });

  test('is the only POS call that changes its path', async () => {
    const { gateway, client } = await started(always(NO_PAGE));
    const start = { idTerminal: 'TERM-1', serialNumber: 'SN-1', amountMillimes: 1_000, paymentMethod: 'NFC' } as const;
    await expect(client.pos.start({ ...start, developerTrackingId: 'T-1' })).rejects.toMatchObject({
      code: 'outcome_unknown',
    });
    expect(gateway.connections).toBe(1);
  });
});

describe('the history of QR payments', () => {
  const rows = (count: number): Script =>
    always({
      kind: 'answer',
      body: {
        success: true,
        result: Array.from({ length: count }, (_, index) => ({
          transaction_unique_id: `Q-${index}`,
          time: '2026-03-02T08:00:00Z',
          amount: 1_000,
        })),
      },
    });

  test.each([
    [2, 2, 1],
    [3, 2, 1],
    [1, 2, 0],
    [2, undefined, 0],
  ])('of %s rows with a size of %s warns %s times that more may exist', async (count, size, warnings) => {
    const logger = recordingLogger();
    const { client } = await started(rows(count), { logger });
    expect(await client.qr.history({ merchantId: 7, size })).toHaveLength(count);
    expect(logger.events('gateway.window_full')).toHaveLength(warnings);
  });
});
