import { ownValue, type BusinessCalendar, type Millimes } from '../../kernel';
import { decodeTime } from '../codec/gateway-time';
import { readId, readMillimes, readNullable, readText, type WebhookBody } from './body-fields';
import { percentDecode, type PaymentQuery } from './payment-query';
import { rejected, type WebhookRejection } from './webhook-rejection';

/** A payment webhook of version 1 (interface section 6.2). Only Verify Payment says what became of the payment. */
export interface PaymentQueryEvent {
  /** Percent-decoded; a `+` stays a `+`. */
  readonly paymentId: string;
  readonly success: boolean;
  /** Equal for deliveries of the same news; a failure and a later success are two (open point 109). */
  readonly dedupeKey: string;
  /** The two values exactly as they were sent. */
  readonly raw: { readonly payment_id: string; readonly success: string };
}

/**
 * A payment webhook of version 2 (interface section 6.3). Words the gateway may add to (event, currency, payment method)
 * are kept as they came: whether they fit the payment is for the receiver, who knows it.
 */
export interface PaymentEvent {
  /** `payment.succeeded`, `payment.failed`, or a name that we do not know. */
  readonly event: string;
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

/** Reads version 2. Undefined when it lacks what section 6.3 requires, or holds it in another type. */
export function decodePaymentEvent(body: WebhookBody, calendar: BusinessCalendar): PaymentEvent | undefined {
  const event = readId(body, 'event');
  const eventId = readId(body, 'event_id');
  const created = decodeTime(ownValue(body, 'created'), calendar);
  const paymentId = readId(body, 'payment_id');
  if (event === undefined || eventId === undefined || created === undefined || paymentId === undefined) {
    return undefined;
  }
  const developerTrackingId = readNullable(readText, body, 'developer_tracking_id');
  const amountMillimes = readMillimes(body, 'amount');
  const currency = readText(body, 'currency');
  const paymentMethod = readText(body, 'payment_method');
  if (developerTrackingId === undefined || amountMillimes === undefined) return undefined;
  if (currency === undefined || paymentMethod === undefined) return undefined;
  return {
    event,
    eventId,
    created: created.text,
    createdAssumedOffset: created.assumedOffset,
    paymentId,
    developerTrackingId,
    amountMillimes,
    currency,
    paymentMethod,
    dedupeKey: eventId,
    raw: body,
  };
}
