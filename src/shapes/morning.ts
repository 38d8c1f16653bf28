import { z } from 'zod';
import {
  AGE_BANDS,
  type CutOff,
  type DayCredits,
  type DayFigure,
  type Morning,
  type OpenBreakTotals,
  type Trends,
} from '../reporting';
import { dayValue, idValue, instantJson, instantValue, totalJson, totalValue } from './values';

const counted = (of: string) =>
  z.strictObject({ count: z.int(), amountMillimes: totalValue }).meta({ description: of });
const countedJson = (count: number, amount: bigint) => ({ count, amountMillimes: totalJson(amount) });

const figureValue = z
  .strictObject({
    date: dayValue,
    channel: z.string(),
    payments: z.int().meta({ description: 'The number of payments.' }),
    succeededMillimes: totalValue,
    refundedMillimes: totalValue.meta({ description: 'At most 0, as what it adds to the debt of the gateway.' }),
    chargedMillimes: totalValue.meta({ description: 'Fees and TVA; at most 0.' }),
    settledMillimes: totalValue.meta({ description: 'What the bank received for the channel, less what it returned.' }),
    otherMillimes: totalValue.meta({ description: 'Write-offs and corrections.' }),
    closingMillimes: totalValue.meta({ description: 'What the gateway owes at the end of the day.' }),
  })
  .meta({ id: 'DayFigure', description: 'What moved through one channel on one day by ledger date.' });

const creditsValue = z
  .strictObject({
    date: dayValue,
    credited: counted('The credits that may be payouts, by booking date.'),
    chargedMillimes: totalValue.meta({ description: 'Fees and TVA that the matched credits lack.' }),
    unexplained: counted('The credits without a match.'),
  })
  .meta({ id: 'DayCredits', description: 'The credits that may be payouts and that the bank booked on one day.' });

const breaksValue = z
  .strictObject({
    open: counted('The open breaks of the day or an earlier one.'),
    overdue: counted('Those that are overdue.'),
    toExplain: counted('Bank credits through the day that nothing explained at `knownAt`.'),
    gaps: z.int().meta({ description: 'Statements that are missing or in conflict.' }),
    byAge: z
      .array(z.strictObject({ band: z.enum(AGE_BANDS), count: z.int(), amountMillimes: totalValue }))
      .meta({ description: 'By age in working days.' }),
    waitingForApproval: z.int(),
    proposedByOthers: z.int().meta({ description: 'Proposals that wait for a person other than their author.' }),
  })
  .meta({ id: 'OpenBreakTotals', description: 'The breaks that are open now, of a day or an earlier one.' });

const cutOffValue = z
  .strictObject({
    date: dayValue,
    runId: idValue,
    knownAt: instantValue,
    owedByAgents: counted('The agents who owe, and how much.'),
    inFavorOfAgents: counted('The agents who paid too much, and how much.'),
    inTransit: z.strictObject({
      processing: counted('Items that the gateway cannot pay out yet.'),
      available: counted('Items that it can pay out.'),
      late: counted('Items that the bank should have received.'),
      lastDueOn: dayValue.nullable().meta({ description: 'The last day on which an item is in time.' }),
    }),
    bankThrough: dayValue.nullable().meta({ description: 'The last day that bank statements cover.' }),
  })
  .meta({ id: 'CutOff', description: 'What was known when a run had covered a day after it ended.' });

/** The figures of a day for people who begin their work. */
export const morningValue = z
  .strictObject({
    figures: z
      .strictObject({
        last: cutOffValue,
        day: dayValue,
        from: dayValue.meta({ description: 'The first day of the lists.' }),
        cutOff: cutOffValue
          .nullable()
          .meta({ description: 'Null if no run covered the day when it was the last one.' }),
        channels: z.array(figureValue),
        credits: z.array(creditsValue),
        breaks: breaksValue,
        state: z.enum(['open', 'closed', 'reopened']),
        since: z.strictObject({
          payments: z.int(),
          hasMorePayments: z.boolean(),
          breaks: z.int(),
          statements: z.int(),
        }),
      })
      .nullable()
      .meta({ description: 'Null before the first run derived figures.' }),
  })
  .meta({ id: 'Morning' });

