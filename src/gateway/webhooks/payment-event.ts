import type { BusinessCalendar, Millimes } from '../../kernel';
import { readId, readMillimes, readNullable, readText, type WebhookBody } from './body-fields';
import { readOrigin } from './event-origin';
import { type PaymentQuery, percentDecode } from './payment-query';
import { rejected, type WebhookRejection } from './webhook-rejection';

/** A payment webhook of version 1 (interface section 6.2). Only Verify Payment says what became of the payment. */
export interface PaymentQueryEvent {
  /** Percent-decoded; a `+` stays a `+`. */
  readonly paymentId: string;
  readonly success: boolean;
  /** Equal for deliveries of the same event; a failure and a later success are two (open point 109). */
  readonly dedupeKey: string;
  /** The two values exactly as they were sent. */
  readonly raw: { readonly payment_id: string; readonly success: string };
}

/**
 * A payment webhook of version 2 (interface section 6.3). Words the gateway may add to (currency, payment method) are
 * kept as they came: whether they fit the payment is for the receiver, who knows it.
 */
export type PaymentEvent = KnownPaymentEvent | UnknownPaymentEvent;

/** An event of section 6.3, with all that the interface requires of it. */
export interface KnownPaymentEvent {
  readonly isKnown: true;
  readonly event: (typeof KNOWN_EVENTS)[number];
  readonly eventId: string;
  /** ISO 8601 in UTC. */
  readonly created: string;
  /** The gateway wrote `created` without an offset (open point 3). */
  readonly createdAssumedOffset: boolean;
  readonly paymentId: string;
  readonly developerTrackingId: string | null;
  readonly amountMillimes: Millimes;
  readonly currency: string;
  /** `card`, `service`, `mpayment`, `NA`, or a name that we do not know. */
  readonly paymentMethod: string;
  /** The event id: unchanged on a retry. */
  readonly dedupeKey: string;
  /** The decoded body. */
  readonly raw: WebhookBody;
}

/**
 * An authentic event with an unknown name (open point 112). Store it and never act on it: its meaning is unknown. A field
 * that is missing or unreadable is null; `raw` has all of it.
 */
export interface UnknownPaymentEvent {
  readonly isKnown: false;
  readonly event: string;
  readonly eventId: string;
  readonly created: string | null;
  readonly createdAssumedOffset: boolean;
  readonly paymentId: string | null;
  readonly developerTrackingId: string | null;
  readonly amountMillimes: Millimes | null;
  readonly currency: string | null;
  readonly paymentMethod: string | null;
  readonly dedupeKey: string;
  readonly raw: WebhookBody;
}

const KNOWN_EVENTS = ['payment.succeeded', 'payment.failed'] as const;

/** Reads version 1 after its signature was found good. */
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
 * Reads version 2. Undefined when it lacks what section 6.3 requires of its event, or holds it in another type; of an
 * unknown event only the name and the event id are required.
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

function readableFields(body: WebhookBody): Pick<UnknownPaymentEvent, Field> {
  return {
    paymentId: readId(body, 'payment_id') ?? null,
    developerTrackingId: readText(body, 'developer_tracking_id') ?? null,
    amountMillimes: readMillimes(body, 'amount') ?? null,
    currency: readText(body, 'currency') ?? null,
    paymentMethod: readText(body, 'payment_method') ?? null,
  };
}
