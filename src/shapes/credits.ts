import { z } from 'zod';
import { BREAK_CLASSES } from '../breaks';
import { addToGroup } from '../kernel';
import { CHANNELS, EVIDENCE_GRADES } from '../payout-inference';
import {
  CREDIT_REASONS,
  CREDIT_STATES,
  type CreditAnswer,
  type CreditHistory,
  type ExplainedCredit,
  MATCH_KINDS,
  UNMATCH_KINDS,
} from '../reconciliation';
import type { PayoutItem } from '../reporting';
import { candidateJson, candidateValue, cutJson, cutValue, errorValue } from './credit-candidates';
import { dayValue, idValue, instantJson, instantValue, millimesValue, totalJson, totalValue } from './values';

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
    channels: z
      .array(
        z.strictObject({
          channel: z.enum(CHANNELS),
          items: z.int(),
          grossMillimes: totalValue,
          feeMillimes: totalValue,
          tvaMillimes: totalValue,
        }),
      )
      .meta({ description: 'The items by channel. Fees of the payout as a whole belong to no item.' }),
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
  answer: answerValue
    .nullable()
    .meta({ description: 'Null for a credit that is matched or written off, and where no run stored it.' }),
};

/** A credit with its match, or with what a run says about it. */
export const explainedCreditValue = z.strictObject(explainedFields);

const writtenByValue = z.strictObject({
  by: z.string(),
  at: instantValue,
  runId: idValue.nullable().meta({ description: 'The run that matched it; null for a person.' }),
  reason: z.string().nullable(),
  approvedBy: z.string().nullable().meta({ description: 'The second person, if the amounts differ.' }),
});

const reversedMatchValue = z.strictObject({
  matchId: idValue,
  kind: z.enum(UNMATCH_KINDS),
  reason: z.string(),
  by: z.string(),
  at: instantValue,
});

/** A credit with the proposals about it that wait, and the history of its matches. */
export const shownCreditValue = z
  .strictObject({
    ...explainedFields,
    proposalIds: z.array(idValue),
    matched: writtenByValue.nullable().meta({ description: 'Who made the match; null without a match.' }),
    reversedMatches: z.array(reversedMatchValue).meta({ description: 'The latest first.' }),
  })
  .meta({ id: 'Credit' });

/** An item of the match that holds a credit. */
export const creditItemValue = z
  .strictObject({
    itemId: z.string(),
    channel: z.string(),
    amountMillimes: millimesValue.meta({ description: 'Negative for a refund.' }),
    feeMillimes: millimesValue,
    tvaMillimes: millimesValue,
    evidence: z.string(),
    occurredAt: instantValue.nullable(),
  })
  .meta({ id: 'CreditItem' });

/** Returns an item of a match as JSON. */
export function creditItemJson(item: PayoutItem): z.input<typeof creditItemValue> {
  const { itemId, channel, amount, fee, tva, evidence, occurredAt } = item;
  const amounts = { amountMillimes: amount, feeMillimes: fee, tvaMillimes: tva };
  return { itemId, channel, ...amounts, evidence, occurredAt: instantJson(occurredAt) };
}

/** Returns who matched a credit, and what was reversed, as JSON. */
export function creditHistoryJson({
  writtenBy,
  reversed,
}: CreditHistory): Pick<z.input<typeof shownCreditValue>, 'matched' | 'reversedMatches'> {
  return {
    matched:
      writtenBy === undefined
        ? null
        : {
            ...{ by: writtenBy.recordedBy, at: instantJson(writtenBy.recordedAt), runId: writtenBy.runId ?? null },
            ...{ reason: writtenBy.reason ?? null, approvedBy: writtenBy.approvedBy ?? null },
          },
    reversedMatches: reversed.map(({ matchId, kind, reason, recordedBy, recordedAt }) => ({
      ...{ matchId, kind, reason, by: recordedBy, at: instantJson(recordedAt) },
    })),
  };
}

type MatchParts = NonNullable<ExplainedCredit['match']>['parts'];

function channelsOf(parts: MatchParts): z.input<typeof matchValue>['channels'] {
  return [...groupedBy(parts, ({ channel }) => channel)].map(([channel, of]) => {
    const sum = (amountOf: (part: MatchParts[number]) => number): number | string =>
      totalJson(of.reduce((total, part) => total + BigInt(amountOf(part)), 0n));
    return {
      ...{ channel, items: of.length, grossMillimes: sum(({ amount }) => amount) },
      ...{ feeMillimes: sum(({ fee }) => fee), tvaMillimes: sum(({ tva }) => tva) },
    };
  });
}

function groupedBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) addToGroup(groups, keyOf(row), row);
  return groups;
}

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
            channels: channelsOf(match.parts),
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
