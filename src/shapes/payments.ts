import { z } from 'zod';
import { assert, formatInstant, type Instant } from '../kernel';
import type {
  CreateOutcome,
  OperationOutcome,
  Payment,
  PaymentDetails,
  PaymentProgress,
  StatusCheckOutcome,
} from '../payments';
import type { FoundPayment, PlacedPayment } from '../reporting';
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

// The closed lists repeat those of the rooms, because a command that uses shapes must not load the gateway's client. The
// mappers do not compile if a word is missing.

const REQUEST_STATES = ['requested', 'sending', 'made', 'refused', 'unknown', 'abandoned'] as const;
const PAYMENT_KINDS = ['standard', 'binding', 'preauthorization', 'split', 'pos', 'qr', 'wallet'] as const;
const OPERATION_KINDS = ['capture', 'cancel', 'refund'] as const;

const gatewayWord = z.string().nullable().meta({ description: "The gateway's word; null until it reports one." });
const linkValue = z.string().nullable().meta({ description: 'Where the customer pays, or the content of a QR code.' });

const attemptFields = {
  trackingId: idValue.meta({ description: 'The id of Millime, which the gateway knows too.' }),
  kind: z.enum(PAYMENT_KINDS),
  reference: outsideIdField.nullable(),
  isLive: z.boolean().meta({ description: 'Whether it is the attempt of its reference that may still be paid.' }),
  agentId: outsideIdField.nullable(),
  amountMillimes: millimesValue,
  ourShareMillimes: millimesValue.meta({ description: 'The amount without the parts of other merchants.' }),
  isTest: z.boolean(),
  requestState: z.enum(REQUEST_STATES),
  requestError: z.string().nullable(),
  requestedAt: instantValue,
  sentAt: instantValue.nullable(),
  gatewayId: z.string().nullable(),
  link: linkValue,
  sessionEndsAt: instantValue.nullable(),
  status: gatewayWord,
  settlementStatus: gatewayWord,
  method: gatewayWord,
  capturedMillimes: millimesValue.nullable(),
  succeededAfter: instantValue.nullable(),
  succeededUntil: instantValue.nullable(),
  itemId: z.string().nullable().meta({ description: 'The item of its money in the ledger.' }),
  nextLookAt: instantValue.nullable().meta({ description: 'When the next status check is due.' }),
  nudgedAt: instantValue.nullable().meta({ description: 'When a webhook triggered a status check.' }),
  lastLookAt: instantValue.nullable(),
  looks: z.int().meta({ description: 'The number of answered status checks.' }),
  failedLooks: z.int().meta({ description: 'The number of consecutive failed status checks.' }),
  lastLookError: z.string().nullable(),
  recordedBy: z.string(),
};

/** One attempt to collect money through the gateway. */
export const paymentValue = z.strictObject(attemptFields).meta({ id: 'Payment' });

/** Returns an attempt as JSON. */
export function paymentJson(payment: Payment): z.input<typeof paymentValue> {
  return {
    trackingId: payment.trackingId,
    kind: payment.kind,
    reference: payment.reference ?? null,
    isLive: payment.isLive,
    agentId: payment.agentId ?? null,
    amountMillimes: payment.amount,
    ourShareMillimes: payment.ourShare,
    isTest: payment.isTest,
    requestState: payment.requestState,
    requestError: payment.requestError ?? null,
    requestedAt: instantJson(payment.requestedAt),
    sentAt: instantJson(payment.sentAt),
    gatewayId: payment.gatewayId ?? null,
    link: payment.link ?? null,
    sessionEndsAt: instantJson(payment.sessionEndsAt),
    status: payment.status ?? null,
    settlementStatus: payment.settlementStatus ?? null,
    method: payment.method ?? null,
    capturedMillimes: payment.captured ?? null,
    succeededAfter: instantJson(payment.succeededAfter),
    succeededUntil: instantJson(payment.succeededUntil),
    itemId: payment.itemId ?? null,
    nextLookAt: instantJson(payment.nextCheckAt),
    nudgedAt: instantJson(payment.triggeredAt),
    lastLookAt: instantJson(payment.lastCheckAt),
    looks: payment.checks,
    failedLooks: payment.failedChecks,
    lastLookError: payment.lastCheckError ?? null,
    recordedBy: payment.recordedBy,
  };
}

/** A capture, a cancel or a refund. */
const operationValue = z
  .strictObject({
    id: idValue,
    kind: z.enum(OPERATION_KINDS),
    state: z.enum(['sending', 'done', 'refused', 'unknown']),
    amountMillimes: millimesValue.nullable(),
    refundId: z.string().nullable(),
    error: z.string().nullable(),
    requestedAt: instantValue,
    endedAt: instantValue.nullable(),
    nextCheckAt: instantValue.nullable(),
    checks: z.int(),
    requestedBy: z.string(),
  })
  .meta({ id: 'PaymentOperation' });

