import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { GatewayClient } from '../../../src/gateway';
import type { RunningSimulator } from '../../../src/simulator';
import { confirmLink } from '../../../src/simulator/testing';
import { aClientOf, aRunningSimulator, exampleBody, jsonShapeOf, passTime } from '../../support/a-simulator';

// Goal: the typed client and the simulator agree on every wallet operation, and both with the interface's examples.
// Method: the client over HTTP; the answers' keys and types are compared with the literal bodies.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ACCOUNT = { phoneNumber: '21620000001', trackingId: '5e0c1d3a-6b1f-4d0e-9a01-000000000001' };
const UNKNOWN = { ...ACCOUNT, trackingId: '5e0c1d3a-6b1f-4d0e-9a01-0000000000ff' };

let running: RunningSimulator;
let client: GatewayClient;

beforeEach(async () => {
  running = await aRunningSimulator();
  client = aClientOf(running);
});

afterEach(async () => running.close());

describe("The client's wallet operations against the simulator", () => {
  test('link a wallet', async () => {
    const link = await client.wallet.initiateLink({ phoneNumber: '+216 29 000 111' });

    expect(link.sessionId).toMatch(UUID);
    expect(link).toMatchObject({ phoneNumber: '21629000111', message: 'One-time code sent' });
    expect(link.name).not.toBe('');
    expect(jsonShapeOf(link.raw)).toEqual(jsonShapeOf(exampleBody('wallet.initiateLink', 'the code was sent')));

    const trackingId = confirmLink(running.simulator.simulation, link.sessionId);
    expect(await client.wallet.balance({ phoneNumber: '29000111', trackingId })).toMatchObject({
      balanceMillimes: 100_000,
    });
  });

  test('open a session, and refresh it until its end', async () => {
    const session = await client.wallet.authenticate(ACCOUNT);
    expect(session).toMatchObject({ expiresIn: 300 });
    expect(jsonShapeOf(session.raw)).toEqual(jsonShapeOf(exampleBody('wallet.authenticate', 'a session')));

    const { refreshToken } = session;
    const refreshed = await client.wallet.refresh({ refreshToken });
    expect(refreshed).toMatchObject({ expiresIn: 300 });
    expect(refreshed.token).not.toBe(session.token);
    expect(jsonShapeOf(refreshed.raw)).toEqual(
      jsonShapeOf(exampleBody('wallet.refresh', 'a new token and no new refresh token')),
    );

    await passTime(running.simulator, 86_400_000);
    await expect(client.wallet.refresh({ refreshToken })).rejects.toMatchObject({ code: 'authentication' });
  });

  test('pay, and read the balance before and after', async () => {
    const before = await client.wallet.balance(ACCOUNT);
    const paid = await client.wallet.pay({
      ...ACCOUNT,
      amountMillimes: 7_500,
      product: 'P-1',
      webhook: `${running.baseUrl}/nobody-listens`,
    });
    const after = await client.wallet.balance(ACCOUNT);

    expect(before).toMatchObject({ walletId: '100001', balanceMillimes: 1_250_500 });
    expect(after.balanceMillimes).toBe(1_243_000);
    expect(paid.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(paid.blockchainRef).toMatch(/^0x[0-9a-f]{40}$/);
    expect(jsonShapeOf(before.raw)).toEqual(jsonShapeOf(exampleBody('wallet.balance', 'a balance')));
    expect(jsonShapeOf(paid.raw)).toEqual(jsonShapeOf(exampleBody('wallet.pay', 'sent')));
  });

  test('read all pages of the history, the newest first', async () => {
    const references: string[] = [];
    for (const product of ['P-1', 'P-2', 'P-3']) {
      references.unshift((await client.wallet.pay({ ...ACCOUNT, amountMillimes: 1_000, product })).blockchainRef);
      await passTime(running.simulator, 1_000);
    }

    const rows = [];
    for await (const row of client.wallet.history({ ...ACCOUNT, size: 2 })) rows.push(row);

    expect(rows.map(({ payload }) => payload['blockchainRef'])).toEqual(references);
    expect(rows[2]).toMatchObject({
      sender: ACCOUNT.phoneNumber,
      status: 'SUCCESS',
      timeCreated: '2026-03-02T08:00:00.000Z',
      payload: { operationType: 'payment', product: 'P-1' },
    });
    expect(rows[2]?.operationId).toMatch(UUID);
    expect(rows[2]).not.toHaveProperty('assumedOffset');

    const page = await client.request({
      method: 'GET',
      path: '/partners/v1/transactions/history',
      query: { phone_number: ACCOUNT.phoneNumber, tracking_id: ACCOUNT.trackingId, size: 2 },
      auth: 'app',
    });
    expect(jsonShapeOf(page)).toEqual(
      jsonShapeOf(exampleBody('wallet.history', 'two pages, which carry no success flag')),
    );
  });

  test('read the history of a time range', async () => {
    await client.wallet.pay({ ...ACCOUNT, amountMillimes: 1_000, product: 'P-1' });

    const rows = [];
    const window = { from: '2026-03-02T09:00:00+01:00', to: '2026-03-02T09:00:00.001+01:00' };
    for await (const row of client.wallet.history({ ...ACCOUNT, ...window })) rows.push(row);
    for await (const row of client.wallet.history({ ...ACCOUNT, to: window.from })) rows.push(row);

    expect(rows).toHaveLength(1);
  });
});

describe('A refused wallet operation', () => {
  test('is a refusal, not an unknown outcome, if the balance is too small', async () => {
    const payment = client.wallet.pay({ ...ACCOUNT, amountMillimes: 1_250_501, product: 'P-1' });

    await expect(payment).rejects.toMatchObject({ code: 'refused', gatewayCode: 'INSUFFICIENT_BALANCE' });
    expect(await client.wallet.balance(ACCOUNT)).toMatchObject({ balanceMillimes: 1_250_500 });
  });

  test.each([
    ['authenticate', async () => client.wallet.authenticate(UNKNOWN)],
    ['balance', async () => client.wallet.balance(UNKNOWN)],
    ['history', async () => client.wallet.history(UNKNOWN).next()],
    ['pay', async () => client.wallet.pay({ ...UNKNOWN, amountMillimes: 1, product: 'P-1' })],
  ])('is not found for %s of an unlinked wallet', async (_name, call) => {
    await expect(call()).rejects.toMatchObject({ code: 'not_found', httpStatus: 404 });
  });

  test('names the field with an invalid phone number', async () => {
    await expect(client.wallet.initiateLink({ phoneNumber: 'Leila' })).rejects.toMatchObject({
      code: 'validation',
      fields: { phone_number: ['is not a phone number'] },
    });
  });

  test.each([
    ['balance', 'authentication', async (stranger: GatewayClient) => stranger.wallet.balance(ACCOUNT)],
    ['authenticate', 'permission', async (stranger: GatewayClient) => stranger.wallet.authenticate(ACCOUNT)],
    [
      'pay',
      'authentication',
      async (stranger: GatewayClient) => stranger.wallet.pay({ ...ACCOUNT, amountMillimes: 1, product: 'P-1' }),
    ],
  ])('is %s with a wrong credential: %s', async (_name, code, call) => {
    const stranger = aClientOf(running, { privateKey: 'sk_other', apiKey: 'ak_other' });

    await expect(call(stranger)).rejects.toMatchObject({ code });
  });
});
