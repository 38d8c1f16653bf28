import { z } from 'zod';
import { minutes } from '../core/settings';
import { isWebUrl } from '../core/web-url';
import { type WebhookFaultRates, webhookFaultRatesSchema } from './webhook-fault-rates';

const webhooks = z.strictObject({
  /** The waits before repeats, in minutes, while the answer is not 2xx. */
  retryAfterMinutes: z.array(minutes).max(20).default([1, 2, 4, 8, 16]),
  /** The receiver's time to answer, in real milliseconds. */
  timeoutMs: z.int().min(100).max(60_000).default(5_000),
  /** Whether each repeat is signed with a new timestamp (open point 107). */
  renewTimestamp: z.boolean().default(true),
});

export const webhookSettings = {
  webhooks: webhooks.prefault({}),
  /** How often each fault happens to a webhook. */
  webhookFaults: webhookFaultRatesSchema.prefault({}),
  /** Receives an unsigned webhook (hint) when a payout is transferred; null for none. */
  payoutWebhook: z.string().refine(isWebUrl, 'expected an https URL, or http on this machine').nullable().default(null),
};

declare module '../core/settings' {
  interface SimulatorSettings {
    readonly webhooks: z.output<typeof webhooks>;
    readonly webhookFaults: WebhookFaultRates;
    readonly payoutWebhook: string | null;
  }
}
