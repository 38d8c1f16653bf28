import { ownValue, type BusinessCalendar, type BusinessDate, type Millimes } from '../../kernel';
import { decodeTime } from '../codec/gateway-time';
import { readCount, readDate, readId, readMillimes, readNullable, readText, type WebhookBody } from './body-fields';

/**
 * A subscription event (interface section 6.4). Events come in any order and `created` may tie (open point 117): Get
 * Subscription says what the state is. Words the gateway may add to are kept as they came.
 */
export interface SubscriptionEvent {
  /** `subscription.activated` and the others of section 6.4, or a name that we do not know. */
  readonly event: string;
  readonly eventId: string;
  /** ISO 8601 in UTC. */
  readonly created: string;
  /** The gateway wrote `created` without an offset (open point 3). */
  readonly createdAssumedOffset: boolean;
  readonly subscriptionId: string;
  /** Null for an event that is not about a charge, such as `subscription.updated`. */
  readonly paymentId: string | null;
  /** The status of the subscription after the event. */
  readonly status: string;
  readonly developerTrackingId: string;
  readonly amountMillimes: Millimes;
  readonly currency: string;
  readonly periodStart: BusinessDate | null;
  /** Exclusive. */
  readonly periodEnd: BusinessDate | null;
  /** 0 for the first attempt of a period, higher for retries. */
  readonly attempt: number | null;
  /** `service`, `card`, or a name that we do not know. */
  readonly paymentMethod: string;
  /** The event id: unchanged on a retry. */
  readonly dedupeKey: string;
  /** The decoded body. */
  readonly raw: WebhookBody;
}

/** Undefined when the body lacks what section 6.4 requires, or holds it in another type. */
export function decodeSubscriptionEvent(body: WebhookBody, calendar: BusinessCalendar): SubscriptionEvent | undefined {
  const event = readId(body, 'event');
  const eventId = readId(body, 'event_id');
  const created = decodeTime(ownValue(body, 'created'), calendar);
  const subscriptionId = readId(body, 'subscription_id');
  if (event === undefined || eventId === undefined || created === undefined || subscriptionId === undefined) {
    return undefined;
  }
  const terms = decodeTerms(body);
  const charge = decodeCharge(body);
  if (terms === undefined || charge === undefined) return undefined;
  return {
    event,
    eventId,
    created: created.text,
    createdAssumedOffset: created.assumedOffset,
    subscriptionId,
    ...terms,
    ...charge,
    dedupeKey: eventId,
    raw: body,
  };
}

type Terms = Pick<
  SubscriptionEvent,
  'status' | 'developerTrackingId' | 'amountMillimes' | 'currency' | 'paymentMethod'
>;

function decodeTerms(body: WebhookBody): Terms | undefined {
  const status = readText(body, 'status');
  const developerTrackingId = readText(body, 'developer_tracking_id');
  const amountMillimes = readMillimes(body, 'amount');
  const currency = readText(body, 'currency');
  const paymentMethod = readText(body, 'payment_method');
  if (status === undefined || developerTrackingId === undefined || amountMillimes === undefined) return undefined;
  if (currency === undefined || paymentMethod === undefined) return undefined;
  return { status, developerTrackingId, amountMillimes, currency, paymentMethod };
}

type Charge = Pick<SubscriptionEvent, 'paymentId' | 'periodStart' | 'periodEnd' | 'attempt'>;

function decodeCharge(body: WebhookBody): Charge | undefined {
  const paymentId = readNullable(readId, body, 'payment_id');
  const periodStart = readNullable(readDate, body, 'period_start');
  const periodEnd = readNullable(readDate, body, 'period_end');
  const attempt = readNullable(readCount, body, 'attempt');
  if (paymentId === undefined || attempt === undefined) return undefined;
  if (periodStart === undefined || periodEnd === undefined) return undefined;
  return { paymentId, periodStart, periodEnd, attempt };
}
