import { expect } from '@jest/globals';
import type { CollectingDeps } from '../../../src/attempts';
import { openBreakStore, type ReconBreak } from '../../../src/breaks';
import type { Database } from '../../../src/db';
import {
  businessCalendar,
  type Millimes,
  MINUTE_MS,
  toMillimes,
  WorkingDays,
  ZERO_MILLIMES,
} from '../../../src/kernel';
import { GATEWAY_FEES, GATEWAY_FEES_TVA, gatewayClearing, PAYMENTS_RECEIVED } from '../../../src/ledger';
import { createReporting } from '../../../src/reporting';
import type { RunningSimulator } from '../../../src/simulator';
import { payPayment, type SimSubscription } from '../../../src/simulator/testing';
import {
  type ChargeMirror,
  createSubscriptions,
  type SubscriptionMirror,
  type SubscriptionRequest,
  type Subscriptions,
} from '../../../src/subscriptions';
import { aClientOf, aRunningSimulator, SIMULATED_START, SIMULATED_TIME_ZONE } from '../../support/a-simulator';
import { BY_TEST } from '../../support/factories';
import { type FixedClock, fixedClock, recordingLogger } from '../../support/fakes';

/** 2 % and 19 % TVA on it: of 30,000 millimes 600 and 114. */
export const FEES = [
  {
    channel: 'subscription',
    rate_ppm: 20_000,
    fixed_millimes: 0,
    tva_ppm: 190_000,
    rounding: 'half_up',
    basis: 'item',
  },
];

export const A_PLAN: SubscriptionRequest = { amountMillimes: 30_000, interval: 'month', name: 'Gold' };

const BALANCES = `
  select m.account, sum(m.amount) as balance
  from (select p.debit_account as account, p.amount_millimes as amount from postings p
        union all
        select p.credit_account, -p.amount_millimes from postings p) m
  group by m.account`;

/** The room of subscriptions on a database, with a simulated gateway and one clock for both. */
export interface Room {
  readonly deps: CollectingDeps;
  readonly clock: FixedClock;
  readonly gateway: RunningSimulator;
  readonly subscriptions: Subscriptions;
  /** The same room as another process has it. */
  another(): Subscriptions;
  pass(ms: number): Promise<void>;
  /** Orders a fault for the next calls of Create Subscription, or of another operation. */
  break(fault: unknown, options?: { readonly operation?: string; readonly times?: number }): Promise<void>;
  /** Made, and its first charge paid a minute later. No status check has run yet. */
  active(request?: Partial<SubscriptionRequest>): Promise<SubscriptionMirror & { readonly subscriptionId: string }>;
  /** What the gateway has. */
  truth(subscriptionId: string): SimSubscription;
  /** Looks, a moment later than anything before. */
  check(trackingId: string): Promise<{ subscription: SubscriptionMirror; charges: readonly ChargeMirror[] }>;
  breaks(): Promise<readonly ReconBreak[]>;
  /** What the gateway owes for subscriptions, and where it came from. */
  books(): Promise<Readonly<Record<'clearing' | 'received' | 'fees' | 'tva', Millimes>>>;
  /** Every invariant of the books holds. */
  expectSoundBooks(): Promise<void>;
  close(): Promise<void>;
}

export interface RoomOptions {
  readonly settings?: unknown;
  readonly isTest?: boolean;
  readonly publicUrl?: string;
}

export async function aRoom(
  database: Database,
  { settings = { payouts: { fees: FEES } }, isTest = false, publicUrl }: RoomOptions = {},
): Promise<Room> {
  const gateway = await aRunningSimulator({ settings });
  const clock = fixedClock(SIMULATED_START);
  const calendar = businessCalendar(SIMULATED_TIME_ZONE);
  const deps: CollectingDeps = {
    database,
    clock,
    calendar,
    workingDays: new WorkingDays([]),
    logger: recordingLogger(),
    gateway: aClientOf(gateway, { clock }),
    settings: {
      publicUrl,
      hintToken: undefined,
      successLink: 'https://shop.example/paid',
      failLink: 'https://shop.example/failed',
      isTest,
      merchantId: undefined,
    },
  };
  const subscriptions = createSubscriptions(deps);
  const room: Room = {
    deps,
    clock,
    gateway,
    subscriptions,
    another: () => createSubscriptions({ ...deps, gateway: aClientOf(gateway, { clock }) }),
    async pass(ms) {
      clock.advance(ms);
      await gateway.simulator.advanceTo(clock.now());
    },
    async break(fault, { operation = 'subscriptions.create', times = 1 } = {}) {
      const answer = await fetch(`${gateway.baseUrl}/_simulator/faults`, {
        method: 'POST',
        body: JSON.stringify({ fault, operation, times }),
      });
      expect(answer.status).toBe(200);
    },
    async active(request = {}) {
      const made = await subscriptions.create({ ...A_PLAN, ...request }, BY_TEST);
      if (made.kind !== 'created') throw new Error(`the subscription was not created: ${made.kind}`);
      const { subscriptionId, firstPaymentId } = made.subscription;
      if (subscriptionId === undefined || firstPaymentId === undefined) {
        throw new Error('a subscription without its ids');
      }
      await room.pass(MINUTE_MS);
      payPayment(gateway.simulator.simulation, firstPaymentId);
      await room.pass(1_000);
      return { ...made.subscription, subscriptionId };
    },
    truth(subscriptionId) {
      const found = gateway.simulator.simulation.world.subscriptions.byId[subscriptionId];
      if (found === undefined) throw new Error(`the gateway has no ${subscriptionId}`);
      return found;
    },
    async check(trackingId) {
      await room.pass(1);
      expect((await subscriptions.checkStatus(trackingId)).kind).toBe('looked');
      return subscriptions.show(trackingId);
    },
    breaks: () => database.read((session) => openBreakStore(session).list({})),
    async books() {
      const rows = await database.read(async (session) => session.raw(BALANCES));
      const balances = new Map(rows.map((row) => [row['account'], toMillimes(row['balance'])]));
      return {
        clearing: balances.get(gatewayClearing('subscription')) ?? ZERO_MILLIMES,
        received: balances.get(PAYMENTS_RECEIVED) ?? ZERO_MILLIMES,
        fees: balances.get(GATEWAY_FEES) ?? ZERO_MILLIMES,
        tva: balances.get(GATEWAY_FEES_TVA) ?? ZERO_MILLIMES,
      };
    },
    async expectSoundBooks() {
      expect(await createReporting({ database, clock, calendar }).verifyBooks()).toEqual([]);
    },
    close: () => gateway.close(),
  };
  return room;
}
