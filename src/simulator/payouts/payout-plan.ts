import { z } from 'zod';
import { isOutsideId, millimes } from '../../kernel';
import { decodeWith } from '../core/decode-with';
import { feeScheduleSchema } from './fee-schedule';
import { PAYOUT_MODELS } from './payout-model';

const PPM_MAX = 1_000_000;
const LAG_WORKING_DAYS_MAX = 30;
const CUTS_PER_DAY_MAX = 24;
const TEXT_CHARACTERS_MAX = 140;
const MINIMUM_MILLIMES_MAX = 1_000_000_000_000;

/** Matches the pattern by which the shipped statement profile recognizes a payout. */
const DEFAULT_REMITTANCE = 'VIR RECU SERVICE DE PAIEMENT SA';
const DEFAULT_ACCOUNT = '00 000 0000000000000 00';

const PLACEHOLDERS = ['payout', 'stream', 'cut'];

const ratePpm = z.int().min(0).max(PPM_MAX).default(0);
const lagWorkingDays = z.int().min(0).max(LAG_WORKING_DAYS_MAX);
const shortText = z
  .string()
  .min(1)
  .max(TEXT_CHARACTERS_MAX)
  .refine((text) => !/[\u0000-\u001f\u007f-\u009f]/u.test(text), 'expected no control characters');

const deviations = z.strictObject({
  /** An item that a cut should take waits for the next one. Per item. */
  heldBackPpm: ratePpm,
  /** A payout arrives in two credits. Per payout. */
  splitPpm: ratePpm,
  /** A payout arrives in one credit with the next payout of its stream. Per payout. */
  joinedPpm: ratePpm,
  /** A payout is booked, returned, and paid again. Per payout. */
  returnedPpm: ratePpm,
  /** Credits and debits on the same statement that do not concern the gateway. Per cut. */
  unrelatedCreditPpm: ratePpm,
  unrelatedDebitPpm: ratePpm,
});

export const payoutPlanSchema = z.strictObject({
  model: z.enum(PAYOUT_MODELS).default('sweep-all'),
  /** Local times of working days, as `HH:MM`. */
  cutTimes: z
    .array(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time as HH:MM'))
    .min(1)
    .max(CUTS_PER_DAY_MAX)
    .refine((times) => new Set(times).size === times.length, 'expected each time once')
    .default(['16:00']),
  /** 1 for Monday to 5 for Friday; holidays are skipped in any case. */
  weekdays: z
    .array(z.int().min(1, 'expected 1 (Monday) to 5 (Friday)').max(5, 'expected 1 (Monday) to 5 (Friday)'))
    .min(1)
    .refine((days) => new Set(days).size === days.length, 'expected each day once')
    .default([1, 2, 3, 4, 5]),
  /** From the cut to the transfer. Until the transfer the gateway reports IN_PAYOUT, afterwards PAID. */
  transferLagWorkingDays: lagWorkingDays.default(0),
  /** From the transfer to the line on the statement. */
  bookingLagWorkingDays: lagWorkingDays.default(1),
  valueLagWorkingDays: lagWorkingDays.default(0),
  /** The minimum of a transfer; items below it wait. A transfer of zero or less never happens. */
  minimumMillimes: z.int().min(0).max(MINIMUM_MILLIMES_MAX).default(0).transform(millimes),
  fees: feeScheduleSchema.default([]),
  /** Whether the gateway keeps or returns the fee of an item that is refunded after its payout. */
  clawbackFee: z.enum(['kept', 'returned']).default('kept'),
  /** Spaces only help people. */
  account: shortText
    .refine((text) => isOutsideId(text.replace(/\s+/gu, '')), 'expected an account')
    .default(DEFAULT_ACCOUNT),
  /** May contain `{payout}`, `{stream}` and `{cut}` (the day of the cut). */
  remittance: shortText
    .refine(
      (text) => [...text.matchAll(/\{([^{}]*)\}/g)].every(([, name = '']) => PLACEHOLDERS.includes(name)),
      `expected no placeholder but ${PLACEHOLDERS.map((name) => `{${name}}`).join(', ')}`,
    )
    .default(DEFAULT_REMITTANCE),
  counterparty: shortText.default('SERVICE DE PAIEMENT SA'),
  deviations: deviations.prefault({}),
});

/** The settings of payouts and of their booking by the bank. All have defaults. */
export type PayoutPlan = Readonly<z.output<typeof payoutPlanSchema>>;

/**
 * Reads the settings of payouts from JSON; a missing field has its default.
 *
 * @throws AppError `bad_input` whose details name each invalid field.
 */
export function decodePayoutPlan(value: unknown): PayoutPlan {
  return decodeWith(payoutPlanSchema, value, 'payout plan');
}
