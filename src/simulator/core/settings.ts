import { z } from 'zod';
import { AppError } from '../../kernel';
import { webhookFaultRatesSchema } from '../webhooks/webhook-fault-rates';
import { isWebUrl } from './web-url';
import { decodePayoutPlan, type PayoutPlan } from '../payouts/payout-plan';

const PPM_MAX = 1_000_000;
const MINUTES_MAX = 1_000_000;

const secret = z.string().regex(/^[\x21-\x39\x3b-\x7e]{1,200}$/, 'must be visible ASCII without a colon');
const minutes = z.int().min(0).max(MINUTES_MAX);
const ppm = z.int().min(0).max(PPM_MAX);

const settingsSchema = z.strictObject({
  /** The application credential and the special key that callers must bring. */
  publicKey: secret.default('pk_simulator'),
  privateKey: secret.default('sk_simulator'),
  /** Still good for webhooks that are sent with the previous key. */
  previousPrivateKey: secret.default('sk_simulator_previous'),
  apiKey: secret.default('ak_simulator'),
  /** Marks what is made from now on as made with a test application; what there is keeps its mark. */
  isTest: z.boolean().default(false),
  /** Customers pay by the control API or the checkout page (`manual`), or by themselves (`auto`). */
  payer: z
    .strictObject({
      mode: z.enum(['manual', 'auto']).default('manual'),
      /** How long a customer takes in `auto`, in seconds of simulated time. */
      afterSecs: z.int().min(0).max(86_400).default(60),
      cardPpm: ppm.default(300_000),
      mobilePpm: ppm.default(100_000),
      failurePpm: ppm.default(50_000),
      /** Never pays: the session expires. */
      abandonPpm: ppm.default(50_000),
    })
    .prefault({}),
  /** At what local time of the next working day card money becomes available. */
  cardAvailableAt: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time as HH:MM')
    .default('09:00'),
  subscriptions: z
    .strictObject({
      /** After a failed renewal: the waits before retries 1, 2, 3, in minutes. */
      retryAfterMinutes: z.array(minutes).max(10).default([1_440, 4_320, 7_200]),
      whenExhausted: z.enum(['unpaid', 'canceled']).default('unpaid'),
      /** Of each renewal debit. */
      failurePpm: ppm.default(0),
      cardRecurring: z.enum(['not_enabled', 'not_implemented']).default('not_enabled'),
      creationsPerMinute: z.int().min(1).max(100_000).default(60),
      /** Instead of an answer: the refusal of the platform (interface section 7.1). */
      refuseWith: z
        .enum([
          'merchant_not_allowed',
          'merchant_wallet_inactive',
          'affiliation_inactive',
          'recurring_payments_disabled',
        ])
        .nullable()
        .default(null),
    })
    .prefault({}),
  verify: z
    .strictObject({
      /** More calls than this in a minute: 429; null for no limit. */
      perMinute: z.int().min(1).max(100_000).nullable().default(60),
      /**
       * So many calls over the limit lead to a ban (403 for everything); null for never. The simulator does not tell
       * addresses apart: a ban is for every caller.
       */
      banAfter: z.int().min(1).max(100_000).nullable().default(30),
      banMinutes: minutes.default(15),
    })
    .prefault({}),
  webhooks: z
    .strictObject({
      /** The waits before the repeats, in minutes, while the answer is not 2xx. */
      retryAfterMinutes: z.array(minutes).max(20).default([1, 2, 4, 8, 16]),
      /** How long the receiver may take, in real milliseconds. */
      timeoutMs: z.int().min(100).max(60_000).default(5_000),
      /** Whether each repeat is signed with a new timestamp (open point 107). */
      renewTimestamp: z.boolean().default(true),
    })
    .prefault({}),
  /** How often which fault happens to a webhook. */
  webhookFaults: webhookFaultRatesSchema.prefault({}),
  /** Gets an unsigned hint when a payout is transferred; null for none. */
  payoutWebhook: z.string().refine(isWebUrl, 'must be an https URL, or http on this machine').nullable().default(null),
  payouts: z
    .unknown()
    .transform((value, context): PayoutPlan => {
      try {
        return decodePayoutPlan(value ?? {});
      } catch (error) {
        const lines = error instanceof AppError ? error.details : ['cannot be used'];
        for (const line of lines) context.addIssue({ code: 'custom', message: line });
        return z.NEVER;
      }
    })
    .prefault({}),
});

/** How the simulated gateway behaves. All of it has defaults, and the control API changes it while it runs. */
export type SimulatorSettings = z.output<typeof settingsSchema>;

/**
 * Reads settings as JSON gives them.
 *
 * @throws AppError `bad_input` whose details name each field that cannot be used.
 */
export function decodeSettings(value: unknown): SimulatorSettings {
  const result = settingsSchema.safeParse(value ?? {});
  if (result.success) return result.data;
  throw new AppError('bad_input', 'the settings cannot be used', {
    details: result.error.issues.map(({ path, message }) => `${path.map(String).join('.') || 'settings'}: ${message}`),
  });
}
