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
 * What the gateway keeps of a channel's money, from a day on or since ever. `basis` says what the rate is of: each item,
 * or the positive items of a payout together.
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

/** The rule of a channel on a day: the one that began last. Without one the channel costs nothing. */
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