/** Returns a capture, a cancel or a refund as JSON. */
export function operationJson(operation: PaymentDetails['operations'][number]): z.input<typeof operationValue> {
  return {
    id: operation.id,
    kind: operation.kind,
    state: operation.state,
    amountMillimes: operation.amount ?? null,
    refundId: operation.refundId ?? null,
    error: operation.error ?? null,
    requestedAt: instantJson(operation.requestedAt),
    endedAt: instantJson(operation.endedAt),
    nextCheckAt: instantJson(operation.nextCheckAt),
    checks: operation.checks,
    requestedBy: operation.requestedBy,
  };
}

const OBSERVATION_SOURCES = [
  ...['verify', 'pos_status', 'qr_verify', 'qr_history', 'wallet_history'],
  ...OPERATION_KINDS,
] as const;

/** An answer of the gateway about a payment. */
const observationValue = z
  .strictObject({
    source: z.enum(OBSERVATION_SOURCES).meta({ description: 'The call that the gateway answered.' }),
    observedAt: instantValue,
    status: z.string(),
    settlementStatus: gatewayWord,
    method: gatewayWord,
    amountMillimes: millimesValue.nullable(),
  })
  .meta({ id: 'PaymentObservation' });

/** Returns an answer of the gateway as JSON, without its body. */
export function observationJson(observation: PaymentDetails['observations'][number]): z.input<typeof observationValue> {
  return {
    source: observation.source,
    observedAt: instantJson(observation.observedAt),
    status: observation.status,
    settlementStatus: observation.settlementStatus ?? null,
    method: observation.method ?? null,
    amountMillimes: observation.amount ?? null,
  };
}

/** The outcome of a creation at the gateway. */
export const creationValue = z
  .strictObject({
    kind: z.enum(['created', 'existing', 'refused', 'unknown', 'checked']),
    dryRun: z.boolean(),
    payment: paymentValue.nullable().meta({ description: 'Null in a dry run.' }),
    reason: z.string().nullable(),
  })
  .meta({ id: 'PaymentCreation' });

/** Returns the outcome of a creation as JSON. */
export function creationJson(outcome: CreateOutcome): z.input<typeof creationValue> {
  return {
    kind: outcome.kind,
    dryRun: outcome.kind === 'checked',
    payment: outcome.kind === 'checked' ? null : paymentJson(outcome.payment),
    reason: creationReason(outcome, formatInstant) ?? null,
  };
}

/** Returns why the outcome is refused or unknown, and when a new session can be created. */
export function creationReason(outcome: CreateOutcome, format: (instant: Instant) => string): string | undefined {
  if (!('reason' in outcome)) return undefined;
  const from = outcome.kind === 'unknown' ? outcome.newSessionFrom : undefined;
  return from === undefined ? outcome.reason : `${outcome.reason}; a new session can be created from ${format(from)}`;
}

/** The outcome of a capture, a cancel or a refund. */
export const operationOutcomeValue = z
  .strictObject({
    kind: z.enum(['done', 'refused', 'unknown', 'checked']),
    dryRun: z.boolean(),
    operation: operationValue.nullable().meta({ description: 'Null in a dry run.' }),
    payment: paymentValue,
    reason: z.string().nullable(),
    isLookedAtAgain: z.boolean().meta({ description: 'Whether the gateway refused, and Millime checks once more.' }),
  })
  .meta({ id: 'PaymentOperationOutcome' });

/** Returns the outcome of a capture, a cancel or a refund as JSON. */
export function operationOutcomeJson({
  kind,
  payment,
  operation,
  reason,
  isCheckedAgain,
}: OperationOutcome): z.input<typeof operationOutcomeValue> {
  return {
    kind,
    dryRun: kind === 'checked',
    operation: operation === undefined ? null : operationJson(operation),
    payment: paymentJson(payment),
    reason: reason ?? null,
    isLookedAtAgain: isCheckedAgain === true,
  };
}

/** Whether the gateway answered a status check. */
export const checkKindValue = z
  .enum(['looked', 'later', 'nothing_to_ask'])
  .meta({ description: '`looked`: the gateway answered. `later`: it did not, or may not be asked now.' });

/** Why a status check must wait, and how long. */
export const lateFields = {
  retryAfterMs: z.number().nullable().meta({ description: 'When to try again, in milliseconds; null if it answered.' }),
  reason: z.string().nullable(),
};

type Late = Extract<StatusCheckOutcome, { kind: 'later' }>;

