import { z } from 'zod';
import type { CreditOutcome, ListedCredit } from '../reporting';
import { dayValue, idValue, millimesValue } from './values';

const listedMatchValue = z.strictObject({
  matchId: idValue,
  kind: z.string(),
  evidence: z.string(),
  grossMillimes: millimesValue,
  feeMillimes: millimesValue,
  tvaMillimes: millimesValue,
  differenceMillimes: millimesValue,
  claimedError: z.string().nullable().meta({ description: 'The error that the inference claims; null for a person.' }),
});

/** What became of a credit, in the list. */
export const creditOutcomeValue = z.enum([
  'matched',
  'forced',
  'returned',
  'break',
  'waiting',
  'written_off',
] satisfies CreditOutcome[]);

/** A credit of the list with its match or its break. */
export const listedCreditValue = z
  .strictObject({
    lineId: idValue,
    account: z.string(),
    bookingDate: dayValue,
    valueDate: dayValue.nullable(),
    amountMillimes: millimesValue,
    counterparty: z.string(),
    remittance: z.string(),
    outcome: creditOutcomeValue,
    match: listedMatchValue.nullable(),
    breakId: idValue.nullable(),
    breakClass: z.string().nullable(),
  })
  .meta({ id: 'ListedCredit' });

/** Returns a credit of the list as JSON. */
export function listedCreditJson(credit: ListedCredit): z.input<typeof listedCreditValue> {
  const { lineId, account, bookingDate, valueDate, amount, counterparty, remittance, outcome, match } = credit;
  return {
    ...{ lineId, account, bookingDate, valueDate: valueDate ?? null, amountMillimes: amount },
    ...{ counterparty, remittance, outcome },
    match:
      match === undefined
        ? null
        : {
            ...{ matchId: match.matchId, kind: match.kind, evidence: match.evidence, grossMillimes: match.gross },
            ...{ feeMillimes: match.fee, tvaMillimes: match.tva, differenceMillimes: match.remainder },
            claimedError: match.claimedError ?? null,
          },
    breakId: credit.breakId ?? null,
    breakClass: credit.breakClass ?? null,
  };
}
