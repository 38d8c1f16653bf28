import { shellQuoted } from '../../kernel';
import type { SimPayment } from '../checkout/checkout-state';
import { isRefundable } from '../checkout/refund-payment';
import type { SimOperation } from '../core/operation';
import type { SimulatorSettings } from '../core/settings';
import type { Simulation } from '../core/simulation';
import { SEEDED_WALLETS } from '../wallet/seeded-wallets';

/** The values of one request: the variable parts of its path, its query and its body. */
interface Values {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** An operation of the gateway and a request to copy. */
export interface OperationRequest {
  readonly name: string;
  /** A line for a shell. */
  readonly command: string;
}

const LINKS = { success_link: 'https://shop.example/yes', fail_link: 'https://shop.example/no' };
const CLIENT_ID = 'client-1';
const MERCHANT_ID = '12';
const [{ phoneNumber, trackingId }] = SEEDED_WALLETS;
const WALLET = { phone_number: phoneNumber, tracking_id: trackingId };

/** The values of a request of each operation, by its name. Ids are those of the newest objects that fit. */
const VALUES: Readonly<Record<string, (simulation: Simulation) => Values>> = {
  'payments.create': () => ({
    body: { amount: '5000', ...LINKS, accept_card: true, client_id: CLIENT_ID },
  }),
  'payments.verify': (simulation) => ({ path: { payment_id: paymentId(simulation) } }),
  'payments.capture': (simulation) => ({ body: { payment_id: paymentId(simulation, isHeld) } }),
  'payments.cancel': (simulation) => ({ body: { payment_id: paymentId(simulation, isHeld) } }),
  'payments.refund': (simulation) => ({ body: { payment_id: paymentId(simulation, isRefundable) } }),
  'bindings.list': () => ({ query: { client_id: CLIENT_ID } }),
  'subscriptions.create': ({ world }) => ({
    body: {
      amount: 30_000,
      interval: 'month',
      name: 'Monthly plan',
      developer_tracking_id: `plan-${Object.keys(world.subscriptions.byId).length + 1}`,
      ...LINKS,
    },
  }),
  'subscriptions.retrieve': (simulation) => ({ path: { subscription_id: subscriptionId(simulation) } }),
  'subscriptions.listCharges': (simulation) => ({ path: { subscription_id: subscriptionId(simulation) } }),
  'wallet.initiateLink': () => ({ body: { phone_number: phoneNumber } }),
  'wallet.authenticate': () => ({ body: WALLET }),
  'wallet.refresh': () => ({}),
  'wallet.balance': () => ({ query: WALLET }),
  'wallet.history': () => ({ query: WALLET }),
  'wallet.pay': () => ({ body: { ...WALLET, amount_in_millimes: 1_000, product: 'order-1' } }),
  'pos.start': ({ world }) => ({
    body: {
      id_terminal: 'TERM-1',
      serial_number: 'SN-1',
      amount_in_millimes: 2_000,
      payment_method: 'NFC',
      developer_tracking_id: `pos-${Object.keys(world.pos.transactions).length + 1}`,
    },
  }),
  'pos.status': ({ world }) => {
    const newest = Object.values(world.pos.transactions).at(-1)?.developerTrackingId;
    return { query: { developer_tracking_id: newest ?? 'TRACKING_ID' } };
  },
  'qr.generate': () => ({ query: { amount_in_millimes: '7500', merchant_id: MERCHANT_ID } }),
  'qr.verify': ({ world }) => ({
    query: { operation_uuid: Object.keys(world.qr.codes).at(-1) ?? 'OPERATION_UUID' },
  }),
  'qr.history': () => ({ query: { merchant_id: MERCHANT_ID } }),
};

/** Returns every operation of the gateway with a request to copy, with the keys that the simulator accepts. */
export function operationRequests(
  simulation: Simulation,
  operations: readonly SimOperation[],
  baseUrl: string,
): OperationRequest[] {
  return operations.map((operation) => {
    const { path = {}, query, body } = VALUES[operation.name]?.(simulation) ?? {};
    const ownPath = operation.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(path[name] ?? name));
    const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
    const words = ['curl -s', ...(operation.method === 'GET' ? [] : [`-X ${operation.method}`])];
    words.push(shellQuoted(`${baseUrl}${ownPath}${search}`), `-H ${shellQuoted(credential(simulation, operation))}`);
    if (body !== undefined) {
      words.push(`-H ${shellQuoted('Content-Type: application/json')}`, `-d ${shellQuoted(JSON.stringify(body))}`);
    }
    return { name: operation.name, command: words.join(' ') };
  });
}

function credential({ settings, world }: Simulation, { auth }: SimOperation): string {
  const session = Object.keys(world.wallet.sessions).at(-1) ?? 'REFRESH_TOKEN';
  return `Authorization: ${auth === 'session' ? `Bearer ${session}` : keyOf(settings, auth)}`;
}

function keyOf({ publicKey, privateKey, apiKey }: SimulatorSettings, auth: 'app' | 'api_key'): string {
  return auth === 'app' ? `Bearer ${publicKey}:${privateKey}` : `Api-Key ${apiKey}`;
}

/** Returns the newest payment that fits, or otherwise a word to replace. */
function paymentId({ world }: Simulation, fits: (payment: SimPayment) => boolean = () => true): string {
  return Object.values(world.checkout.payments).findLast(fits)?.paymentId ?? 'PAYMENT_ID';
}

function isHeld({ status }: SimPayment): boolean {
  return status === 'PREAUTH_SUCCESS';
}

function subscriptionId({ world }: Simulation): string {
  return Object.keys(world.subscriptions.byId).at(-1) ?? 'SUBSCRIPTION_ID';
}
