import { z } from 'zod';
import type { Payment, StatusCheckOutcome } from '../payments';
import { instantJson, instantValue } from './values';

type CheckedThing = Pick<
  Payment,
  'nextCheckAt' | 'triggeredAt' | 'lastCheckAt' | 'checks' | 'failedChecks' | 'lastCheckError'
>;

/** The status checks of an attempt to collect a payment, or of a subscription. */
export const statusCheckFields = {
  nextLookAt: instantValue.nullable().meta({ description: 'When the next status check is due.' }),
  nudgedAt: instantValue.nullable().meta({ description: 'When a webhook triggered a status check.' }),
  lastLookAt: instantValue.nullable(),
  looks: z.int().meta({ description: 'The number of answered status checks.' }),
  failedLooks: z.int().meta({ description: 'The number of consecutive failed status checks.' }),
  lastLookError: z.string().nullable(),
};

/** Returns the status checks of an attempt or of a subscription as JSON. */
export function statusChecksJson(checked: CheckedThing): z.input<z.ZodObject<typeof statusCheckFields>> {
  return {
    nextLookAt: instantJson(checked.nextCheckAt),
    nudgedAt: instantJson(checked.triggeredAt),
    lastLookAt: instantJson(checked.lastCheckAt),
    looks: checked.checks,
    failedLooks: checked.failedChecks,
    lastLookError: checked.lastCheckError ?? null,
  };
}

/** Whether the gateway answered a status check. */
export const checkKindValue = z
  .enum(['looked', 'later', 'nothing_to_ask'])
  .meta({ description: '`looked`: the gateway answered. `later`: it did not, or may not be asked now.' });

/** Why a status check must wait, and how long. */
export const lateFields = {
  retryAfterMs: z.number().nullable().meta({ description: 'When to try again, in milliseconds; null if it answered.' }),
  reason: z.string().nullable(),
};

type Late = Extract<StatusCheckOutcome, { kind: 'later' }>;

/** Returns why a status check must wait, and how long, as JSON. */
export function lateJson(
  outcome: Pick<Late, 'kind' | 'retryAfterMs' | 'reason'> | { readonly kind: 'looked' | 'nothing_to_ask' },
): { retryAfterMs: number | null; reason: string | null } {
  const late = outcome.kind === 'later' ? outcome : undefined;
  return { retryAfterMs: late?.retryAfterMs ?? null, reason: late?.reason ?? null };
}
