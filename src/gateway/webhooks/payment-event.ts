import type { BusinessCalendar, Millimes } from '../../kernel';
import { readId, readMillimes, readNullable, readText, type WebhookBody } from './body-fields';
import { type EventFields, type OrNull, readOrigin } from './event-origin';
import { type PaymentQuery, percentDecode } from './payment-query';
import { rejected, type WebhookRejection } from './webhook-rejection';

/** A payment webhook of version 1 (interface section 6.2). Only Verify Payment reports the payment's real state. */
export interface PaymentQueryEvent {
  /** Percent-decoded; a `+` stays a `+`. */
  readonly paymentId: string;
  readonly success: boolean;
  /** Equal for deliveries of the same event; a failure and a later success are two events (open point 109). */
  readonly dedupeKey: string;
  /** The two values exactly as they were sent. */
  readonly raw: { readonly payment_id: string; readonly success: string };
}

/**
 * A payment webhook of version 2 (interface section 6.3). Currency and payment method keep the gateway's words, which
 * it may extend. The receiver checks whether they fit the payment.
 */
export type PaymentEvent = KnownPaymentEvent | UnknownPaymentEvent;

/** An event of section 6.3 with all required fields. */
export interface KnownPaymentEvent extends EventFields {
  readonly isKnown: true;
  readonly event: (typeof KNOWN_EVENTS)[number];
  /** ISO 8601 in UTC. */
  readonly created: string;
  readonly paymentId: string;
  readonly developerTrackingId: string | null;
  readonly amountMillimes: Millimes;
  readonly currency: string;
  /** `card`, `service`, `mpayment`, `NA`, or a name that this release does not know. */
  readonly paymentMethod: string;
}

/**
 * An authentic event with an unknown name (open point 112). Store it and never act on it, because its meaning is
 * unknown. Missing and unreadable fields are null; `raw` contains all of them.
 */
export interface UnknownPaymentEvent extends EventFields, OrNull<Pick<KnownPaymentEvent, 'created' | Field>> {
  readonly isKnown: false;
  readonly event: string;
}

const KNOWN_EVENTS = ['payment.succeeded', 'payment.failed'] as const;

/** Reads a webhook of version 1. The caller has checked the signature. */
export function decodePaymentQueryEvent(query: PaymentQuery): PaymentQueryEvent | WebhookRejection {
  const paymentId = percentDecode(query.paymentId);
  if (paymentId === undefined) return rejected('bad_payment_id');
  const success = percentDecode(query.success)?.toLowerCase();
  if (success !== 'true' && success !== 'false') return rejected('bad_success');
  return {
    paymentId,
    success: success === 'true',
    dedupeKey: `v1:${paymentId}:${success}`,
    raw: { payment_id: query.paymentId, success: query.success },
  };
}

/**
 * Reads a webhook of version 2. Returns undefined when a field that section 6.3 requires is missing or has another
 * type. An unknown event requires only the name and the event id.
 */
export function decodePaymentEvent(body: WebhookBody, calendar: BusinessCalendar): PaymentEvent | undefined {
  const origin = readOrigin(body, calendar);
  if (origin === undefined) return undefined;
  const { event, created, fields: common } = origin;
  const known = KNOWN_EVENTS.find((name) => name === event);
  if (known === undefined) {
    return { ...common, isKnown: false, event, created: created ?? null, ...readableFields(body) };
  }
  const fields = requiredFields(body);
  if (created === undefined || fields === undefined) return undefined;
  return { ...common, isKnown: true, event: known, created, ...fields };
}

type Field = 'paymentId' | 'developerTrackingId' | 'amountMillimes' | 'currency' | 'paymentMethod';

function requiredFields(body: WebhookBody): Pick<KnownPaymentEvent, Field> | undefined {
  const paymentId = readId(body, 'payment_id');
  const developerTrackingId = readNullable(readText, body, 'developer_tracking_id');
  const amountMillimes = readMillimes(body, 'amount');
  const currency = readText(body, 'currency');
  const paymentMethod = readText(body, 'payment_method');
  if (paymentId === undefined || developerTrackingId === undefined || amountMillimes === undefined) return undefined;
  if (currency === undefined || paymentMethod === undefined) return undefined;
  return { paymentId, developerTrackingId, amountMillimes, currency, paymentMethod };
}

function readableFields(body: WebhookBody): OrNull<Pick<KnownPaymentEvent, Field>> {
  return {
    paymentId: readId(body, 'payment_id') ?? null,
    developerTrackingId: readText(body, 'developer_tracking_id') ?? null,
    amountMillimes: readMillimes(body, 'amount') ?? null,
    currency: readText(body, 'currency') ?? null,
    paymentMethod: readText(body, 'payment_method') ?? null,
  };
}
