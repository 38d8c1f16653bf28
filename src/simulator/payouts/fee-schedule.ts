import { z } from 'zod';
import { type BusinessDate, businessDate, millimes, parseBusinessDate } from '../../kernel';
import { PAYOUT_CHANNELS, type PayoutChannel } from './payable-item';

const PPM_MAX = 1_000_000;
const FIXED_MILLIMES_MAX = 1_000_000_000;
const RULES_MAX = 200;

export const FEE_ROUNDINGS = ['half_up', 'half_down', 'half_even'] as const;
export type FeeRounding = (typeof FEE_ROUNDINGS)[number];

const feeRule = z
  .strictObject({
    channel: z.enum(PAYOUT_CHANNELS),
    rate_ppm: z.int().min(0).max(PPM_MAX),
    fixed_millimes: z.int().min(0).max(FIXED_MILLIMES_MAX),
    tva_ppm: z.int().min(0).max(PPM_MAX),
    rounding: z.enum(FEE_ROUNDINGS),
    basis: z.enum(['item', 'payout']),
    from: z
      .string()
      .refine((text) => parseBusinessDate(text) !== undefined, 'expected a date as YYYY-MM-DD')
      .optional(),
  })
  .transform(({ channel, rate_ppm, fixed_millimes, tva_ppm, rounding, basis, from }) => ({
    channel,
    ratePpm: rate_ppm,
    fixedMillimes: millimes(fixed_millimes),
    tvaPpm: tva_ppm,
    rounding,
    basis,
    ...(from === undefined ? {} : { from: businessDate(from) }),
  }));

/**
 * The gateway's fee on a channel, from a day on or from the beginning. `basis` states what the rate applies to: each
 * item, or the sum of a payout's positive items.
 */
export type FeeRule = Readonly<z.output<typeof feeRule>>;

/** The JSON of a `fees.json`; errors name the rule and the field. */
export const feeScheduleSchema = z
  .array(feeRule)
  .max(RULES_MAX)
  .superRefine((rules, context) => {
    rules.forEach(({ channel, from }, index) => {
      if (rules.findIndex((other) => other.channel === channel && other.from === from) < index) {
        context.addIssue({
          code: 'custom',
          path: [index, 'from'],
          message: `${channel} already has a rule from this day`,
        });
      }
    });
  });

/**
 * Returns the rule of a channel on a day: the one with the latest first day. Without a rule the channel costs nothing.
 */
export function feeRuleOn(
  rules: readonly FeeRule[],
  { channel, day }: { readonly channel: PayoutChannel; readonly day: BusinessDate },
): FeeRule | undefined {
  return rules
    .filter((rule) => rule.channel === channel && (rule.from === undefined || rule.from <= day))
    .reduce<FeeRule | undefined>(
      (last, rule) => (last === undefined || startOf(last) < startOf(rule) ? rule : last),
      undefined,
    );
}

function startOf({ from }: FeeRule): string {
  return from ?? '';
}
