import { z } from 'zod';
import { formatInstant, type Instant } from '../kernel';
import type { CreateOutcome, Payment } from '../payments';
import { statusCheckFields, statusChecksJson } from './status-checks';
import { idValue, instantJson, instantValue, millimesValue, outsideIdField } from './values';

// The closed lists repeat those of the rooms, because a command that uses shapes must not load the gateway's client. The
// mappers do not compile if a word is missing.

const REQUEST_STATES = ['requested', 'sending', 'made', 'refused', 'unknown', 'abandoned'] as const;
const PAYMENT_KINDS = ['standard', 'binding', 'preauthorization', 'split', 'pos', 'qr', 'wallet'] as const;

/** A word of the gateway. */
export const gatewayWord = z
  .string()
  .nullable()
  .meta({ description: "The gateway's word; null until it reports one." });
const linkValue = z.string().nullable().meta({ description: 'Where the customer pays, or the content of a QR code.' });

/** The fields of an attempt to collect money. */
export const attemptFields = {
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
  ...statusCheckFields,
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
    ...statusChecksJson(payment),
    recordedBy: payment.recordedBy,
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

/** The numbers of requests that a plan file added to the queue, and of those that were known. */
export const planValue = z
  .strictObject({ added: z.int(), unchanged: z.int(), dryRun: z.boolean() })
  .meta({ id: 'ImportedPlan' });
