import { z } from 'zod';
import type { MarkedPayouts, TriedMatch } from '../reconciliation';
import { dayValue, idValue, millimesValue } from './values';

/** The sums of chosen items beside a credit. */
export const triedMatchValue = z
  .strictObject({
    lineId: idValue,
    creditMillimes: millimesValue,
    items: z.int().meta({ description: 'The number of the chosen items.' }),
    grossMillimes: millimesValue,
    feeMillimes: millimesValue.meta({ description: 'By the schedule in force; 0 if the items fit without fees.' }),
    tvaMillimes: millimesValue,
    netMillimes: millimesValue,
    differenceMillimes: millimesValue.meta({ description: 'The credit less the net sum.' }),
    fits: z.boolean().meta({ description: 'Whether one person may match them.' }),
  })
  .meta({ id: 'TriedMatch' });

/** Returns the sums of chosen items as JSON. */
export function triedMatchJson(tried: TriedMatch): z.input<typeof triedMatchValue> {
  const { lineId, credit, items, gross, fee, tva, net, difference } = tried;
  return {
    lineId,
    creditMillimes: credit,
    items,
    grossMillimes: gross,
    feeMillimes: fee,
    tvaMillimes: tva,
    netMillimes: net,
    differenceMillimes: difference,
    fits: difference === 0,
  };
}

/** The match that a person made. */
export const personMatchValue = z.strictObject({
  lineId: idValue,
  matchId: idValue,
  itemIds: z.array(z.string()),
  grossMillimes: millimesValue,
  feeMillimes: millimesValue,
  tvaMillimes: millimesValue,
  remainderMillimes: millimesValue,
  dryRun: z.boolean(),
});

/** The match that a person reversed. */
export const unmatchedValue = z.strictObject({
  lineId: idValue,
  matchId: idValue,
  grossMillimes: millimesValue,
  itemIds: z.array(z.string()),
  dryRun: z.boolean(),
});

/** The credits that were marked as payouts, or as none. */
export const markedPayoutsValue = z.strictObject({
  outcome: z.enum(['unchanged', 'marked', 'unmarked']),
  dryRun: z.boolean(),
  credits: z.int().meta({ description: 'The number of the chosen credits.' }),
  recognizedCredits: z.int(),
  lines: z.array(
    z.strictObject({
      lineId: idValue,
      bookingDate: dayValue,
      amountMillimes: millimesValue,
      counterparty: z.string(),
      remittance: z.string(),
    }),
  ),
});

/** Returns the credits that were marked as JSON. */
export function markedPayoutsJson(
  { credits, recognized, changed }: MarkedPayouts,
  { isPayout, dryRun }: { readonly isPayout: boolean; readonly dryRun: boolean },
): z.input<typeof markedPayoutsValue> {
  return {
    outcome: changed.length === 0 ? 'unchanged' : isPayout ? 'marked' : 'unmarked',
    dryRun,
    credits,
    recognizedCredits: recognized,
    lines: changed.map(({ lineId, bookingDate, amount, counterparty, remittance }) => ({
      ...{ lineId, bookingDate, amountMillimes: amount, counterparty, remittance },
    })),
  };
}
