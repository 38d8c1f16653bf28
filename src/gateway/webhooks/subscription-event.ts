import type { BusinessCalendar, BusinessDate, Millimes } from '../../kernel';
import { readCount, readDate, readId, readMillimes, readNullable, readText, type WebhookBody } from './body-fields';
import { type EventFields, type OrNull, readOrigin } from './event-origin';

/**
 * A subscription event (interface section 6.4). Events arrive in any order and may have the same `created` (open point
 * 117), so only Get Subscription reports the current state. Enumerations keep the gateway's words, which it may extend.
 */
export type SubscriptionEvent = KnownSubscriptionEvent | UnknownSubscriptionEvent;

/** An event of section 6.4 with all required fields. */
export interface KnownSubscriptionEvent extends EventFields {
  readonly isKnown: true;
  readonly event: (typeof KNOWN_EVENTS)[number];
  /** ISO 8601 in UTC. */
  readonly created: string;
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
  /** `service`, `card`, or a name that this release does not know; null if the event concerns no payment. */
  readonly paymentMethod: string | null;
}

/**
 * An authentic event with an unknown name (open point 112). Store it and never act on it, because its meaning is
 * unknown. Missing and unreadable fields are null; `raw` contains all of them.
 */
export interface UnknownSubscriptionEvent
  extends EventFields, OrNull<Pick<KnownSubscriptionEvent, 'created' | Term | ChargeField>> {
  readonly isKnown: false;
  readonly event: string;
}

const KNOWN_EVENTS = [
  'subscription.activated',
  'subscription.incomplete_expired',
  'subscription.charge.succeeded',
  'subscription.charge.failed',
  'subscription.past_due',
  'subscription.reactivated',
  'subscription.unpaid',
  'subscription.canceled',
  'subscription.completed',
  'subscription.updated',
] as const;

/**
 * Reads an event. Returns undefined when a field that section 6.4 requires is missing or has another type. An unknown
 * event requires only the name and the event id.
 */
export function decodeSubscriptionEvent(body: WebhookBody, calendar: BusinessCalendar): SubscriptionEvent | undefined {
  const origin = readOrigin(body, calendar);
  if (origin === undefined) return undefined;
  const { event, created, fields: common } = origin;
  const known = KNOWN_EVENTS.find((name) => name === event);
  if (known === undefined) {
    return { ...common, isKnown: false, event, created: created ?? null, ...readableFields(body) };
  }
  const terms = requiredTerms(body);
  const charge = chargeOf(body);
  if (created === undefined || terms === undefined || charge === undefined) return undefined;
  return { ...common, isKnown: true, event: known, created, ...terms, ...charge };
}

type Term = 'subscriptionId' | 'status' | 'developerTrackingId' | 'amountMillimes' | 'currency';
type ChargeField = 'paymentId' | 'periodStart' | 'periodEnd' | 'attempt' | 'paymentMethod';

function requiredTerms(body: WebhookBody): Pick<KnownSubscriptionEvent, Term> | undefined {
  const subscriptionId = readId(body, 'subscription_id');
  const status = readText(body, 'status');
  const developerTrackingId = readText(body, 'developer_tracking_id');
  const amountMillimes = readMillimes(body, 'amount');
  const currency = readText(body, 'currency');
  if (subscriptionId === undefined || status === undefined || developerTrackingId === undefined) return undefined;
  if (amountMillimes === undefined || currency === undefined) return undefined;
  return { subscriptionId, status, developerTrackingId, amountMillimes, currency };
}

/**
 * Reads the fields that are null when an event concerns no charge. The gateway then omits the payment method as well.
 */
function chargeOf(body: WebhookBody): Pick<KnownSubscriptionEvent, ChargeField> | undefined {
  const paymentId = readNullable(readId, body, 'payment_id');
  const periodStart = readNullable(readDate, body, 'period_start');
  const periodEnd = readNullable(readDate, body, 'period_end');
  const attempt = readNullable(readCount, body, 'attempt');
  const paymentMethod = readNullable(readText, body, 'payment_method');
  if (paymentId === undefined || attempt === undefined || paymentMethod === undefined) return undefined;
  if (periodStart === undefined || periodEnd === undefined) return undefined;
  return { paymentId, periodStart, periodEnd, attempt, paymentMethod };
}

function readableFields(body: WebhookBody): OrNull<Pick<KnownSubscriptionEvent, Term | ChargeField>> {
  return {
    subscriptionId: readId(body, 'subscription_id') ?? null,
    paymentId: readId(body, 'payment_id') ?? null,
    status: readText(body, 'status') ?? null,
    developerTrackingId: readText(body, 'developer_tracking_id') ?? null,
    amountMillimes: readMillimes(body, 'amount') ?? null,
    currency: readText(body, 'currency') ?? null,
    periodStart: readDate(body, 'period_start') ?? null,
    periodEnd: readDate(body, 'period_end') ?? null,
    attempt: readCount(body, 'attempt') ?? null,
    paymentMethod: readText(body, 'payment_method') ?? null,
  };
}
