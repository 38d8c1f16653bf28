import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { GatewayClient } from '../../../src/gateway';
import { aClient } from '../../support/a-client';
import { always, ScriptedGateway } from '../../support/scripted-gateway';

// Goal: a field unknown to the client is refused, never silently dropped.
// Method: misspelled and misplaced fields, as an untyped caller may pass them; the gateway receives no request.

const LINKS = { successLink: 'https://shop.example/yes', failLink: 'https://shop.example/no' };
const PAYMENT = { amountMillimes: 5_000, ...LINKS };
const PLAN = { amountMillimes: 5_000, interval: 'month', name: 'Plan', developerTrackingId: 'T-1', ...LINKS } as const;
const UUID = 'c0000000-0000-4000-8000-000000000001';
const ACCOUNT = { phoneNumber: '20123456', trackingId: UUID };
const PART = { amountMillimes: 1_000, destination: '0123' };
const GET = { method: 'GET', path: '/api/v2/transactions', auth: 'app' } as const;

let gateway: ScriptedGateway;
let client: GatewayClient;

beforeEach(async () => {
  gateway = await ScriptedGateway.start(always({ kind: 'answer', body: {} }));
  client = aClient({ baseUrl: gateway.baseUrl, publicKey: 'pk', privateKey: 'sk', apiKey: 'ak' });
});

afterEach(async () => {
  await gateway.stop();
});

interface Case {
  /** The field that is to be named in the refusal. */
  readonly field: string;
  call(given: Readonly<Record<string, unknown>>): Promise<unknown>;
  readonly given: Readonly<Record<string, unknown>>;
}

const CASES: readonly (readonly [about: string, one: Case])[] = [
  [
    'a capture with the amount under another name',
    { field: 'amount', given: { amount: 100 }, call: (more) => client.payments.capture({ paymentId: 'P-1', ...more }) },
  ],
  [
    'a refund with an amount: it is always in full',
    {
      field: 'amountMillimes',
      given: { amountMillimes: 100 },
      call: (more) => client.payments.refund({ paymentId: 'P-1', ...more }),
    },
  ],
  [
    'a payment with the parts of a split',
    {
      field: 'destination',
      given: { destination: [PART] },
      call: (more) => client.payments.create({ ...PAYMENT, ...more }),
    },
  ],
  [
    'a pre-authorization with the parts of a split',
    {
      field: 'destination',
      given: { destination: [PART] },
      call: (more) => client.payments.preauthorize({ ...PAYMENT, ...more }),
    },
  ],
  [
    'a payment with the mark of a pre-authorization',
    {
      field: 'preAuthorization',
      given: { preAuthorization: true },
      call: (more) => client.payments.create({ ...PAYMENT, ...more }),
    },
  ],
  [
    'a part of a split with more than an amount and a merchant',
    {
      field: 'destination',
      given: { destination: [{ ...PART, fee: 1 }] },
      call: (more) => client.payments.createSplit({ ...PAYMENT, destination: [], ...more }),
    },
  ],
  [
    'a subscription with the parts of a split',
    {
      field: 'destination',
      given: { destination: [PART] },
      call: (more) => client.subscriptions.create({ ...PLAN, ...more }),
    },
  ],
  [
    'a subscription in another currency',
    {
      field: 'currency',
      given: { currency: 'EUR' },
      call: (more) => client.subscriptions.create({ ...PLAN, ...more }),
    },
  ],
  [
    'charges from a page',
    {
      field: 'page',
      given: { page: 3 },
      call: async (more) => client.subscriptions.listCharges('S-1', { pageSize: 10, ...more }).next(),
    },
  ],
  [
    'a wallet payment with a key that the gateway does not have',
    {
      field: 'idempotencyKey',
      given: { idempotencyKey: 'K' },
      call: (more) => client.wallet.pay({ ...ACCOUNT, amountMillimes: 1, product: 'P', ...more }),
    },
  ],
  [
    'a history with the name of the gateway for a size',
    { field: 'page', given: { page: 2 }, call: async (more) => client.wallet.history({ ...ACCOUNT, ...more }).next() },
  ],
  [
    'a query of QR payments with a misspelt date',
    {
      field: 'start_date',
      given: { start_date: '2026-03-02T08:00:00Z' },
      call: (more) => client.qr.history({ merchantId: 7, ...more }),
    },
  ],
  [
    'a free request with headers',
    { field: 'headers', given: { headers: {} }, call: (more) => client.request({ ...GET, ...more }) },
  ],
];

test.each(CASES)('%s is refused before a request is sent', async (_about, { field, given, call }) => {
  await expect(call(given)).rejects.toMatchObject({ code: 'validation', fields: { [field]: [expect.any(String)] } });
  expect(gateway.connections).toBe(0);
});

test.each([
  '/api/v2/verify_payment/P-1',
  '/api/v2/verify_payment',
  '/api/v2/Verify_Payment/P-1',
  '/api/v2/verify%5Fpayment/P-1',
])('a free request may not bypass the budget of verify: %s', async (path) => {
  await expect(client.request({ method: 'GET', path, auth: 'app' })).rejects.toMatchObject({
    code: 'validation',
    fields: { path: [expect.stringContaining('payments.verify')] },
  });
  expect(gateway.connections).toBe(0);
});

test('a subscription may state its currency, which is sent', async () => {
  await expect(client.subscriptions.create({ ...PLAN, currency: 'TND' })).rejects.toMatchObject({
    code: 'unexpected_shape',
  });
  expect(JSON.parse(gateway.requests[0]?.body ?? '')).toMatchObject({ currency: 'TND' });
});
