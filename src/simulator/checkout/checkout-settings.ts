import { z } from 'zod';
import { minutes, ppm } from '../core/settings';

const payer = z.strictObject({
  /** Customers pay by the control API or the checkout page (`manual`), or automatically (`auto`). */
  mode: z.enum(['manual', 'auto']).default('manual'),
  /** How long a customer takes in `auto`, in seconds of simulated time. */
  afterSecs: z.int().min(0).max(86_400).default(60),
  cardPpm: ppm.default(300_000),
  mobilePpm: ppm.default(100_000),
  failurePpm: ppm.default(50_000),
  /** The customer never pays: the session expires. */
  abandonPpm: ppm.default(50_000),
});

const verify = z.strictObject({
  /** More calls per minute get a 429; null for no limit. */
  perMinute: z.int().min(1).max(100_000).nullable().default(60),
  /**
   * This number of calls over the limit leads to a ban (403 for every call); null for never. The simulator does not
   * distinguish addresses: a ban applies to every caller.
   */
  banAfter: z.int().min(1).max(100_000).nullable().default(30),
  banMinutes: minutes.default(15),
});

export const checkoutSettings = {
  /** The behavior of customers, including those of POS terminals and QR codes. */
  payer: payer.prefault({}),
  /** The local time of the next working day at which card money becomes available. */
  cardAvailableAt: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time as HH:MM')
    .default('09:00'),
  verify: verify.prefault({}),
};

declare module '../core/settings' {
  interface SimulatorSettings {
    readonly payer: z.output<typeof payer>;
    readonly cardAvailableAt: string;
    readonly verify: z.output<typeof verify>;
  }
}