/** What the plots show. */
export const trendsValue = z
  .strictObject({
    figures: z
      .strictObject({
        last: cutOffValue,
        from: dayValue,
        channels: z.array(figureValue),
        credits: z.array(creditsValue),
        expectations: z
          .array(z.strictObject({ date: dayValue, items: z.int(), amountMillimes: totalValue }))
          .meta({ description: 'What runs expected the bank to receive, before fees, as known before the day.' }),
        breaks: breaksValue,
        claimedErrors: z
          .strictObject({ runId: idValue, errors: z.array(z.string()) })
          .nullable()
          .meta({ description: 'Of the matches of the last run that matched a credit; at most 200.' }),
      })
      .nullable()
      .meta({ description: 'Null before the first run derived figures.' }),
  })
  .meta({ id: 'Trends' });

export function morningJson(found: Morning | undefined): z.input<typeof morningValue> {
  if (found === undefined) return { figures: null };
  const { last, day, from, cutOff, figures, credits, breaks, state, since } = found;
  return {
    figures: {
      ...{ last: cutOffJson(last), day, from, cutOff: cutOff === undefined ? null : cutOffJson(cutOff) },
      channels: figures.map(figureJson),
      credits: credits.map(creditsJson),
      breaks: breaksJson(breaks),
      state: state.kind,
      since,
    },
  };
}

export function trendsJson(found: Trends | undefined): z.input<typeof trendsValue> {
  if (found === undefined) return { figures: null };
  const { last, from, figures, credits, expectations, breaks, claimed } = found;
  return {
    figures: {
      ...{ last: cutOffJson(last), from },
      channels: figures.map(figureJson),
      credits: credits.map(creditsJson),
      expectations: expectations.map(({ date, items, amount }) => ({ date, items, amountMillimes: totalJson(amount) })),
      breaks: breaksJson(breaks),
      claimedErrors: claimed === undefined ? null : { runId: claimed.runId, errors: [...claimed.errors] },
    },
  };
}

function figureJson({ date, channel, payments, ...amounts }: DayFigure): z.input<typeof figureValue> {
  return {
    ...{ date, channel, payments },
    succeededMillimes: totalJson(amounts.succeeded),
    refundedMillimes: totalJson(amounts.refunded),
    chargedMillimes: totalJson(amounts.charged),
    settledMillimes: totalJson(-amounts.settled),
    otherMillimes: totalJson(amounts.other),
    closingMillimes: totalJson(amounts.closing),
  };
}

function creditsJson(day: DayCredits): z.input<typeof creditsValue> {
  return {
    date: day.date,
    credited: countedJson(day.credits, day.amount),
    chargedMillimes: totalJson(day.charged),
    unexplained: countedJson(day.unexplained, day.unexplainedAmount),
  };
}

function cutOffJson(cutOff: CutOff): z.input<typeof cutOffValue> {
  return {
    ...{ date: cutOff.date, runId: cutOff.runId, knownAt: instantJson(cutOff.knownAt) },
    owedByAgents: countedJson(cutOff.owing, cutOff.owed),
    inFavorOfAgents: countedJson(cutOff.favored, cutOff.favor),
    inTransit: {
      processing: countedJson(cutOff.processing, cutOff.processingAmount),
      available: countedJson(cutOff.available, cutOff.availableAmount),
      late: countedJson(cutOff.late, cutOff.lateAmount),
      lastDueOn: cutOff.lastDueOn ?? null,
    },
    bankThrough: cutOff.bankThrough ?? null,
  };
}

function breaksJson(breaks: OpenBreakTotals): z.input<typeof breaksValue> {
  const { open, overdue, toExplain, gaps, byAge, waitingForApproval, proposedByOthers } = breaks;
  return {
    open: countedJson(open.count, open.amount),
    overdue: countedJson(overdue.count, overdue.amount),
    toExplain: countedJson(toExplain.count, toExplain.amount),
    byAge: byAge.map(({ band, count, amount }) => ({ band, ...countedJson(count, amount) })),
    ...{ gaps, waitingForApproval, proposedByOthers },
  };
}
