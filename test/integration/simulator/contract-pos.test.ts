import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { PosTransaction } from '../../../src/gateway';
import type { RunningSimulator } from '../../../src/simulator';
import { finishPos } from '../../../src/simulator/testing';
import { aClientOf, aRunningSimulator, exampleBody, jsonShapeOf } from '../../support/a-simulator';

// Goal: the typed client and the simulator agree on both POS operations in both path families, and with the examples.
// Method: the client over HTTP; the answers' keys and types are compared with the literal bodies.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const UNKNOWN_UUID = '5e0c1d3a-6b1f-4d0e-9a01-0000000000ff';
const START = {
  idTerminal: 'T-001',
  serialNumber: 'SN0042',
  amountMillimes: 15_750,
  paymentMethod: 'CARD',
  developerTrackingId: 'till 1/é',
} as const;

let running: RunningSimulator;

beforeEach(async () => {
  running = await aRunningSimulator();
});

afterEach(async () => running.close());

describe.each([
  ['api', 'sent to the terminal', { terminalId: 'T-001' }],
  [
    'partners',
    'sent to the terminal, with the tracking id and a message',
    { terminalId: 'T-001', developerTrackingId: 'till 1/é', message: 'Transaction sent to the terminal' },
  ],
] as const)('the POS operations of the %s family', (posFamily, example, expected) => {
  test('start a transaction, and find it by the tracking id and then by its own', async () => {
    const { pos } = aClientOf(running, { posFamily });

    const { raw, ...started } = await pos.start(START);
    const [found] = await pos.status({ developerTrackingId: START.developerTrackingId });

    expect(started).toEqual(expected);
    expect(jsonShapeOf(raw)).toEqual(jsonShapeOf(exampleBody('pos.start', example)));
    if (found === undefined) throw new Error('the transaction that was started is not there');
    expect(found).toMatchObject({
      developerTrackingId: START.developerTrackingId,
      paymentStatus: 'PP',
      paymentMethod: 'card',
      amountMillimes: 15_750,
      currency: 'TND',
      terminalId: 'T-001',
      settlementStatus: 'NOT_APPLICABLE',
    });
    expect(found.serviceTransactionId).toMatch(UUID);

    finishPos(running.simulator.simulation, found.serviceTransactionId, 'PS');
    expect(await pos.status({ serviceTransactionId: found.serviceTransactionId })).toMatchObject([
      { serviceTransactionId: found.serviceTransactionId, paymentStatus: 'PS', settlementStatus: 'AVAILABLE' },
    ]);
  });

  test('show the rows of a reused tracking id, for one terminal if requested', async () => {
    const { pos } = aClientOf(running, { posFamily });
    await pos.start(START);
    await pos.start({ ...START, idTerminal: 'T-002', amountMillimes: 1, webhook: `${running.baseUrl}/hint` });
    const { developerTrackingId } = START;
    const amounts = (rows: readonly PosTransaction[]): readonly number[] => rows.map((row) => row.amountMillimes);

    expect(amounts(await pos.status({ developerTrackingId }))).toEqual([15_750, 1]);
    expect(amounts(await pos.status({ developerTrackingId, idTerminal: 'T-002' }))).toEqual([1]);
  });

  test('show nothing for an unknown id', async () => {
    const { pos } = aClientOf(running, { posFamily });

    expect(await pos.status({ developerTrackingId: 'unknown' })).toEqual([]);
    expect(await pos.status({ serviceTransactionId: UNKNOWN_UUID })).toEqual([]);
  });

  test('are refused with a wrong credential', async () => {
    const { pos } = aClientOf(running, { posFamily, privateKey: 'sk_other' });

    await expect(pos.start(START)).rejects.toMatchObject({ code: 'authentication' });
    await expect(pos.status({ developerTrackingId: 'till-1' })).rejects.toMatchObject({ code: 'authentication' });
    expect(running.simulator.simulation.world.pos.transactions).toEqual({});
  });

  test('answer a status in the format of the example, and refuse two ids in one request', async () => {
    const client = aClientOf(running, { posFamily });
    await client.pos.start(START);
    const ask = async (query: Readonly<Record<string, string>>): Promise<unknown> =>
      client.request({
        method: 'GET',
        path: `/${posFamily}/transactions/get_pos_transaction_status`,
        query,
        auth: 'app',
      });

    expect(jsonShapeOf(await ask({ developer_tracking_id: START.developerTrackingId }))).toEqual(
      jsonShapeOf(exampleBody('pos.status', 'a succeeded card payment')),
    );
    await expect(
      ask({ developer_tracking_id: START.developerTrackingId, service_transaction_id: UNKNOWN_UUID }),
    ).rejects.toMatchObject({ code: 'validation', httpStatus: 400 });
  });
});

test('a refused start names the field and is no unknown outcome', async () => {
  const start = aClientOf(running).pos.start({ ...START, developerTrackingId: 'x'.repeat(256) });

  await expect(start).rejects.toMatchObject({
    code: 'validation',
    fields: { developer_tracking_id: ['is longer than 255 characters'] },
  });
});

test('an NFC transaction of a test application is decoded without a settlement status', async () => {
  await running.close();
  running = await aRunningSimulator({ settings: { isTest: true } });
  const { pos } = aClientOf(running);
  await pos.start({ ...START, paymentMethod: 'NFC' });

  const [found] = await pos.status({ developerTrackingId: START.developerTrackingId });

  expect(found).toMatchObject({ paymentMethod: 'nfc' });
  expect(found).not.toHaveProperty('settlementStatus');
});
