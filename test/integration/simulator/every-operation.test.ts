import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { GatewayClient } from '../../../src/gateway';
import type { RunningSimulator } from '../../../src/simulator';
import { GATEWAY_PARTS, payPayment } from '../../../src/simulator/testing';
import { aClientOf, aRunningSimulator } from '../../support/a-simulator';
import { interfaceExamples } from '../../support/interface-examples';

// Goal: no operation of the interface is missing on either side, and each works over HTTP.
// Method: the table typed from interface sections 4.1 to 4.5; the simulator's own list; the literal examples; and one run
// in which the client calls each operation once, read back from the simulator's trace.

const OPERATIONS: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/api/v2/generate_payment'],
  ['GET', '/api/v2/verify_payment/{payment_id}'],
  ['POST', '/api/v2/confirm_payment'],
  ['POST', '/api/v2/cancel_payment'],
  ['POST', '/api/v2/refund_payment'],
  ['GET', '/api/v2/bindings/list'],
  ['POST', '/api/v2/subscriptions'],
  ['GET', '/api/v2/subscriptions/{subscription_id}'],
  ['GET', '/api/v2/subscriptions/{subscription_id}/charges'],
  ['POST', '/partners/accounts/initiate_link_account'],
  ['POST', '/api/accounts/authenticate'],
  ['GET', '/api/accounts/authenticate/refresh'],
  ['GET', '/partners/v1/transactions/balance'],
  ['GET', '/partners/v1/transactions/history'],
  ['POST', '/partners/v1/transactions/initiate_payment'],
  ['POST', '/api/transactions/init_pos_transaction'],
  ['POST', '/partners/transactions/init_pos_transaction'],
  ['GET', '/api/transactions/get_pos_transaction_status'],
  ['GET', '/partners/transactions/get_pos_transaction_status'],
  ['GET', '/api/business/generate_custom_qr_code'],
  ['GET', '/api/business/custom_transaction/status'],
  ['GET', '/api/business/custom_transactions/history'],
];
const TABLE = OPERATIONS.map(([method, path]) => `${method} ${path}`).sort();

const LINKS = { successLink: 'https://shop.example/yes', failLink: 'https://shop.example/no' };
const ACCOUNT = { phoneNumber: '21620000001', trackingId: '5e0c1d3a-6b1f-4d0e-9a01-000000000001' };

let running: RunningSimulator;

beforeEach(async () => {
  running = await aRunningSimulator();
});

afterEach(async () => running.close());

test('the simulator has the operations of the interface, and no others', () => {
  const own = GATEWAY_PARTS.operations.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);

  expect(own.sort()).toEqual(TABLE);
});

test('the literal examples of the client cover every operation', () => {
  const matchers = OPERATIONS.map(([method, path]) => ({
    name: `${method} ${path}`,
    method,
    path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  const named = interfaceExamples().map(({ request }) => {
    const found = matchers.find(({ method, path }) => method === request.method && path.test(request.path));
    return found?.name ?? `${request.method} ${request.path} is not in the interface`;
  });

  expect([...new Set(named)].sort()).toEqual(TABLE);
});

test('the client calls every operation of the simulator and gets an answer', async () => {
  await callAll(aClientOf(running), aClientOf(running, { posFamily: 'partners' }));

  const called = running.simulator.simulation.world.trace.filter(({ what }) => what === 'call');
  expect(called.filter(({ facts }) => Number(facts['status']) >= 300)).toEqual([]);
  expect(new Set(called.map(({ facts }) => facts['operation']))).toEqual(
    new Set(GATEWAY_PARTS.operations.map(({ name }) => name)),
  );
});

/** Each call of the contract's table once, in an order in which all can succeed. */
async function callAll(client: GatewayClient, partner: GatewayClient): Promise<void> {
  const { simulation } = running.simulator;
  const { payments, subscriptions, wallet, qr } = client;
  const plain = await payments.create({ amountMillimes: 5_000, ...LINKS, developerTrackingId: 'T-1' });
  payPayment(simulation, plain.paymentId, { type: 'wallet' });
  expect(await payments.verify(plain.paymentId)).toMatchObject({ status: 'SUCCESS', settlementStatus: 'AVAILABLE' });
  expect(await payments.refund({ paymentId: plain.paymentId })).toMatchObject({ amountMillimes: 5_000 });

  const bound = await payments.createWithBinding({
    amountMillimes: 6_000,
    ...LINKS,
    clientId: 'C-1',
    acceptCard: true,
  });
  payPayment(simulation, bound.paymentId, { type: 'card' });
  expect(await client.bindings.list({ clientId: 'C-1' })).toHaveLength(1);

  const destination = [{ amountMillimes: 3_000, destination: '0123' }];
  expect((await payments.createSplit({ amountMillimes: 7_000, ...LINKS, destination })).paymentId).not.toBe('');
  for (const end of ['capture', 'cancel'] as const) {
    const held = await payments.preauthorize({ amountMillimes: 8_000, ...LINKS, acceptCard: true });
    payPayment(simulation, held.paymentId, { type: 'card' });
    expect((await payments[end]({ paymentId: held.paymentId })).paymentId).toBe(held.paymentId);
  }

  const terms = {
    amountMillimes: 9_000,
    interval: 'month',
    name: 'Plan',
    developerTrackingId: 'S-1',
    ...LINKS,
  } as const;
  const { subscriptionId } = await subscriptions.create(terms);
  expect((await subscriptions.retrieve(subscriptionId)).status).toBe('incomplete');
  expect(await all(subscriptions.listCharges(subscriptionId))).toHaveLength(1);

  expect((await wallet.initiateLink({ phoneNumber: '29000111' })).sessionId).not.toBe('');
  const { refreshToken } = await wallet.authenticate(ACCOUNT);
  expect((await wallet.refresh({ refreshToken })).token).not.toBe('');
  expect((await wallet.pay({ ...ACCOUNT, amountMillimes: 1_000, product: 'P-1' })).hash).not.toBe('');
  expect((await wallet.balance(ACCOUNT)).walletId).not.toBe('');
  expect(await all(wallet.history(ACCOUNT))).toHaveLength(1);

  for (const { pos } of [client, partner]) {
    const developerTrackingId = `POS-${pos === client.pos ? 1 : 2}`;
    const terminal = {
      idTerminal: 'TERM-1',
      serialNumber: 'SN-1',
      amountMillimes: 2_000,
      paymentMethod: 'NFC',
    } as const;
    expect((await pos.start({ ...terminal, developerTrackingId })).terminalId).toBe('TERM-1');
    expect(await pos.status({ developerTrackingId })).toHaveLength(1);
  }

  const { operationUuid } = await qr.generate({ amountMillimes: 4_000, merchantId: 7 });
  expect(await qr.verify({ operationUuid })).toEqual([]);
  expect(await qr.history({ merchantId: 7 })).toEqual([]);
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
