import type { z } from 'zod';
import { AppError, type Instant } from '../kernel';
import { silentLogger } from '../logging';
import { startSimulator } from '../simulator';
import { DEMO_TIME_ZONE } from './demo-calendar';

/** The simulated gateway with its customers, agents and bank. */
export interface DemoGateway {
  readonly baseUrl: string;
  /** Plays every event that is due by then, webhooks and payouts included. */
  moveTo(instant: Instant): Promise<void>;
  /** Sends GET to the control interface (docs/SIMULATOR.md). @throws AppError `internal` for an unexpected answer. */
  get<T>(schema: z.ZodType<T>, path: string): Promise<T>;
  post<T>(schema: z.ZodType<T>, path: string, body: unknown): Promise<T>;
  /** Sends a call of the gateway's interface as another program of the merchant. @throws AppError `internal`. */
  call<T>(schema: z.ZodType<T>, path: string, body: unknown): Promise<T>;
  file(path: string): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** The default credentials of the simulator. */
export const GATEWAY_CREDENTIAL = {
  GATEWAY_PUBLIC_KEY: 'pk_simulator',
  GATEWAY_PRIVATE_KEY: 'sk_simulator',
  GATEWAY_API_KEY: 'ak_simulator',
  GATEWAY_MERCHANT_ID: '12',
} as const;

const AUTHORIZATION = `Bearer ${GATEWAY_CREDENTIAL.GATEWAY_PUBLIC_KEY}:${GATEWAY_CREDENTIAL.GATEWAY_PRIVATE_KEY}`;

/** The gateway's fees: 1.5 % + 100 millimes, and TVA on both. Millime must infer them. */
const FEES = ['agent', 'card', 'wallet', 'mpayment', 'pos', 'qr', 'subscription'].map((channel) => ({
  ...{ channel, rate_ppm: 15_000, fixed_millimes: 100, tva_ppm: 190_000 },
  ...{ rounding: 'half_up', basis: 'item' },
}));

/** One transfer at 16:00 of each working day, booked a working day later. */
const PAYOUTS = { model: 'sweep-all', cutTimes: ['16:00'], bookingLagWorkingDays: 1, fees: FEES };

export async function startDemoGateway(seed: number, startAt: Instant): Promise<DemoGateway> {
  const { baseUrl, simulator, close } = await startSimulator({
    port: 0,
    seed,
    clock: { mode: 'manual', base: { now: () => startAt } },
    timeZone: DEMO_TIME_ZONE,
    holidays: [],
    logger: silentLogger,
    settings: { payouts: PAYOUTS },
  });
  const ask = async (path: string, init: RequestInit = {}, prefix = '/_simulator'): Promise<Response> => {
    const response = await fetch(`${baseUrl}${prefix}${path}`, init);
    if (response.ok) return response;
    throw new AppError('internal', `the simulator answers ${path} with ${response.status}: ${await response.text()}`);
  };
  return {
    baseUrl,
    moveTo: (instant) => simulator.advanceTo(instant),
    get: async (schema, path) => schema.parse(await (await ask(path)).json()),
    post: async (schema, path, body) =>
      schema.parse(await (await ask(path, { method: 'POST', body: JSON.stringify(body) })).json()),
    call: async (schema, path, body) => {
      const headers = { Authorization: AUTHORIZATION, 'Content-Type': 'application/json' };
      return schema.parse(await (await ask(path, { method: 'POST', headers, body: JSON.stringify(body) }, '')).json());
    },
    file: async (path) => new Uint8Array(await (await ask(path)).arrayBuffer()),
    close,
  };
}