/** Returns why a status check must wait, and how long, as JSON. */
export function lateJson(
  outcome: Pick<Late, 'kind' | 'retryAfterMs' | 'reason'> | { readonly kind: 'looked' | 'nothing_to_ask' },
): { retryAfterMs: number | null; reason: string | null } {
  const late = outcome.kind === 'later' ? outcome : undefined;
  return { retryAfterMs: late?.retryAfterMs ?? null, reason: late?.reason ?? null };
}

/** How far a payment is, in codes. */
export const progressValue = z
  .strictObject({
    code: z
      .enum([
        ...(['queued', 'sending', 'refused', 'unknown', 'abandoned', 'created', 'waiting', 'paid'] as const),
        ...(['held', 'failed', 'expired', 'refunded', 'refund_sent', 'refund_failed', 'other'] as const),
      ])
      .meta({ description: 'The state of the request until the gateway has it, then of the payment at the gateway.' }),
    availability: z
      .enum(['not_yet', 'available', 'in_payout', 'sent_to_bank', 'refunded_elsewhere', 'not_owed', 'other'])
      .nullable()
      .meta({ description: 'Whether the gateway owes the money of a paid payment, as the gateway reports it.' }),
    availableSince: instantValue.nullable(),
  })
  .meta({ id: 'PaymentProgress' });

/** Returns how far a payment is as JSON. */
export function progressJson({ code, availability, availableSince }: PaymentProgress): z.input<typeof progressValue> {
  return { code, availability: availability ?? null, availableSince: instantJson(availableSince) };
}

/** The numbers of requests that a plan file added to the queue, and of those that were known. */
export const planValue = z
  .strictObject({ added: z.int(), unchanged: z.int(), dryRun: z.boolean() })
  .meta({ id: 'ImportedPlan' });

/** Where the money of a payment is. */
const moneyValue = z
  .strictObject({
    state: z
      .enum(['none', 'expected', 'late', 'break', 'banked', 'returned', 'refunded'])
      .meta({ description: 'none: nothing is in the ledger. break: an open break names the money.' }),
    confirmedAt: instantValue.nullable(),
    expectedBy: dayValue.nullable().meta({ description: 'The day by which runs expect the money at the bank.' }),
    bankedOn: dayValue.nullable(),
    creditId: z.string().nullable().meta({ description: 'The bank line that paid it.' }),
    returnedOn: dayValue.nullable(),
    refundedMillimes: totalValue,
    breakIds: z.array(idValue).meta({ description: 'The open breaks that name it.' }),
  })
  .meta({ id: 'PaymentMoney' });

const placeFields = {
  id: z.string().meta({ description: "The tracking id, the transactionId of a confirm, or the gateway's id." }),
  at: instantValue.meta({ description: 'When it was requested, confirmed or paid.' }),
  channel: z.string().nullable(),
  money: moneyValue,
};

type PlaceJson = z.input<z.ZodObject<typeof placeFields>> & { readonly source: PlacedPayment['source'] };

/** Returns where the money of a payment is as JSON. */
export function placeJson({ source, id, at, channel, money, state, dueOn }: PlacedPayment): PlaceJson {
  return {
    source,
    id,
    at: instantJson(at),
    channel: channel ?? null,
    money: {
      state,
      confirmedAt: instantJson(money?.confirmedAt),
      expectedBy: dueOn ?? null,
      bankedOn: money?.bank?.bookedOn ?? null,
      creditId: money?.bank?.creditId ?? null,
      returnedOn: money?.returnedOn ?? null,
      refundedMillimes: totalJson(money?.refunded ?? 0n),
      breakIds: money?.breaks.map((each) => each.id) ?? [],
    },
  };
}

/** A field that only an attempt has. It is there so that one program reads every payment. */
const absent = z.null();

const foundFields = {
  trackingId: idValue.nullable().meta({ description: 'The QR code that it paid.' }),
  subscriptionTrackingId: idValue.nullable().meta({ description: 'The subscription to which it belongs.' }),
  kind: z.enum(['agent', 'subscription', 'qr']),
  reference: outsideIdField.nullable(),
  isLive: absent,
  agentId: outsideIdField.nullable(),
  amountMillimes: millimesValue,
  ourShareMillimes: millimesValue,
  isTest: absent,
  requestState: absent,
  requestError: absent,
  requestedAt: absent,
  sentAt: absent,
  gatewayId: z.string().nullable(),
  link: absent,
  sessionEndsAt: absent,
  status: gatewayWord,
  settlementStatus: absent,
  method: gatewayWord,
  capturedMillimes: absent,
  succeededAfter: absent,
  succeededUntil: instantValue.nullable(),
  itemId: z.string().nullable(),
  nextLookAt: absent,
  nudgedAt: absent,
  lastLookAt: absent,
  looks: absent,
  failedLooks: absent,
  lastLookError: absent,
  recordedBy: absent,
};

