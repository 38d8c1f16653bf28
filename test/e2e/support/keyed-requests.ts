import { openBreakStore } from '../../../src/breaks';
import { businessDate, millimes } from '../../../src/kernel';
import type { Payment } from '../../../src/payments';
import { SEEDED_WALLETS, type World } from '../../../src/simulator/testing';
import { anAgent, register } from '../../support/factories';
import type { GatewayInstallation } from './gateway-installation';
import { countRows, selectRows } from './tables';

/** A request with an Idempotency-Key, in a world that is prepared for it. */
export interface KeyedRequest {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Counts its effects in the database. */
  readonly stored: () => Promise<number>;
  /** Counts its effects at the gateway. */
  readonly sent?: () => number;
  /** Set for an operation on a payment, which a status check proves: its payment. */
  readonly operationOf?: string;
}

export type PrepareRequest = (world: GatewayInstallation, round: number) => Promise<KeyedRequest>;

const audited = (world: GatewayInstallation, action: string, subject: string): Promise<number> =>
  countRows(world.installation.url, 'audit_records', `action = '${action}' and subject = '${subject}'`);

const [, WALLET] = SEEDED_WALLETS;
const MERCHANT = 12;
/** Each created payment has an amount of its own, which names it at the gateway too. */
const AMOUNTS = { payment: 101_000, terminal: 102_000, qr: 103_000, wallet: 104_000, subscription: 105_000 };

/** One operation of each kind of repeat, and each operation that moves money at the gateway. */
export const KEYED_REQUESTS: Readonly<Record<string, PrepareRequest>> = {
  async 'an operation that may repeat'(world, round) {
    await register(world.millime, anAgent({ agentId: `a-${round}` }));
    return {
      path: `/agents/a-${round}/close`,
      stored: () => audited(world, 'agent.closed', `agent:a-${round}`),
    };
  },
  'an operation with one effect': async (world, round) => ({
    path: '/agents',
    body: { agentId: `new-${round}`, fullName: 'Nour' },
    stored: () => audited(world, 'agent.added', `agent:new-${round}`),
  }),
  async 'a step of a break'(world, round) {
    const id = await openBreak(world, round);
    return {
      path: `/breaks/${id}/comment`,
      body: { text: 'the bank confirmed it' },
      headers: { 'If-Match': '"1"' },
      stored: () =>
        countRows(world.installation.url, 'recon_break_events', `break_id = '${id}' and kind = 'commented'`),
    };
  },
  'an operation that shows a secret': async (world, round) => ({
    path: '/keys',
    body: { name: `key-${round}`, scopes: ['agents:lookup'] },
    stored: () => countRows(world.installation.url, 'api_keys', `name = 'key-${round}'`),
  }),
  'a payment link': (world, round) =>
    creation(world, AMOUNTS.payment + round, {
      path: '/payments',
      made: ({ checkout }) => Object.values(checkout.payments),
    }),
  'a payment on a terminal': (world, round) =>
    creation(world, AMOUNTS.terminal + round, {
      path: '/pos-payments',
      body: { idTerminal: 'T-1', serialNumber: 'S-1', paymentMethod: 'CARD' },
      made: ({ pos }) => Object.values(pos.transactions),
    }),
  'a QR code': (world, round) =>
    creation(world, AMOUNTS.qr + round, {
      path: '/qr-codes',
      body: { merchantId: MERCHANT },
      made: ({ qr }) => Object.values(qr.codes),
    }),
  'a payment from a wallet': (world, round) =>
    creation(world, AMOUNTS.wallet + round, {
      path: '/wallets/payments',
      body: { phoneNumber: WALLET.phoneNumber, trackingId: WALLET.trackingId, product: 'P1' },
      made: ({ wallet }) => wallet.wallets[WALLET.trackingId]?.operations ?? [],
    }),
  'a subscription': (world, round) =>
    creation(world, AMOUNTS.subscription + round, {
      path: '/subscriptions',
      body: { interval: 'month', name: 'Gold' },
      table: 'subscriptions',
      made: ({ subscriptions }) => Object.values(subscriptions.byId).map(({ terms }) => terms),
    }),
  'a capture': (world) => operation(world, 'preauthorization', 'capture', {}),
  'a cancel': (world) => operation(world, 'preauthorization', 'cancel'),
  'a refund': (world) => operation(world, 'standard', 'refund'),
};

async function creation(
  world: GatewayInstallation,
  amount: number,
  {
    path,
    body = {},
    table = 'payments',
    made,
  }: {
    readonly path: string;
    readonly body?: object;
    readonly table?: string;
    readonly made: (world: World) => readonly { readonly amountMillimes: number }[];
  },
): Promise<KeyedRequest> {
  return {
    path,
    body: { ...body, amountMillimes: amount },
    stored: () => countRows(world.installation.url, table, `amount_millimes = ${amount}`),
    sent: () => made(world.world).filter(({ amountMillimes }) => amountMillimes === amount).length,
  };
}

async function operation(
  world: GatewayInstallation,
  kind: 'standard' | 'preauthorization',
  name: 'capture' | 'cancel' | 'refund',
  body?: object,
): Promise<KeyedRequest> {
  const [payment] = await world.paid([kind], 5_000);
  const { trackingId, gatewayId = '' } = payment as Payment;
  return {
    path: `/payments/${trackingId}/${name}`,
    body,
    stored: () => audited(world, `payment.${name}_requested`, `payment:${trackingId}`),
    sent: () => world.calls(`payments.${name}`, gatewayId),
    operationOf: trackingId,
  };
}

async function openBreak({ millime, installation }: GatewayInstallation, round: number): Promise<string> {
  const fingerprint = `items:${round}`;
  await millime.database.transact(async (session) => {
    const found = {
      ...{ fingerprint, breakClass: 'amount_differs' as const, since: businessDate('2026-03-02') },
      ...{ amount: millimes(1_000), direction: 'books_have_more' as const },
      subject: { itemIds: [], lineIds: [], facts: {} },
    };
    await openBreakStore(session).open([found], 0, 'job:test');
  });
  const [row] = await selectRows(installation.url, `select id from recon_breaks where fingerprint = '${fingerprint}'`);
  return String(row?.['id']);
}
