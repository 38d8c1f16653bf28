import { join } from 'node:path';
import type { PaymentSettings } from '../../../src/attempts';
import { loadHolidays } from '../../../src/config';
import type { Database } from '../../../src/db';
import { createErasures, type Erasures } from '../../../src/erasures';
import { createSharedBudgetStore } from '../../../src/gateway-budget';
import { businessCalendar, PACKAGE_ROOT, WorkingDays } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { observeChannel } from '../../../src/payment-channels';
import { createPayments, type Payments } from '../../../src/payments';
import { createDayClosing, type DayClosing } from '../../../src/reconciliation';
import { createSubscriptions } from '../../../src/subscriptions';
import { createWebhooks, type Webhooks } from '../../../src/webhooks';
import { aClient } from '../../support/a-client';
import { SIMULATED_TIME_ZONE } from '../../support/a-simulator';
import { type FixedClock, fixedClock } from '../../support/fakes';
import { sweepBySums } from '../../support/sweep-by-sums';
import { openRooms, type Rooms } from '../ledger/rooms';

export const HOLIDAYS = loadHolidays(join(PACKAGE_ROOT, 'reference-data', 'holidays.csv'));

/** The rooms of one process. Its clock may be wrong. */
export interface ProcessRooms extends Rooms {
  readonly payments: Payments;
  readonly webhooks: Webhooks;
  readonly closing: DayClosing;
  readonly erasures: Erasures;
}

/** Where the simulated gateway is, and where it finds the process. */
export interface GatewayAddress {
  readonly baseUrl: string;
  readonly publicUrl: string | undefined;
}

export function processRooms(database: Database, start: number, gateway: GatewayAddress | undefined): ProcessRooms {
  const clock = fixedClock(start);
  // The bank of these histories pays what agents confirmed, and nothing of the other channels.
  const infer = sweepBySums([], ({ channel }) => channel === 'agent');
  const rooms = openRooms(database, clock, infer);
  const basics = {
    ...{ database, clock, logger: silentLogger },
    calendar: businessCalendar(SIMULATED_TIME_ZONE),
    workingDays: new WorkingDays(HOLIDAYS),
  };
  const collecting = {
    ...basics,
    observeChannel,
    gateway: clientOf(database, clock, gateway),
    settings: settingsOf(gateway),
  };
  const payments = createPayments(collecting);
  return {
    ...rooms,
    payments,
    closing: createDayClosing(basics),
    erasures: createErasures(basics),
    webhooks: createWebhooks({
      ...basics,
      payments,
      subscriptions: createSubscriptions(collecting),
      keys: ['sk_simulator', 'sk_simulator_previous'],
      hintToken: undefined,
      timeZone: SIMULATED_TIME_ZONE,
    }),
  };
}

function clientOf(database: Database, clock: FixedClock, gateway: GatewayAddress | undefined) {
  if (gateway === undefined) return undefined;
  return aClient({
    baseUrl: gateway.baseUrl,
    publicKey: 'pk_simulator',
    privateKey: 'sk_simulator',
    apiKey: 'ak_simulator',
    clock,
    timeZone: SIMULATED_TIME_ZONE,
    budget: { store: createSharedBudgetStore(database, clock) },
  });
}

function settingsOf(gateway: GatewayAddress | undefined): PaymentSettings {
  return {
    publicUrl: gateway?.publicUrl,
    hintToken: undefined,
    successLink: 'https://shop.example/paid',
    failLink: 'https://shop.example/not-paid',
    isTest: false,
    merchantId: undefined,
  };
}
