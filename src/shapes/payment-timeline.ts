import { z } from 'zod';
import type { TimelineEntry, TimelineKind } from '../reporting';
import { gatewayWord } from './payments';
import {
  dayValue,
  idValue,
  instantJson,
  instantValue,
  millimesValue,
  outsideIdField,
  totalJson,
  totalValue,
} from './values';

const runId = idValue.nullable().meta({ description: 'Null if a person did it.' });
const creditId = idValue.meta({ description: 'The bank line.' });
const by = z.string();

const ofBreak = { class: z.string(), by };
const ofDay = { day: dayValue, by };

/** The facts of each kind, and the thing whose id `from` states. Words without a list are those of that thing. */
const KINDS = {
  requested: {
    thing: 'payment',
    facts: {
      attemptKind: z.string(),
      reference: outsideIdField.nullable(),
      amountMillimes: millimesValue,
      by,
    },
  },
  sent: {
    thing: 'payment',
    facts: {
      requestState: z.string().meta({ description: 'Now. The instant of the answer is not stored.' }),
      gatewayId: z.string().nullable(),
      error: z.string().nullable(),
      sessionEndsAt: instantValue.nullable(),
    },
  },
  confirmed: { thing: 'confirm', facts: { agentId: outsideIdField, amountMillimes: millimesValue } },
  confirm_refused: {
    thing: 'refusal',
    facts: { reason: z.string(), times: z.int().meta({ description: 'How often it arrived.' }), lastAt: instantValue },
  },
  paid: {
    thing: 'payment',
    facts: {
      notBefore: instantValue.nullable().meta({ description: 'It was paid between this instant and `at`.' }),
      amountMillimes: millimesValue,
    },
  },
  listed: {
    thing: 'payment',
    facts: { status: gatewayWord, method: gatewayWord, amountMillimes: millimesValue },
  },
  status_observed: {
    thing: 'observation',
    facts: {
      call: z.string().meta({ description: 'The call that the gateway answered.' }),
      status: z.string(),
      settlementStatus: gatewayWord,
      method: gatewayWord,
      amountMillimes: millimesValue.nullable(),
    },
  },
  webhook_received: {
    thing: 'webhook',
    facts: {
      family: z.string(),
      event: z.string(),
      proof: z.string(),
      times: z.int().meta({ description: 'How often it arrived.' }),
      lastReceivedAt: instantValue,
      state: z.string(),
      outcome: z.string().nullable(),
    },
  },
  operation_requested: {
    thing: 'operation',
    facts: { operation: z.string(), amountMillimes: millimesValue.nullable(), by },
  },
  operation_ended: {
    thing: 'operation',
    facts: {
      operation: z.string(),
      state: z.string(),
      refundId: z.string().nullable(),
      error: z.string().nullable(),
    },
  },
  posted: {
    thing: 'ledger_transaction',
    facts: {
      code: z.string(),
      reference: z.string(),
      amountMillimes: totalValue.meta({ description: 'The sum of its postings, above 0.' }),
      occurredAt: instantValue.meta({ description: 'The instant by which reports count it.' }),
      by,
    },
  },
  expected_at_bank: {
    thing: 'item',
    facts: {
      usuallyOn: dayValue.nullable().meta({ description: 'The day on which the bank should book it by its habits.' }),
      latestOn: dayValue.meta({ description: 'The last day on which it is still in time. `at` is its end.' }),
      late: z.boolean(),
    },
  },
  matched: {
    thing: 'match',
    facts: {
      itemId: z.string(),
      creditId,
      account: z.string(),
      bookedOn: dayValue,
      runId,
      matchKind: z.string(),
      evidence: z.string(),
      amountMillimes: millimesValue,
      feeMillimes: millimesValue,
      tvaMillimes: millimesValue,
      by,
      approvedBy: z.string().nullable(),
    },
  },
  unmatched: {
    thing: 'match',
    facts: { creditId, unmatchKind: z.string(), runId, reason: z.string(), by },
  },
  break_opened: { thing: 'break', facts: ofBreak },
  break_reopened: { thing: 'break', facts: ofBreak },
  break_resolved: { thing: 'break', facts: { ...ofBreak, resolution: z.string() } },
  day_closed: { thing: 'day', facts: ofDay },
  day_reopened: { thing: 'day', facts: ofDay },
} as const satisfies Readonly<Record<TimelineKind, { readonly thing: string; readonly facts: z.ZodRawShape }>>;

/** The schema of the entries of one kind. */
function entryOf<Kind extends TimelineKind>(kind: Kind) {
  const { thing, facts } = KINDS[kind];
  return z.strictObject({
    kind: z.literal(kind),
    at: instantValue,
    from: z.strictObject({ thing: z.literal<(typeof KINDS)[Kind]['thing']>(thing), id: z.string() }),
    facts: z.strictObject<(typeof KINDS)[Kind]['facts']>(facts),
  });
}

