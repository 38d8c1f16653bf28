import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { GatewayClient } from '../../../src/gateway';
import type { RunningSimulator } from '../../../src/simulator';
import { payQr } from '../../../src/simulator/testing';
import { aClientOf, aRunningSimulator, exampleBody, jsonShapeOf, passTime } from '../../support/a-simulator';

// Goal: the typed client and the simulator agree on every QR operation, and both with the interface's examples.
// Method: the client over HTTP; the answers' keys and types are compared with the literal bodies.

const operationUuid = 'c0000000-0000-4000-8000-00000000000a';
const CODE = { amountMillimes: 3_500, merchantId: 1_234, operationUuid };

let running: RunningSimulator;
let client: GatewayClient;

beforeEach(async () => {
  running = await aRunningSimulator();
  client = aClientOf(running);
});

afterEach(async () => running.close());

async function bodyOf(path: string, query: Readonly<Record<string, string | number>>): Promise<unknown> {
  return client.request({ method: 'GET', path: `/api/business/${path}`, query, auth: 'api_key' });
}

describe("The client's QR operations against the simulator", () => {
  test('generate a code, the same one for a repeated request', async () => {
    const code = await client.qr.generate(CODE);

    expect(code.operationUuid).toBe(operationUuid);
    expect(await client.qr.generate(CODE)).toEqual(code);
    expect(jsonShapeOf(code.raw)).toEqual(jsonShapeOf(exampleBody('qr.generate', 'a code')));
  });

  test('generate a slug with a uuid of the client', async () => {
    const { qrCode, operationUuid: made } = await client.qr.generate({
      amountMillimes: 3_500,
      merchantId: 1_234,
      barcode: true,
    });

    expect(qrCode).toMatch(/^qr-/);
    expect(await client.qr.verify({ operationUuid: made })).toEqual([]);
  });

  test('show every payment of a code', async () => {
    await client.qr.generate(CODE);
    expect(await client.qr.verify({ operationUuid })).toEqual([]);

    const ids = [
      ...payQr(running.simulator.simulation, operationUuid),
      ...payQr(running.simulator.simulation, operationUuid, { channel: 'other_wallet' }),
    ];
    const payments = await client.qr.verify({ operationUuid });

    expect(payments).toMatchObject([
      { transactionUniqueId: ids[0], time: '2026-03-02T08:00:00.000Z', amountMillimes: 3_500, channel: 'service' },
      { transactionUniqueId: ids[1], time: '2026-03-02T08:00:00.000Z', amountMillimes: 3_500, channel: 'other_wallet' },
    ]);
    expect(payments[0]).not.toHaveProperty('assumedOffset');
  });

  test('show the purchases of a merchant within a time range and a size', async () => {
    await client.qr.generate(CODE);
    const ids: (string | undefined)[] = [];
    for (let count = 0; count < 3; count += 1) {
      ids.unshift(payQr(running.simulator.simulation, operationUuid)[0]);
      await passTime(running.simulator, 60_000);
    }
    const idsOf = async (more: object): Promise<readonly string[]> =>
      (await client.qr.history({ merchantId: 1_234, ...more })).map(({ transactionUniqueId }) => transactionUniqueId);

    expect(await idsOf({})).toEqual(ids);
    expect(await idsOf({ size: 2 })).toEqual(ids.slice(0, 2));
    expect(await idsOf({ startDate: '2026-03-02T09:01:00+01:00', endDate: '2026-03-02T09:02:00+01:00' })).toEqual([
      ids[1],
    ]);
    expect(await client.qr.history({ merchantId: 77 })).toEqual([]);
  });

  test('answer lists in the shape of the examples', async () => {
    await client.qr.generate(CODE);
    payQr(running.simulator.simulation, operationUuid);
    const found = await bodyOf('custom_transaction/status', { operation_uuid: operationUuid });
    payQr(running.simulator.simulation, operationUuid);
    const history = await bodyOf('custom_transactions/history', { merchant_id: 1_234 });
    const none = await bodyOf('custom_transactions/history', { merchant_id: 77 });

    expect(jsonShapeOf(found)).toEqual(jsonShapeOf(exampleBody('qr.verify', 'paid once')));
    expect(jsonShapeOf(history)).toEqual(
      jsonShapeOf(exampleBody('qr.history', 'two purchases; the array is called result')),
    );
    expect(none).toEqual(exampleBody('qr.history', 'none'));
  });
});

describe('A refused QR operation', () => {
  test.each([
    ['generate', 'generate_custom_qr_code', { amount_in_millimes: 3_500 }, 'merchant_id is required'],
    ['verify', 'custom_transaction/status', {}, 'operation_uuid is required'],
    ['history', 'custom_transactions/history', {}, 'merchant_id is required'],
  ])('%s names the missing parameter', async (_name, path, query, message) => {
    await expect(bodyOf(path, query)).rejects.toMatchObject({
      code: 'validation',
      httpStatus: 400,
      gatewayCode: '400',
      message: expect.stringContaining(message),
    });
  });

  test.each([
    ['generate', async () => client.qr.generate({ ...CODE, merchantId: 1_000_000 })],
    ['history', async () => client.qr.history({ merchantId: 0 })],
  ])('%s refuses an unknown merchant', async (_name, call) => {
    await expect(call()).rejects.toMatchObject({
      code: 'not_found',
      gatewayCode: '404',
      message: expect.stringContaining('precondition fails, code 3'),
    });
  });

  test.each([
    ['generate', async ({ qr }: GatewayClient) => qr.generate(CODE)],
    ['verify', async ({ qr }: GatewayClient) => qr.verify({ operationUuid })],
    ['history', async ({ qr }: GatewayClient) => qr.history({ merchantId: 1_234 })],
  ])('%s refuses another key', async (_name, call) => {
    await expect(call(aClientOf(running, { apiKey: 'ak_other' }))).rejects.toMatchObject({
      code: 'permission',
      gatewayCode: '403',
    });
  });

  test('refuses a known uuid with other content', async () => {
    await client.qr.generate(CODE);

    await expect(client.qr.generate({ ...CODE, amountMillimes: 3_501 })).rejects.toMatchObject({ code: 'validation' });
  });
});
