import {
  paymentQueryContent,
  signWebhook,
  SIGNATURE_HEADER,
  verifyPaymentWebhook,
  verifySubscriptionWebhook,
  type PaymentWebhook,
  type SubscriptionWebhook,
  type WebhookRejection,
  type WebhookRequest,
} from '../gateway';
import { assert, isOutsideId, parseInstant, type Instant, type Millimes } from '../kernel';
import { readPartialWebhook } from './read-partial-webhook';
import type { IncomingWebhook, WebhookFamily } from './webhooks';

const SECOND_MS = 1_000;

export type SignedFamily = Exclude<WebhookFamily, 'hint'>;

/** What a signed webhook says, whichever of the three forms it has. Ids that no column could hold are left out. */
export interface WebhookFacts {
  readonly family: SignedFamily;
  /** False for an event of a name that we do not know: it is kept and never acted on (open point 112). */
  readonly isKnown: boolean;
  /** The fields that are missing or cannot be read, as the interface names them; then only the ids are believed. */
  readonly unreadable: readonly string[];
  readonly event: string;
  /** Equal for deliveries of the same event, inside its family. */
  readonly dedupeKey: string;
  readonly paymentId: string | undefined;
  readonly subscriptionId: string | undefined;
  readonly trackingId: string | undefined;
  readonly succeeded: boolean;
  readonly occurredAt: Instant | undefined;
  readonly amount: Millimes | undefined;
  readonly currency: string | undefined;
  /** The bytes to keep: the body, or of version 1 the query in one way of writing it. */
  readonly content: Buffer;
}

export type Reading =
  | {
      readonly kind: 'authentic' | 'stale';
      readonly signedAt: Instant;
      readonly facts: WebhookFacts;
    }
  /** `unreadable`: of a correctly signed object without so much as an event id. */
  | (WebhookRejection & { readonly unreadable?: readonly string[] });

export interface ReadingTerms {
  /** The accepted private keys, current first. */
  readonly keys: readonly string[];
  readonly now: Instant;
  readonly timeZone: string;
}

/**
 * Proves a request, and reads it (interface section 6). A body of which a field cannot be read is read as far as it can
 * be, when it has an event id: the gateway did sign it. Pure.
 */
export function readWebhook(incoming: IncomingWebhook, { keys, now, timeZone }: ReadingTerms): Reading {
  const { method, target, headers, rawBody } = incoming;
  const request: WebhookRequest = { method, target, headers, rawBody, keys, now: now / SECOND_MS, timeZone };
  const webhook = incoming.family === 'payment' ? verifyPaymentWebhook(request) : verifySubscriptionWebhook(request);
  if (webhook.kind !== 'rejected') return readingOf(webhook, factsOf(webhook, rawBody));
  const despite = webhook.reason === 'bad_body' ? readPartialWebhook(incoming.family, request) : undefined;
  if (despite === undefined) return webhook;
  const { unreadable, event } = despite;
  if (unreadable.includes('event_id')) return { ...webhook, unreadable };
  const facts = factsOf(despite.webhook, rawBody);
  return readingOf(despite.webhook, { ...facts, event, isKnown: true, unreadable });
}

function readingOf({ kind, timestampSecs }: SignedWebhook, facts: WebhookFacts): Reading {
  return { kind, signedAt: timestampSecs * SECOND_MS, facts };
}

/**
 * Reads what was kept of a webhook that was proven when it came. It is signed with our own key once more, so that what
 * is kept is read by the same reader as what comes.
 */
export function readKept(family: SignedFamily, content: Buffer, { keys, now, timeZone }: ReadingTerms): WebhookFacts {
  const [key] = keys;
  assert(key !== undefined, 'webhooks are worked off only where there is a key');
  const signature = signWebhook({ key, timestampSecs: Math.floor(now / SECOND_MS), content });
  const isQuery = family === 'payment_v1';
  const reading = readWebhook(
    {
      family: family === 'subscription' ? 'subscription' : 'payment',
      method: isQuery ? 'GET' : 'POST',
      target: isQuery ? `/?${content.toString('utf8')}` : '/',
      headers: { [SIGNATURE_HEADER]: signature },
      rawBody: isQuery ? undefined : content,
    },
    { keys: [key], now, timeZone },
  );
  assert(reading.kind !== 'rejected', 'what was read when it came can be read again');
  return reading.facts;
}

type SignedWebhook = Exclude<PaymentWebhook | SubscriptionWebhook, WebhookRejection>;

function factsOf(webhook: SignedWebhook, rawBody: Uint8Array | undefined): WebhookFacts {
  if (webhook.version === 1) {
    const { paymentId, success, dedupeKey } = webhook.event;
    return {
      family: 'payment_v1',
      isKnown: true,
      unreadable: [],
      event: success ? 'payment.succeeded' : 'payment.failed',
      dedupeKey,
      paymentId: usable(paymentId),
      subscriptionId: undefined,
      trackingId: undefined,
      succeeded: success,
      occurredAt: undefined,
      amount: undefined,
      currency: undefined,
      // `True` and `true`, `%2f` and `%2F` are one message: what is kept of them must be equal, too.
      content: Buffer.from(
        paymentQueryContent({ paymentId: encodeURIComponent(paymentId), success: String(success) }),
        'utf8',
      ),
    };
  }
  const { event } = webhook;
  return {
    family: webhook.version === 2 ? 'payment_v2' : 'subscription',
    isKnown: event.isKnown,
    unreadable: [],
    event: event.event,
    dedupeKey: event.dedupeKey,
    paymentId: usable(event.paymentId),
    subscriptionId: 'subscriptionId' in event ? usable(event.subscriptionId) : undefined,
    trackingId: usable(event.developerTrackingId),
    succeeded: event.event === 'payment.succeeded',
    occurredAt: event.created === null ? undefined : parseInstant(event.created),
    amount: event.amountMillimes ?? undefined,
    currency: event.currency ?? undefined,
    content: Buffer.from(rawBody ?? []),
  };
}

/**
 * The column would take a shorter text, or one with a space at its end, for another one; and we never made such an id.
 */
function usable(id: string | null): string | undefined {
  return isOutsideId(id) ? id : undefined;
}
