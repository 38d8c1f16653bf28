import { afterEach, describe, expect, test } from '@jest/globals';
import type { GatewayClient } from '../../../src/gateway';
import { aClient } from '../../support/a-client';
import { always, ScriptedGateway } from '../../support/scripted-gateway';

// Goal: an answer about something other than the request is refused, even if it is otherwise valid.
// Method: for each operation that can be checked, a valid answer that names another payment, terminal, code or id.

const UUID = '0b9f2c34-5d6e-4f70-8a91-b2c3d4e5f607';
const OTHER_UUID = '5e0c1d3a-6b1f-4d0e-9a01-000000000001';
const LINKS = { successLink: 'https://shop.example/yes', failLink: 'https://shop.example/no' };
const TERMS = { amountMillimes: 5_000, interval: 'month', name: 'Plan', developerTrackingId: 'T-1', ...LINKS } as const;
const START = { idTerminal: 'TERM-1', serialNumber: 'SN-1', amountMillimes: 5_000, paymentMethod: 'NFC' } as const;
const ROW = {
  service_transaction_id: UUID,
  payment_status: 'PS',
  amount_in_millimes: 5_000,
  developer_tracking_id: 'T-1',
};
const SUBSCRIPTION = {
  subscription_id: 'S-1',
  status: 'incomplete',
  amount: 5_000,
  currency: 'TND',
  interval: 'month',
  interval_count: 1,
  client_id: null,
  developer_tracking_id: 'T-1',
  is_test: false,
  cycles_completed: 0,
  max_cycles: null,
  cancel_at_period_end: false,
};

interface Case {
  readonly about: string;
  readonly call: (client: GatewayClient) => Promise<unknown>;
  readonly answer: unknown;
  readonly code: 'unexpected_shape' | 'outcome_unknown';
}

const CASES: readonly Case[] = [
  {
    about: 'verify answers for another payment',
    call: ({ payments }) => payments.verify('P-1'),
    answer: { success: true, result: { payment_id: 'P-2', type: 'wallet', amount: 5_000, status: 'SUCCESS' } },
    code: 'unexpected_shape',
  },
  {
    about: 'a capture names another payment',
    call: ({ payments }) => payments.capture({ paymentId: 'P-1' }),
    answer: { status: 'success', result: { payment_id: 'P-2', status: 'confirmed', amount: '5000' } },
    code: 'outcome_unknown',
  },
  {
    about: 'a capture took another amount',
    call: ({ payments }) => payments.capture({ paymentId: 'P-1', amountMillimes: 4_000 }),
    answer: { status: 'success', result: { payment_id: 'P-1', status: 'confirmed', amount: '5000' } },
    code: 'outcome_unknown',
  },
  {
    about: 'a cancellation names another payment',
    call: ({ payments }) => payments.cancel({ paymentId: 'P-1' }),
    answer: { status: 'success', result: { payment_id: 'P-2', status: 'cancelled' } },
    code: 'outcome_unknown',
  },
  {
    about: 'a refund names another payment',
    call: ({ payments }) => payments.refund({ paymentId: 'P-1' }),
    answer: { status: 'success', result: { refund_id: 'R', payment_id: 'P-2', amount: '5000', status: 'success' } },
    code: 'outcome_unknown',
  },
  {
    about: 'a created payment has another tracking id',
    call: ({ payments }) => payments.create({ amountMillimes: 5_000, ...LINKS, developerTrackingId: 'T-1' }),
    answer: { result: { success: true, payment_id: 'P-1', link: LINKS.successLink, developer_tracking_id: 'T-2' } },
    code: 'outcome_unknown',
  },
  {
    about: 'a created subscription has another tracking id',
    call: ({ subscriptions }) => subscriptions.create(TERMS),
    answer: {
      result: {
        success: true,
        subscription_id: 'S-1',
        payment_id: 'P-1',
        link: LINKS.successLink,
        status: 'incomplete',
        developer_tracking_id: 'T-2',
      },
    },
    code: 'unexpected_shape',
  },
  {
    about: 'a POS transaction was started under another tracking id',
    call: ({ pos }) => pos.start({ ...START, developerTrackingId: 'T-1' }),
    answer: { success: true, terminal_id: 'TERM-1', status_code: 201, developer_tracking_id: 'T-2' },
    code: 'outcome_unknown',
  },
  {
    about: 'a POS row is another transaction',
    call: ({ pos }) => pos.status({ serviceTransactionId: OTHER_UUID }),
    answer: { success: true, transactions: [ROW], status_code: 200 },
    code: 'unexpected_shape',
  },
  {
    about: 'a POS row has another tracking id',
    call: ({ pos }) => pos.status({ developerTrackingId: 'T-2' }),
    answer: { success: true, transactions: [ROW], status_code: 200 },
    code: 'unexpected_shape',
  },
  {
    about: 'a POS row is in another currency',
    call: ({ pos }) => pos.status({ developerTrackingId: 'T-1' }),
    answer: { success: true, transactions: [{ ...ROW, currency: 'USD' }], status_code: 200 },
    code: 'unexpected_shape',
  },
  {
    about: 'a subscription is in another currency',
    call: ({ subscriptions }) => subscriptions.retrieve('S-1'),
    answer: { success: true, result: { ...SUBSCRIPTION, currency: 'EUR' } },
    code: 'unexpected_shape',
  },
  {
    about: 'a subscription would send the customer to a script',
    call: ({ subscriptions }) => subscriptions.retrieve('S-1'),
    answer: { success: true, result: { ...SUBSCRIPTION, checkout_url: 'javascript:alert(1)' } },
    code: 'unexpected_shape',
  },
  {
    about: 'a wallet payment does not say that it succeeded',
    call: ({ wallet }) => wallet.pay({ phoneNumber: '20123456', trackingId: UUID, amountMillimes: 1, product: 'P' }),
    answer: { hash: 'hash-1', blockchain_ref: 'ref-1' },
    code: 'outcome_unknown',
  },
  {
    about: 'a POS transaction does not say that it succeeded',
    call: ({ pos }) => pos.start({ ...START, developerTrackingId: 'T-1' }),
    answer: { terminal_id: 'TERM-1', status_code: 201 },
    code: 'outcome_unknown',
  },
  {
    about: 'a QR code is for another operation',
    call: ({ qr }) => qr.generate({ amountMillimes: 5_000, merchantId: 7, operationUuid: UUID }),
    answer: { success: true, code: 200, qr_code: 'iVBORw0', operation_uuid: OTHER_UUID },
    code: 'unexpected_shape',
  },
  {
    about: 'a binding is of another client',
    call: ({ bindings }) => bindings.list({ clientId: 'C-1' }),
    answer: {
      status: 'success',
      result: { success: true, bindings: [{ binding_id: UUID, client_id: 'C-2', status: 'active' }] },
    },
    code: 'unexpected_shape',
  },
];

const gateways: ScriptedGateway[] = [];

afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.stop()));
});

describe('S14: an answer about something else', () => {
  test.each(CASES.map((one) => [one.about, one] as const))('is refused: %s', async (_about, { call, answer, code }) => {
    const gateway = await ScriptedGateway.start(always({ kind: 'answer', body: answer }));
    gateways.push(gateway);
    const client = aClient({ baseUrl: gateway.baseUrl, publicKey: 'pk', privateKey: 'sk', apiKey: 'ak' });

    await expect(call(client)).rejects.toMatchObject({ code });
    expect(gateway.requests).toHaveLength(1);
  });
});
