import type { GatewayClient } from '../../src/gateway';

const UUID = 'c0000000-0000-4000-8000-000000000001';
const ACCOUNT = { phoneNumber: '20123456', trackingId: UUID };
const LINKS = { successLink: 'https://shop.example/paid', failLink: 'https://shop.example/failed' };
const ENVELOPE = { name: 'developers', code: 0, version: 'v2' };
const CREATED = {
  result: { success: true, payment_id: 'P-1', link: 'https://checkout.example/P-1', developer_tracking_id: 'order-1' },
  ...ENVELOPE,
};
const TERMS = { amount: 30_000, interval: 'month', interval_count: 1, client_id: null, max_cycles: null };

/** One operation of the client with good arguments, and a literal answer of the interface that it takes. */
export interface ClientOperation {
  readonly name: string;
  readonly safety: 'A' | 'B' | 'C' | 'D';
  /** How often it may be sent when that may help. */
  readonly triesMax: 1 | 3;
  readonly answer: unknown;
  call(client: GatewayClient): Promise<unknown>;
}

/** Every operation of the client. `request` stands in it once as a read and once as something that may move money. */
export const CLIENT_OPERATIONS: readonly ClientOperation[] = [
  {
    name: 'payments.create',
    safety: 'C',
    triesMax: 3,
    answer: CREATED,
    call: ({ payments }) => payments.create({ amountMillimes: 25_000, ...LINKS, developerTrackingId: 'order-1' }),
  },
  {
    name: 'payments.createWithBinding',
    safety: 'C',
    triesMax: 3,
    answer: CREATED,
    call: ({ payments }) => payments.createWithBinding({ amountMillimes: 25_000, ...LINKS, clientId: 'client-1' }),
  },
  {
    name: 'payments.preauthorize',
    safety: 'C',
    triesMax: 3,
    answer: CREATED,
    call: ({ payments }) => payments.preauthorize({ amountMillimes: 25_000, ...LINKS }),
  },
  {
    name: 'payments.createSplit',
    safety: 'C',
    triesMax: 3,
    answer: CREATED,
    call: ({ payments }) => {
      const destination = [{ amountMillimes: 5_000, destination: '0123' }];
      return payments.createSplit({ amountMillimes: 25_000, ...LINKS, destination });
    },
  },
  {
    name: 'payments.verify',
    safety: 'A',
    triesMax: 1,
    answer: {
      success: true,
      result: { type: 'wallet', amount: 25_000, status: 'SUCCESS', details: {}, settlement_status: 'AVAILABLE' },
      status_code: 200,
      ...ENVELOPE,
    },
    call: ({ payments }) => payments.verify('P-1'),
  },
  {
    name: 'payments.capture',
    safety: 'D',
    triesMax: 1,
    answer: {
      result: { payment_id: 'P-1', status: 'confirmed', amount: '25000', confirmed_at: '2026-03-02T09:00:00+01:00' },
      status: 'success',
    },
    call: ({ payments }) => payments.capture({ paymentId: 'P-1', amountMillimes: 25_000 }),
  },
  {
    name: 'payments.cancel',
    safety: 'D',
    triesMax: 1,
    answer: { result: { payment_id: 'P-1', status: 'cancelled' }, status: 'success' },
    call: ({ payments }) => payments.cancel({ paymentId: 'P-1' }),
  },
  {
    name: 'payments.refund',
    safety: 'D',
    triesMax: 1,
    answer: {
      result: { refund_id: 'R-1', payment_id: 'P-1', amount: '25000', status: 'success' },
      status: 'success',
    },
    call: ({ payments }) => payments.refund({ paymentId: 'P-1' }),
  },
  {
    name: 'bindings.list',
    safety: 'A',
    triesMax: 3,
    answer: {
      result: { success: true, bindings: [{ binding_id: UUID, client_id: 'client-1', status: 'active' }] },
      status: 'success',
    },
    call: ({ bindings }) => bindings.list({ clientId: 'client-1' }),
  },
  {
    name: 'subscriptions.create',
    safety: 'B',
    triesMax: 3,
    answer: {
      result: {
        success: true,
        subscription_id: 'S-1',
        payment_id: 'P-1',
        link: 'https://checkout.example/P-1',
        status: 'incomplete',
        developer_tracking_id: 'plan-1',
      },
      ...ENVELOPE,
    },
    call: ({ subscriptions }) => {
      const terms = { amountMillimes: 30_000, interval: 'month', name: 'Gold' } as const;
      return subscriptions.create({ ...terms, developerTrackingId: 'plan-1', ...LINKS });
    },
  },
  {
    name: 'subscriptions.retrieve',
    safety: 'A',
    triesMax: 3,
    answer: {
      success: true,
      result: {
        subscription_id: 'S-1',
        status: 'active',
        ...TERMS,
        currency: 'TND',
        developer_tracking_id: 'plan-1',
        is_test: false,
        cycles_completed: 1,
        cancel_at_period_end: false,
      },
      ...ENVELOPE,
    },
    call: ({ subscriptions }) => subscriptions.retrieve('S-1'),
  },
  {
    name: 'subscriptions.listCharges',
    safety: 'A',
    triesMax: 3,
    answer: {
      success: true,
      count: 1,
      next: null,
      previous: null,
      results: [{ payment_id: 'P-1', status: 'SUCCESS', amount: 30_000, fee: '', tva: '' }],
      ...ENVELOPE,
    },
    call: ({ subscriptions }) => allOf(subscriptions.listCharges('S-1')),
  },
  {
    name: 'wallet.initiateLink',
    safety: 'C',
    triesMax: 3,
    answer: { success: true, session_id: UUID, name: 'Leila B.', phone_number: '20123456', message: 'sent' },
    call: ({ wallet }) => wallet.initiateLink({ phoneNumber: '20123456' }),
  },
  {
    name: 'wallet.authenticate',
    safety: 'A',
    triesMax: 3,
    answer: { success: true, token: 'token-1', expires_in: 300, refresh_token: 'refresh-1' },
    call: ({ wallet }) => wallet.authenticate(ACCOUNT),
  },
  {
    name: 'wallet.refresh',
    safety: 'A',
    triesMax: 3,
    answer: { success: true, token: 'token-2', expires_in: 300 },
    call: ({ wallet }) => wallet.refresh({ refreshToken: 'refresh-1' }),
  },
  {
    name: 'wallet.balance',
    safety: 'A',
    triesMax: 3,
    answer: { success: true, wallet_id: 'W-1', balance_in_millimes: -1 },
    call: ({ wallet }) => wallet.balance(ACCOUNT),
  },
  {
    name: 'wallet.history',
    safety: 'A',
    triesMax: 3,
    answer: { count: 1, next: null, previous: null, results: [{ operation_id: UUID, status: 'done' }] },
    call: ({ wallet }) => allOf(wallet.history(ACCOUNT)),
  },
  {
    name: 'wallet.pay',
    safety: 'D',
    triesMax: 1,
    answer: { success: true, hash: 'hash-1', blockchain_ref: 'ref-1' },
    call: ({ wallet }) => wallet.pay({ ...ACCOUNT, amountMillimes: 1_000, product: 'TOPUP' }),
  },
  {
    name: 'pos.start',
    safety: 'D',
    triesMax: 1,
    answer: { success: true, terminal_id: 'T-1', status_code: 201 },
    call: ({ pos }) => {
      const terminal = { idTerminal: 'T-1', serialNumber: 'SN-1' };
      return pos.start({ ...terminal, amountMillimes: 1_000, paymentMethod: 'NFC', developerTrackingId: 'till-1' });
    },
  },
  {
    name: 'pos.status',
    safety: 'A',
    triesMax: 3,
    answer: {
      success: true,
      transactions: [{ service_transaction_id: UUID, payment_status: 'PS', amount_in_millimes: 1_000 }],
      status_code: 200,
    },
    call: ({ pos }) => pos.status({ serviceTransactionId: UUID }),
  },
  {
    name: 'qr.generate',
    safety: 'B',
    triesMax: 3,
    answer: { success: true, code: 200, qr_code: '00020101021226', operation_uuid: UUID },
    call: ({ qr }) => qr.generate({ amountMillimes: 3_500, merchantId: 1234, operationUuid: UUID }),
  },
  {
    name: 'qr.verify',
    safety: 'A',
    triesMax: 3,
    answer: { success: true, code: 200, transactions: [] },
    call: ({ qr }) => qr.verify({ operationUuid: UUID }),
  },
  {
    name: 'qr.history',
    safety: 'A',
    triesMax: 3,
    answer: { success: true, code: 200, result: [] },
    call: ({ qr }) => qr.history({ merchantId: 1234 }),
  },
  {
    name: 'request (GET)',
    safety: 'A',
    triesMax: 1,
    answer: { success: true, result: {} },
    call: (client) => client.request({ method: 'GET', path: '/api/v2/transactions', auth: 'app' }),
  },
  {
    name: 'request (POST)',
    safety: 'D',
    triesMax: 1,
    answer: { success: true, result: {} },
    call: (client) => client.request({ method: 'POST', path: '/api/v2/pay_with_binding', body: {}, auth: 'app' }),
  },
];

/** Every item of a list that comes in pages. */
export async function allOf<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