/** What happened to a payment at an instant, and the thing that states it. */
export const timelineEntryValue = z
  .discriminatedUnion('kind', [
    entryOf('requested'),
    entryOf('sent'),
    entryOf('confirmed'),
    entryOf('confirm_refused'),
    entryOf('paid'),
    entryOf('listed'),
    entryOf('status_observed'),
    entryOf('webhook_received'),
    entryOf('operation_requested'),
    entryOf('operation_ended'),
    entryOf('posted'),
    entryOf('expected_at_bank'),
    entryOf('matched'),
    entryOf('unmatched'),
    entryOf('break_opened'),
    entryOf('break_reopened'),
    entryOf('break_resolved'),
    entryOf('day_closed'),
    entryOf('day_reopened'),
  ])
  .meta({ id: 'TimelineEntry' });

type EntryOf<Kind extends TimelineKind> = Extract<TimelineEntry, { readonly kind: Kind }>;
type FactsJson<Kind extends TimelineKind> = z.input<z.ZodObject<(typeof KINDS)[Kind]['facts'], z.core.$strict>>;

const breakJson = ({ breakClass, actor }: EntryOf<'break_opened' | 'break_reopened' | 'break_resolved'>) => ({
  class: breakClass,
  by: actor,
});
const dayJson = ({ day, recordedBy }: EntryOf<'day_closed' | 'day_reopened'>) => ({ day, by: recordedBy });

const FACTS: { readonly [Kind in TimelineKind]: (entry: EntryOf<Kind>) => FactsJson<Kind> } = {
  requested: ({ attemptKind, reference, amount, requestedBy }) => ({
    ...{ attemptKind, reference: reference ?? null, amountMillimes: amount, by: requestedBy },
  }),
  sent: ({ requestState, gatewayId, error, sessionEndsAt }) => ({
    requestState,
    gatewayId: gatewayId ?? null,
    error: error ?? null,
    sessionEndsAt: instantJson(sessionEndsAt),
  }),
  confirmed: ({ agentId, amount }) => ({ agentId, amountMillimes: amount }),
  confirm_refused: ({ reason, times, lastAt }) => ({ reason, times, lastAt: instantJson(lastAt) }),
  paid: ({ notBefore, amount }) => ({ notBefore: instantJson(notBefore), amountMillimes: amount }),
  listed: ({ status, method, amount }) => ({ status: status ?? null, method: method ?? null, amountMillimes: amount }),
  status_observed: ({ call, status, settlementStatus, method, amount }) => ({
    ...{ call, status, settlementStatus: settlementStatus ?? null },
    ...{ method: method ?? null, amountMillimes: amount ?? null },
  }),
  webhook_received: ({ family, event, proof, times, lastReceivedAt, state, outcome }) => ({
    ...{ family, event, proof, times, lastReceivedAt: instantJson(lastReceivedAt) },
    ...{ state, outcome: outcome ?? null },
  }),
  operation_requested: ({ operation, amount, requestedBy }) => ({
    ...{ operation, amountMillimes: amount ?? null, by: requestedBy },
  }),
  operation_ended: ({ operation, state, refundId, error }) => ({
    ...{ operation, state, refundId: refundId ?? null, error: error ?? null },
  }),
  posted: ({ code, reference, amount, occurredAt, recordedBy }) => ({
    ...{ code, reference, amountMillimes: totalJson(amount), occurredAt: instantJson(occurredAt), by: recordedBy },
  }),
  expected_at_bank: ({ usuallyOn, latestOn, isLate }) => ({ usuallyOn: usuallyOn ?? null, latestOn, late: isLate }),
  matched: ({ itemId, creditId, account, bookedOn, runId, matchKind, evidence, ...match }) => ({
    ...{ itemId, creditId, account, bookedOn, runId: runId ?? null, matchKind, evidence },
    ...{ amountMillimes: match.amount, feeMillimes: match.fee, tvaMillimes: match.tva },
    ...{ by: match.recordedBy, approvedBy: match.approvedBy ?? null },
  }),
  unmatched: ({ creditId, unmatchKind, runId, reason, recordedBy }) => ({
    ...{ creditId, unmatchKind, runId: runId ?? null, reason, by: recordedBy },
  }),
  break_opened: breakJson,
  break_reopened: breakJson,
  break_resolved: (entry) => ({ ...breakJson(entry), resolution: entry.resolution }),
  day_closed: dayJson,
  day_reopened: dayJson,
};

/** Returns an entry as JSON. */
export function timelineEntryJson(entry: TimelineEntry): z.input<typeof timelineEntryValue> {
  const { kind, at, from } = entry;
  const facts = (FACTS[kind] as (entry: TimelineEntry) => unknown)(entry);
  // The tables have one row for each kind, so the facts are those of the kind.
  return { kind, at: instantJson(at), from: { thing: KINDS[kind].thing, id: from }, facts } as z.input<
    typeof timelineEntryValue
  >;
}
