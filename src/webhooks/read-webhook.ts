import { paymentQueryContent, type WebhookRejection, type WebhookRequest } from '../gateway';
import { type Instant, isOutsideId, parseInstant, SECOND_MS } from '../kernel';
import { readPartialWebhook, type SignedWebhook, verifyWebhook } from './read-partial-webhook';
import type { WebhookFacts } from './webhook-facts';
import type { IncomingWebhook, WebhookFamily } from './webhooks';

export type SignedFamily = Exclude<WebhookFamily, 'hint'>;

/** A verified and decoded webhook. */
export interface VerifiedWebhook {
  readonly family: SignedFamily;
  readonly event: string;
  /** Equal for deliveries of the same event, inside its family. */
  readonly dedupeKey: string;
  readonly facts: WebhookFacts;
  /** The bytes to store: the body, or for version 1 the normalized query. */
  readonly content: Buffer;
}

export type Reading =
  | {
      readonly kind: 'authentic' | 'stale';
      readonly signedAt: Instant;
      readonly webhook: VerifiedWebhook;
    }
  /** `unreadable`: the unreadable fields of a signed object, if its event id is among them. */
  | (WebhookRejection & { readonly unreadable?: readonly string[] });

export interface ReadingTerms {
  /** The accepted private keys, current first. */
  readonly keys: readonly string[];
  readonly now: Instant;
  readonly timeZone: string;
}

/**
 * Verifies and reads a request (interface section 6). If a field of a signed body is unreadable, the rest is still
 * read, provided that the body has an event id. Pure.
 */
export function readWebhook(incoming: IncomingWebhook, { keys, now, timeZone }: ReadingTerms): Reading {
  const { method, target, headers, rawBody } = incoming;
  const request: WebhookRequest = { method, target, headers, rawBody, keys, now: now / SECOND_MS, timeZone };
  const signed = verifyWebhook(incoming.family, request);
  if (signed.kind !== 'rejected') return readingOf(signed, verified(signed, rawBody));
  const partial = signed.reason === 'bad_body' ? readPartialWebhook(incoming.family, request) : undefined;
  if (partial === undefined) return signed;
  const { unreadable, event } = partial;
  if (unreadable.includes('event_id')) return { ...signed, unreadable };
  const webhook = verified(partial.webhook, rawBody);
  const facts = { ...webhook.facts, isKnown: true, unreadable };
  return readingOf(partial.webhook, { ...webhook, event, facts });
}

function readingOf({ kind, timestampSecs }: SignedWebhook, webhook: VerifiedWebhook): Reading {
  return { kind, signedAt: timestampSecs * SECOND_MS, webhook };
}

function verified(webhook: SignedWebhook, rawBody: Uint8Array | undefined): VerifiedWebhook {
  if (webhook.version === 1) {
    const { paymentId, success, dedupeKey } = webhook.event;
    return {
      family: 'payment_v1',
      event: success ? 'payment.succeeded' : 'payment.failed',
      dedupeKey,
      facts: {
        isKnown: true,
        unreadable: [],
        paymentId: usable(paymentId),
        subscriptionId: undefined,
        trackingId: undefined,
        succeeded: success,
        occurredAt: undefined,
        amount: undefined,
        currency: undefined,
      },
      // `True` and `true`, `%2f` and `%2F` are one message, so their stored bytes must be equal too.
      content: Buffer.from(
        paymentQueryContent({ paymentId: encodeURIComponent(paymentId), success: String(success) }),
        'utf8',
      ),
    };
  }
  const { event } = webhook;
  return {
    family: webhook.version === 2 ? 'payment_v2' : 'subscription',
    event: event.event,
    dedupeKey: event.dedupeKey,
    facts: {
      isKnown: event.isKnown,
      unreadable: [],
      paymentId: usable(event.paymentId),
      subscriptionId: 'subscriptionId' in event ? usable(event.subscriptionId) : undefined,
      trackingId: usable(event.developerTrackingId),
      succeeded: event.event === 'payment.succeeded',
      occurredAt: event.created === null ? undefined : parseInstant(event.created),
      amount: event.amountMillimes ?? undefined,
      currency: event.currency ?? undefined,
    },
    content: Buffer.from(rawBody ?? []),
  };
}

/**
 * Returns an id that Millime can store. A column would truncate a longer id, or ignore a space at its end; Millime
 * never issues such an id.
 */
function usable(id: string | null): string | undefined {
  return isOutsideId(id) ? id : undefined;
}
