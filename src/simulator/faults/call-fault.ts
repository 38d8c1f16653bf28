import { z } from 'zod';

const DELAY_MS_MAX = 600_000;
const BYTES_PER_SECOND_MAX = 1_000_000;
const HUGE_BYTES_MAX = 64 * 1024 * 1024;
const HUGE_BYTES_DEFAULT = 10 * 1024 * 1024;
const RETRY_AFTER_SECS_MAX = 86_400;
const BAN_MINUTES_MAX = 100_000;
const LOCATION_CHARACTERS_MAX = 2_000;

const HEADER_NAME = /^[A-Za-z0-9-]{1,100}$/;
const HEADER_VALUE = /^[\x20-\x7e]{0,1000}$/;

/** Whether the call takes effect although its answer is faulty. */
const processed = z.boolean().default(true);
const headers = z.record(z.string().regex(HEADER_NAME), z.string().regex(HEADER_VALUE)).default({});

export const callFaultSchema = z.discriminatedUnion('kind', [
  /** Processed; the answer is late by this number of real milliseconds. */
  z.strictObject({ kind: z.literal('delay'), ms: z.int().min(0).max(DELAY_MS_MAX) }),
  /** Processed; the answer is sent in small pieces at this speed. */
  z.strictObject({ kind: z.literal('drip'), bytesPerSecond: z.int().min(1).max(BYTES_PER_SECOND_MAX) }),
  /** The connection is reset before or after the call takes effect. */
  z.strictObject({ kind: z.literal('reset_before') }),
  z.strictObject({ kind: z.literal('reset_after') }),
  /** Processed; the connection ends in the middle of the body. */
  z.strictObject({ kind: z.literal('cut_mid_body') }),
  /**
   * Another status in place of the answer's. Without a configured body, a status of 400 and above has `{detail}` with
   * the name of the status. A lower status has the answer's own body, or an empty object when not processed.
   */
  z.strictObject({
    kind: z.literal('status'),
    code: z.int().min(200).max(599),
    body: z.json().optional(),
    headers,
    processed,
  }),
  /** 200 with bytes that are not JSON. */
  z.strictObject({ kind: z.literal('garbage'), processed }),
  /** 502 with an HTML page, as proxies answer. */
  z.strictObject({ kind: z.literal('html_502'), processed }),
  /** Processed; a complete HTTP answer with half of the JSON. */
  z.strictObject({ kind: z.literal('truncated_json') }),
  /** Processed; the answer after this number of spaces, which JSON allows. */
  z.strictObject({
    kind: z.literal('huge_body'),
    bytes: z.int().min(1).max(HUGE_BYTES_MAX).default(HUGE_BYTES_DEFAULT),
  }),
  /** Not processed; redirects the caller. */
  z.strictObject({
    kind: z.literal('redirect'),
    to: z
      .string()
      .regex(/^[\x21-\x7e]+$/)
      .max(LOCATION_CHARACTERS_MAX),
    code: z.union([z.literal(301), z.literal(302), z.literal(303), z.literal(307), z.literal(308)]).default(307),
  }),
  /** Not processed; 429 with Retry-After, or without it when null. */
  z.strictObject({
    kind: z.literal('too_many'),
    retryAfterSecs: z.int().min(0).max(RETRY_AFTER_SECS_MAX).nullable().default(60),
  }),
  /** Not processed; every call is answered 403 for this number of minutes of simulated time. */
  z.strictObject({ kind: z.literal('ban'), minutes: z.int().min(1).max(BAN_MINUTES_MAX) }),
  /** Processed; every due event happens before the answer is sent, including its webhooks. */
  z.strictObject({ kind: z.literal('webhook_first') }),
]);

export type CallFault = z.output<typeof callFaultSchema>;

/** Returns whether a call with this fault still takes effect. */
export function isProcessed(fault: CallFault | undefined): boolean {
  if (fault === undefined) return true;
  if ('processed' in fault) return fault.processed;
  return !NOT_PROCESSED.has(fault.kind);
}

const NOT_PROCESSED: ReadonlySet<CallFault['kind']> = new Set<CallFault['kind']>([
  'reset_before',
  'redirect',
  'too_many',
  'ban',
]);