/** Returns a payment that is no attempt in the shape of one. */
export function foundPaymentJson(row: FoundPayment): z.input<z.ZodObject<typeof foundFields>> {
  return {
    trackingId: row.source === 'qr_payment' ? (row.trackingId ?? null) : null,
    subscriptionTrackingId: row.source === 'charge' ? (row.trackingId ?? null) : null,
    kind: foundKind(row),
    reference: row.reference ?? null,
    isLive: null,
    agentId: row.agentId ?? null,
    amountMillimes: row.amount,
    ourShareMillimes: row.amount,
    isTest: null,
    requestState: null,
    requestError: null,
    requestedAt: null,
    sentAt: null,
    gatewayId: foundGatewayId(row) ?? null,
    link: null,
    sessionEndsAt: null,
    status: row.status ?? null,
    settlementStatus: null,
    method: row.channel ?? null,
    capturedMillimes: null,
    succeededAfter: null,
    succeededUntil: instantJson(row.money?.confirmedAt),
    itemId: row.itemId ?? null,
    nextLookAt: null,
    nudgedAt: null,
    lastLookAt: null,
    looks: null,
    failedLooks: null,
    lastLookError: null,
    recordedBy: null,
  };
}

/** Returns the kind of a payment that is no attempt. */
export function foundKind({ source }: FoundPayment): 'agent' | 'subscription' | 'qr' {
  if (source === 'confirm') return 'agent';
  return source === 'charge' ? 'subscription' : 'qr';
}

/** Returns the gateway's id of a payment that is no attempt; a confirm has none. */
export function foundGatewayId({ source, id }: FoundPayment): string | undefined {
  return source === 'confirm' ? undefined : id;
}

const attemptRow = { ...attemptFields, source: z.literal('attempt'), ...placeFields };
const foundRow = { ...foundFields, source: z.enum(['confirm', 'charge', 'qr_payment']), ...placeFields };

/** A payment of any channel: an attempt, a confirm, a charge, or a payment of a QR code. */
export const listedPaymentValue = z
  .discriminatedUnion('source', [
    z.strictObject(attemptRow).meta({ id: 'ListedAttempt' }),
    z.strictObject(foundRow).meta({ id: 'ListedReceipt' }),
  ])
  .meta({ id: 'ListedPayment' });

/** Returns a payment of any channel as JSON; `attempt` is that of a row that is one. */
export function listedPaymentJson(
  row: PlacedPayment,
  attempt: Payment | undefined,
): z.input<typeof listedPaymentValue> {
  const { source } = row;
  if (source !== 'attempt') return { ...foundPaymentJson(row), ...placeJson(row), source };
  assert(attempt !== undefined, 'an attempt that is listed is stored');
  return { ...paymentJson(attempt), ...placeJson(row), source };
}

const detailFields = { observations: z.array(observationValue), operations: z.array(operationValue) };

/** A payment of any channel, and what the gateway said about an attempt. */
export const shownPaymentValue = z
  .discriminatedUnion('source', [
    z
      .strictObject({
        ...attemptRow,
        progress: progressValue,
        terms: z.record(z.string(), z.unknown()).meta({ description: 'What Millime asked the gateway for.' }),
        ...detailFields,
      })
      .meta({ id: 'ShownAttempt' }),
    z.strictObject({ ...foundRow, progress: absent, terms: absent, ...detailFields }).meta({ id: 'ShownReceipt' }),
  ])
  .meta({ id: 'ShownPayment' });

/** Returns a payment of any channel with the details of an attempt as JSON. The customer of a wallet stays unnamed. */
export function shownPaymentJson(
  row: PlacedPayment,
  attempt: (PaymentDetails & { readonly progress: PaymentProgress }) | undefined,
): z.input<typeof shownPaymentValue> {
  const { source } = row;
  if (source !== 'attempt') {
    const none = { progress: null, terms: null, observations: [], operations: [] };
    return { ...foundPaymentJson(row), ...placeJson(row), source, ...none };
  }
  assert(attempt !== undefined, 'an attempt that is shown is stored');
  const { phoneNumber: _phoneNumber, trackingId: _walletId, ...terms } = attempt.payment.terms;
  return {
    ...paymentJson(attempt.payment),
    ...placeJson(row),
    source,
    progress: progressJson(attempt.progress),
    terms,
    observations: attempt.observations.map(observationJson),
    operations: attempt.operations.map(operationJson),
  };
}
