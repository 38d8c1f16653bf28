import type { PaymentSettings } from '../../../src/attempts';
import type { Database } from '../../../src/db';
import type { GatewayClientOptions } from '../../../src/gateway';
import { businessCalendar, WorkingDays } from '../../../src/kernel';
import { createPaymentChannels, observeChannel, type PaymentChannels } from '../../../src/payment-channels';
import { createPayments, type Payments, type PaymentsDeps } from '../../../src/payments';
import { createReporting } from '../../../src/reporting';
import type { Simulator } from '../../../src/simulator/testing';
import {
  aClientOf,
  aRunningSimulator,
  passTime,
  SIMULATED_START,
  SIMULATED_TIME_ZONE,
  type SimulatorOverrides,
} from '../../support/a-simulator';
import { type FixedClock, fixedClock, type RecordingLogger, recordingLogger } from '../../support/fakes';

export interface SceneOverrides {
  readonly simulator?: SimulatorOverrides;
  readonly client?: Partial<GatewayClientOptions>;
  readonly settings?: Partial<PaymentSettings>;
}

/** A service that takes money from a simulated gateway. Their two clocks stand still, and move together. */
export interface CollectingScene {
  readonly deps: PaymentsDeps & { readonly gateway: NonNullable<PaymentsDeps['gateway']> };
  readonly payments: Payments;
  readonly channels: PaymentChannels;
  readonly simulator: Simulator;
  readonly baseUrl: string;
  readonly clock: FixedClock;
  readonly logger: RecordingLogger;
  /** Lets time pass on both sides, with all that happens at the gateway in it. */
  pass(ms: number): Promise<void>;
  /**
   * A call of the simulator's control API, such as `control('POST', '/payments/ID/pay', {})`. Gives the answer's JSON.
   */
  control(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
  /** The names of the invariants of the books that do not hold. */
  brokenInvariants(): Promise<string[]>;
  close(): Promise<void>;
}

/** Close it when the test is over. No webhook is asked for unless `settings.publicUrl` is given. */
export async function aCollectingScene(database: Database, overrides: SceneOverrides = {}): Promise<CollectingScene> {
  const running = await aRunningSimulator(overrides.simulator);
  const { simulator, baseUrl } = running;
  const clock = fixedClock(overrides.simulator?.startAt ?? SIMULATED_START);
  const logger = recordingLogger();
  const deps = {
    database,
    observeChannel,
    clock,
    logger,
    calendar: businessCalendar(SIMULATED_TIME_ZONE),
    workingDays: new WorkingDays([]),
    gateway: aClientOf(running, { clock, ...overrides.client }),
    settings: {
      publicUrl: undefined,
      hintToken: undefined,
      successLink: 'https://shop.example/paid',
      failLink: 'https://shop.example/not-paid',
      isTest: false,
      merchantId: undefined,
      ...overrides.settings,
    },
  };
  return {
    deps,
    payments: createPayments(deps),
    channels: createPaymentChannels(deps),
    simulator,
    baseUrl,
    clock,
    logger,
    async pass(ms) {
      await passTime(simulator, ms);
      clock.advance(ms);
    },
    async control(method, path, body) {
      const response = await fetch(`${baseUrl}/_simulator${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`the simulator answers ${response.status}: ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    },
    brokenInvariants: async () => (await createReporting(deps).verifyBooks()).map(({ name }) => name),
    close: () => running.close(),
  };
}
