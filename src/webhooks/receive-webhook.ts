import type { Database } from '../db';
import { EVENT_HEADER } from '../gateway';
import { RateCounter } from '../http';
import { monotonicClock, type Clock } from '../kernel';
import type { Logger } from '../logging';
import { openInbox } from './inbox-store';
import { readWebhook, type Reading, type WebhookFacts } from './read-webhook';
import type { IncomingWebhook, ReceiveOutcome } from './webhooks';

const SECOND_MS = 1_000;

/** The gateway waits "a few seconds" (interface section 6.1); then it sends again, and so it may. */
export const KEEP_DEADLINE_MS = 3_000;

/** So many refusals in a minute are told one by one to the log: anybody can cause one. */
export const REFUSALS_LOGGED_PER_MINUTE_MAX = 30;

export interface ReceiveDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly keys: readonly string[] | undefined;
  readonly timeZone: string;
}

/**
 * Makes the reader of signed webhooks. It proves a request, keeps it in one transaction, and does nothing else: what a
 * webhook leads to may take longer than its sender waits.
 *
 * @throws AppError `unavailable` and others when it could not be kept: the gateway must send it again.
 */
export function webhookReceiver(
  deps: ReceiveDeps,
  monotonic: Clock = monotonicClock,
): (incoming: IncomingWebhook) => Promise<ReceiveOutcome> {
  const { database, clock, logger, keys = [], timeZone } = deps;
  const refusals = new RateCounter(monotonic);

  function refuse(reason: string): ReceiveOutcome {
    const { inWindow, inLastWindow } = refusals.count('refused');
    if (inWindow <= REFUSALS_LOGGED_PER_MINUTE_MAX) {
      const isLast = inWindow === REFUSALS_LOGGED_PER_MINUTE_MAX;
      logger.warn(isLast ? 'webhook refused; further ones of this minute are not logged' : 'webhook refused', {
        event: 'webhooks.rejected',
        reason,
        refusedInLastMinute: inLastWindow,
      });
    }
    return { kind: 'rejected', reason };
  }

  /** The header is not signed, so that the body decides; the two should agree all the same (open point 111). */
  function noteEventHeader({ headers }: IncomingWebhook, { family, event }: WebhookFacts): void {
    const header = headers[EVENT_HEADER.toLowerCase()];
    const [named] = typeof header === 'string' ? [header] : (header ?? []);
    if (family === 'payment_v1' || named === undefined || named === event) return;
    logger.warn('webhook event header differs from its event', { event: 'webhooks.event_header_differs', family });
  }

  async function keep(reading: Exclude<Reading, { kind: 'rejected' }>): Promise<ReceiveOutcome> {
    const { kind, facts, signedAt } = reading;
    const isStale = kind === 'stale';
    // Under a key of its own: an old message must not stand in the way of the same one, freshly signed.
    const dedupeKey = `${isStale ? 'stale:' : ''}${facts.family}:${facts.dedupeKey}`;
    const kept = await database.transact(
      (session) => openInbox(session).keep({ ...facts, dedupeKey, proof: kind, signedAt, receivedAt: clock.now() }),
      // A second run finds the entry of the first, or of the same event that came at the same time.
      { retryDuplicate: true, retryUnknownOutcome: true, deadlineMs: KEEP_DEADLINE_MS },
    );
    const { family, event } = facts;
    if (kept === 'conflict') {
      logger.warn('webhook repeated with different content', {
        event: 'webhooks.conflict',
        family,
        webhookEvent: event,
      });
    }
    if (kept === 'stored' && facts.unreadable.length > 0) {
      logger.warn('webhook signature valid, a field unreadable', {
        event: 'webhooks.unreadable',
        family,
        webhookEvent: event,
        fields: facts.unreadable,
      });
    }
    if (!isStale) return { kind: kept };
    // Once: whoever has an old message can send it as often as he likes.
    if (kept === 'stored') {
      logger.warn('webhook signature valid, timestamp stale', {
        event: 'webhooks.stale_authentic',
        family,
        webhookEvent: event,
        offBySecs: Math.round((clock.now() - signedAt) / SECOND_MS),
      });
    }
    return { kind: 'stale' };
  }

  return async (incoming) => {
    const reading = readWebhook(incoming, { keys, now: clock.now(), timeZone });
    if (reading.kind === 'rejected') return refuse(reading.reason);
    noteEventHeader(incoming, reading.facts);
    return keep(reading);
  };
}
