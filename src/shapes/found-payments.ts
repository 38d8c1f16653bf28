import { z } from 'zod';
import { assert } from '../kernel';
import type { Payment, PaymentDetails, PaymentProgress } from '../payments';
import type { FoundPayment, PlacedPayment } from '../reporting';
import { operationJson, operationValue } from './payment-operations';
import { observationJson, observationValue, progressJson, progressValue } from './payment-progress';
import { attemptFields, gatewayWord, paymentJson } from './payments';
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
