import { z } from 'zod';
import { BREAK_CLASSES } from '../breaks';
import { formatInstant } from '../kernel';
import { EVIDENCE_GRADES, type Objection, objectionText } from '../payout-inference';
import {
  CREDIT_REASONS,
  CREDIT_STATES,
  type CreditAnswer,
  type CreditCandidate,
  type ExplainedCredit,
  type MarkedPayouts,
  MATCH_KINDS,
  type TriedMatch,
} from '../reconciliation';
import type { CreditOutcome, ListedCredit } from '../reporting';
import { dayValue, idValue, instantValue, millimesValue } from './values';

const cutValue = z.strictObject({ after: instantValue, until: instantValue.nullable() }).meta({
  id: 'Cut',
  description: 'A payout contains the items that became available after and until these instants.',
});

const errorValue = z.number().meta({ description: 'The probability that the explanation is wrong.' });

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

const differingValue = z.strictObject({ items: z.int(), itemIds: z.array(z.string()) });

const objectionValue = z.strictObject({
  code: z.string().meta({ example: 'another_explanation' }),
  probability: z.number().optional(),
  items: z.int().optional(),
  itemId: z.string().optional(),
  amountMillimes: millimesValue.optional(),
  text: z.string(),
});

/** One explanation of a credit. */
export const candidateValue = z
  .strictObject({
    candidateId: z.string().meta({ description: 'It names the items, whatever the rank is.' }),
    kind: z.enum(['run', 'sum', 'part', 'nearest', 'match']),
    itemIds: z.array(z.string()).meta({ description: 'At most 10,000 of them.' }),
    items: z.int(),
    grossMillimes: millimesValue,
    feeMillimes: millimesValue,
    tvaMillimes: millimesValue,
    differenceMillimes: millimesValue,
    claimedError: errorValue,
    probability: z.number().nullable(),
    cut: cutValue.nullable(),
    stream: z.string().nullable(),
    adds: differingValue.meta({ description: 'Items that the first candidate lacks.' }),
    lacks: differingValue.meta({ description: 'Items of the first candidate that this one lacks.' }),
    against: z.array(objectionValue),
  })
  .meta({ id: 'Candidate' });

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

/** Returns a candidate as JSON. `itemIds` has at most 10,000 items; `items` is their number. */
export function candidateJson(candidate: CreditCandidate): z.input<typeof candidateValue> {
  const { id, kind, itemIds, itemCount, gross, fee, tva, difference, claimedError, probability, cut, stream } =
    candidate;
  return {
    candidateId: id,
    kind,
    itemIds: [...itemIds],
    items: itemCount,
    grossMillimes: gross,
    feeMillimes: fee,
    tvaMillimes: tva,
    differenceMillimes: difference,
    claimedError,
    probability: probability ?? null,
    cut: cutJson(cut),
    stream: stream ?? null,
    adds: { items: candidate.adds.count, itemIds: [...candidate.adds.itemIds] },
    lacks: { items: candidate.lacks.count, itemIds: [...candidate.lacks.itemIds] },
    against: candidate.against.map(objectionJson),
  };
}

function objectionJson(objection: Objection): z.input<typeof objectionValue> {
  const text = objectionText(objection);
  if (!('amount' in objection)) return { ...objection, text };
  const { amount, ...rest } = objection;
  return { ...rest, amountMillimes: amount, text };
}

function cutJson(cut: CreditCandidate['cut']): z.input<typeof cutValue> | null {
  if (cut === undefined) return null;
  return { after: formatInstant(cut.after), until: cut.until === undefined ? null : formatInstant(cut.until) };
}

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
