import { z } from 'zod';
import { BREAK_CLASSES } from '../breaks';
import { EVIDENCE_GRADES } from '../payout-inference';
import { CREDIT_REASONS, CREDIT_STATES, type CreditAnswer, type ExplainedCredit, MATCH_KINDS } from '../reconciliation';
import { candidateJson, candidateValue, cutJson, cutValue, errorValue } from './credit-candidates';
import { dayValue, idValue, millimesValue } from './values';

const matchValue = z
  .strictObject({
    matchId: idValue,
    lineId: idValue,
    kind: z.enum(MATCH_KINDS),
    evidence: z.enum(EVIDENCE_GRADES),
    grossMillimes: millimesValue,
    feeMillimes: millimesValue,
    tvaMillimes: millimesValue,
    differenceMillimes: millimesValue.meta({ description: 'The credit less gross, plus fee and TVA.' }),
    claimedError: errorValue.nullable(),
    cut: cutValue.nullable(),
    itemIds: z.array(z.string()),
  })
  .meta({ id: 'Match' });

const answerValue = z
  .strictObject({
    outcome: z.enum(['resolved', 'ambiguous', 'unexplained', 'search_cut_short']),
    reason: z.enum(CREDIT_REASONS),
    claimedError: errorValue,
    errorMax: z.number().meta({ description: 'Runs match a credit up to this claimed error.' }),
    candidates: z.array(candidateValue).meta({ description: 'The likeliest first.' }),
    commonCore: z.array(z.string()).meta({ description: 'Items that all explanations share.' }),
    nearest: z.strictObject({ cut: cutValue.nullable(), differenceMillimes: millimesValue }).nullable(),
  })
  .meta({ id: 'CreditAnswer' });

/** The state of a credit. */
export const creditStateValue = z.enum(CREDIT_STATES);

const explainedFields = {
  lineId: idValue,
  account: z.string(),
  bookingDate: dayValue,
  valueDate: dayValue.nullable(),
  amountMillimes: millimesValue,
  counterparty: z.string(),
  remittance: z.string(),
  state: creditStateValue,
  breakId: idValue.nullable(),
  breakClass: z.enum(BREAK_CLASSES).nullable(),
  match: matchValue.nullable(),
  through: dayValue.meta({ description: 'The last day of the computation.' }),
  answer: answerValue.nullable().meta({ description: 'Null for a credit that is matched or written off.' }),
};

/** A credit with its match, or with what a run says about it. */
export const explainedCreditValue = z.strictObject(explainedFields);

/** A credit with the proposals about it that wait. */
export const shownCreditValue = z
  .strictObject({ ...explainedFields, proposalIds: z.array(idValue) })
  .meta({ id: 'Credit' });

/** Returns a credit as JSON. */
export function explainedCreditJson(credit: ExplainedCredit): z.input<typeof explainedCreditValue> {
  const { line, through, state, match, breakId, breakClass, answer } = credit;
  return {
    lineId: line.lineId,
    account: line.account,
    bookingDate: line.bookingDate,
    valueDate: line.valueDate ?? null,
    amountMillimes: line.amount,
    counterparty: line.counterparty,
    remittance: line.remittance,
    state,
    breakId: breakId ?? null,
    breakClass: breakClass ?? null,
    match:
      match === undefined
        ? null
        : {
            matchId: match.id,
            lineId: match.lineId,
            kind: match.kind,
            evidence: match.evidence,
            grossMillimes: match.gross,
            feeMillimes: match.fee,
            tvaMillimes: match.tva,
            differenceMillimes: match.remainder,
            claimedError: match.claimedError ?? null,
            cut: cutJson(match.cut),
            itemIds: match.parts.map(({ itemId }) => itemId),
          },
    through,
    answer: answer === undefined ? null : answerJson(answer),
  };
}

function answerJson(answer: CreditAnswer): z.input<typeof answerValue> {
  const { outcome, reason, claimedError, errorMax, candidates, commonCore, nearest } = answer;
  return {
    outcome,
    reason,
    claimedError,
    errorMax,
    candidates: candidates.map(candidateJson),
    commonCore: [...commonCore],
    nearest: nearest === undefined ? null : { cut: cutJson(nearest.cut), differenceMillimes: nearest.difference },
  };
}
