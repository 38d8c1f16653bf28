import { createHash, timingSafeEqual } from 'node:crypto';
import { RateCounter } from '../http';
import { type Clock, HOUR_MS, MINUTE_MS, monotonicClock, sha256Hex } from '../kernel';
import { openInbox } from './inbox-store';
import { KEEP_DEADLINE_MS, type ReceiveDeps } from './receive-webhook';

const HINTS_PER_MINUTE_MAX = 60;

/** The beginning of a longer body is stored: no content of a hint is ever used. */
const CONTENT_BYTES_MAX = 4 * 1_024;

/**
 * The space that the hints of an hour may take, whichever processes store them: 192 MiB a day. By the hour, so that a
 * flood keeps real hints away for an hour at most.
 */
const BYTES_PER_HOUR_MAX = 8 * 1_024 * 1_024;

export const HINT_KINDS = ['pos', 'partner', 'payout'] as const;
export type HintKind = (typeof HINT_KINDS)[number];

export type HintReceiver = (kind: HintKind, body: Uint8Array | undefined) => Promise<void>;

export type HintDeps = Pick<ReceiveDeps, 'database' | 'clock' | 'logger'>;

/**
 * Creates the receiver of unsigned webhooks (interface section 6.5). None can be verified, so their content is not
 * used: the hint is stored, and triggers status checks (open point 118).
 */
export function hintReceiver({ database, clock, logger }: HintDeps, monotonic: Clock = monotonicClock): HintReceiver {
  const hints = new RateCounter(monotonic);
  const unstored = new RateCounter(monotonic);
  const warnOfLimit = (kind: HintKind, limit: string): void =>
    logger.warn('hint limit reached, further hints not stored', { event: 'webhooks.hints_limited', kind, limit });
  return async (kind, body) => {
    const { inWindow } = hints.count(kind);
    if (inWindow > HINTS_PER_MINUTE_MAX) {
      // Answered as if it were stored: earlier hints have triggered checks already, and polling continues anyway.
      if (inWindow === HINTS_PER_MINUTE_MAX + 1) warnOfLimit(kind, 'hints_of_a_minute');
      return;
    }
    // While the hour's space is full, the database is asked once a minute.
    if (unstored.soFar('hints') > 0) return;
    const whole = Buffer.from(body ?? []);
    const receivedAt = clock.now();
    // The same body counts once per minute, because it has no id that distinguishes a repeat from a new event.
    const minute = Math.floor(receivedAt / MINUTE_MS);
    const dedupeKey = `hint:${kind}:${minute}:${sha256Hex(whole)}`;
    const ids = { paymentId: undefined, subscriptionId: undefined, trackingId: undefined };
    const isKept = await database.transact(
      async (session) => {
        const inbox = openInbox(session);
        if ((await inbox.hintBytes(receivedAt - HOUR_MS, receivedAt)) >= BYTES_PER_HOUR_MAX) return false;
        await inbox.keep({
          ...ids,
          family: 'hint',
          proof: 'unsigned',
          event: kind,
          content: whole.subarray(0, CONTENT_BYTES_MAX),
          facts: undefined,
          signedAt: undefined,
          receivedAt,
          dedupeKey,
        });
        return true;
      },
      { retryDuplicate: true, retryUnknownOutcome: true, deadlineMs: KEEP_DEADLINE_MS },
    );
    if (!isKept && unstored.count('hints').inWindow === 1) warnOfLimit(kind, 'bytes_of_an_hour');
  };
}

/** Returns whether the secret part of a hint's path is right; never without a gateway. */
export function isHintToken(hintToken: string | undefined, given: string): boolean {
  return hintToken !== undefined && isSameSecret(hintToken, given);
}

/** Compares digests, which have equal lengths, so that the duration does not show where two texts differ. */
function isSameSecret(expected: string, given: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(expected), digest(given));
}
