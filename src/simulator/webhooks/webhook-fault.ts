import { z } from 'zod';
import type { WebhookMessage } from './webhook-message';

export const LATE_MINUTES_MAX = 100_000;
const LATE_MINUTES_DEFAULT = 24 * 60;
const TIMESTAMP_SECS_MAX = 100_000_000;
/** Far beyond the tolerance of 300 seconds. */
const TIMESTAMP_SECS_DEFAULT = 3_600;

const timestampSecs = z.int().min(1).max(TIMESTAMP_SECS_MAX).default(TIMESTAMP_SECS_DEFAULT);

export const webhookFaultSchema = z.discriminatedUnion('kind', [
  /** Never sent, and never repeated. */
  z.strictObject({ kind: z.literal('lost') }),
  /** Sent a second time right after the first, whatever the first answer. */
  z.strictObject({ kind: z.literal('doubled') }),
  /** Held back until the next webhook was sent, for a minute at most. */
  z.strictObject({ kind: z.literal('reordered') }),
  /** First sent this number of minutes late, and signed at that time. */
  z.strictObject({
    kind: z.literal('late'),
    minutes: z.int().min(1).max(LATE_MINUTES_MAX).default(LATE_MINUTES_DEFAULT),
  }),
  /** Sent before the call that caused it is answered. */
  z.strictObject({ kind: z.literal('early') }),
  /** Signed with an unknown key. */
  z.strictObject({ kind: z.literal('wrong_key') }),
  /** Signed with the key before the last rotation. */
  z.strictObject({ kind: z.literal('previous_key') }),
  /** `true` and `false` in version 1, signed in this spelling. */
  z.strictObject({ kind: z.literal('lower_case_success') }),
  /** Correctly signed with a time that differs by this number of seconds. */
  z.strictObject({ kind: z.literal('old_timestamp'), secs: timestampSecs }),
  z.strictObject({ kind: z.literal('future_timestamp'), secs: timestampSecs }),
  /** Changed after it was signed. */
  z.strictObject({ kind: z.literal('tampered') }),
  /** Correctly signed, with an event that the interface does not define. */
  z.strictObject({ kind: z.literal('unknown_event') }),
  /** Without its signature header. */
  z.strictObject({ kind: z.literal('unsigned') }),
]);

export type WebhookFault = z.output<typeof webhookFaultSchema>;

/** Faults that change when a webhook is sent; the others change its content. A webhook may have one of each. */
const TIMING: ReadonlySet<WebhookFault['kind']> = new Set<WebhookFault['kind']>([
  'lost',
  'doubled',
  'reordered',
  'late',
  'early',
]);

export const isTimingFault = ({ kind }: WebhookFault): boolean => TIMING.has(kind);

/** Returns whether a fault can apply to a message: a hint has no signature, and only version 1 has a `success`. */
export function faultFits(fault: WebhookFault, { kind }: WebhookMessage): boolean {
  if (isTimingFault(fault)) return true;
  if (kind === 'hint') return false;
  if (fault.kind === 'lower_case_success') return kind === 'payment_v1';
  if (fault.kind === 'unknown_event') return kind !== 'payment_v1';
  return true;
}
