import type { Database } from '../db';
import { EVENT_HEADER } from '../gateway';
import { RateCounter } from '../http';
import { type Clock, monotonicClock, SECOND_MS } from '../kernel';
import type { Logger } from '../logging';
import { type Kept, openInbox } from './inbox-store';
import { type Reading, readWebhook, type VerifiedWebhook } from './read-webhook';
import type { IncomingWebhook, ReceiveOutcome } from './webhooks';

/** The gateway waits "a few seconds" (interface section 6.1), and then sends the webhook again. */
export const KEEP_DEADLINE_MS = 3 * SECOND_MS;

/** How many refusals per minute are logged one by one; limited because any caller can cause one. */
export const REFUSALS_LOGGED_PER_MINUTE_MAX = 30;

export interface ReceiveDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly keys: readonly string[] | undefined;
  readonly timeZone: string;
}

/**
 * Creates the receiver of signed webhooks. It verifies a request and stores it in one transaction. It does not process
 * it, because processing may take longer than the gateway waits.
 *
 * @throws AppError `unavailable` and others when it could not be stored: the gateway must send it again.
 */
export function webhookReceiver(
  deps: ReceiveDeps,
  monotonic: Clock = monotonicClock,
): (incoming: IncomingWebhook) => Promise<ReceiveOutcome> {
  const { clock, logger, keys = [], timeZone } = deps;
  const refusals = new RateCounter(monotonic);
  return async (incoming) => {
    const reading = readWebhook(incoming, { keys, now: clock.now(), timeZone });
    if (reading.kind === 'rejected') {
      const { kind, reason } = reading;
      logRefusal(logger, refusals, reason);
      return { kind, reason };
    }
    logEventHeader(logger, incoming, reading.webhook);
    const kept = await storeWebhook(deps, reading);
    logKept(deps, reading, kept);
    return { kind: reading.kind === 'stale' ? 'stale' : kept };
  };
}

type SignedReading = Exclude<Reading, { kind: 'rejected' }>;

async function storeWebhook(
  { database, clock }: ReceiveDeps,
  { kind, webhook, signedAt }: SignedReading,
): Promise<Kept> {
  const { family, event, facts, content } = webhook;
  const { paymentId, subscriptionId, trackingId } = facts;
  // A stale webhook has a different key, so that it does not block the same webhook with a fresh signature.
  const dedupeKey = `${kind === 'stale' ? 'stale:' : ''}${family}:${webhook.dedupeKey}`;
  const signed = { family, proof: kind, event, dedupeKey, content, facts, signedAt };
  const ids = { paymentId, subscriptionId, trackingId };
  return database.transact(
    (session) => openInbox(session).keep({ ...signed, ...ids, receivedAt: clock.now() }),
    // A second run finds the entry of the first, or of a concurrent delivery of the same event.
    { retryDuplicate: true, retryUnknownOutcome: true, deadlineMs: KEEP_DEADLINE_MS },
  );
}

function logRefusal(logger: Logger, refusals: RateCounter, reason: string): void {
  const { inWindow, inLastWindow } = refusals.count('refused');
  if (inWindow > REFUSALS_LOGGED_PER_MINUTE_MAX) return;
  const isLast = inWindow === REFUSALS_LOGGED_PER_MINUTE_MAX;
  logger.warn(isLast ? 'webhook refused; further ones of this minute are not logged' : 'webhook refused', {
    event: 'webhooks.rejected',
    reason,
    refusedInLastMinute: inLastWindow,
  });
}

/** Logs a difference between the header and the body (open point 111). The header is not signed, so the body decides. */
function logEventHeader(logger: Logger, { headers }: IncomingWebhook, { family, event }: VerifiedWebhook): void {
  const header = headers[EVENT_HEADER.toLowerCase()];
  const [named] = typeof header === 'string' ? [header] : (header ?? []);
  if (family === 'payment_v1' || named === undefined || named === event) return;
  logger.warn('webhook event header differs from its event', { event: 'webhooks.event_header_differs', family });
}

function logKept({ clock, logger }: ReceiveDeps, { kind, webhook, signedAt }: SignedReading, kept: Kept): void {
  const { family, event: webhookEvent, facts } = webhook;
  if (kept === 'conflict') {
    logger.warn('webhook repeated with different content', { event: 'webhooks.conflict', family, webhookEvent });
  }
  // Logged once, because the holder of an old webhook can repeat it at any rate.
  if (kept !== 'stored') return;
  if (facts.unreadable.length > 0) {
    logger.warn('webhook signature valid, a field unreadable', {
      event: 'webhooks.unreadable',
      family,
      webhookEvent,
      fields: facts.unreadable,
    });
  }
  if (kind === 'stale') {
    logger.warn('webhook signature valid, timestamp stale', {
      event: 'webhooks.stale_authentic',
      family,
      webhookEvent,
      offBySecs: Math.round((clock.now() - signedAt) / SECOND_MS),
    });
  }
}
