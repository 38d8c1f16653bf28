import { z } from 'zod';
import { minutes, ppm } from '../core/settings';

const subscriptions = z.strictObject({
  /** The waits before retries 1, 2, 3 of a failed renewal, in minutes. */
  retryAfterMinutes: z.array(minutes).max(10).default([1_440, 4_320, 7_200]),
  whenExhausted: z.enum(['unpaid', 'canceled']).default('unpaid'),
  /** The failure rate of renewal debits. */
  failurePpm: ppm.default(0),
  cardRecurring: z.enum(['not_enabled', 'not_implemented']).default('not_enabled'),
  creationsPerMinute: z.int().min(1).max(100_000).default(60),
  /** Replaces every answer with this refusal of the platform (interface section 7.1). */
  refuseWith: z
    .enum(['merchant_not_allowed', 'merchant_wallet_inactive', 'affiliation_inactive', 'recurring_payments_disabled'])
    .nullable()
    .default(null),
});

export const subscriptionSettings = { subscriptions: subscriptions.prefault({}) };

declare module '../core/settings' {
  interface SimulatorSettings {
    readonly subscriptions: z.output<typeof subscriptions>;
  }
}
