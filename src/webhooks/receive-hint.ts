import { createHash, timingSafeEqual } from 'node:crypto';
import { RateCounter } from '../http';
import { type Clock, MINUTE_MS, monotonicClock, sha256Hex } from '../kernel';
import { openInbox } from './inbox-store';
import { KEEP_DEADLINE_MS, type ReceiveDeps } from './receive-webhook';

const HINTS_PER_MINUTE_MAX = 60;

export const HINT_KINDS = ['pos', 'partner', 'payout'] as const;
export type HintKind = (typeof HINT_KINDS)[number];

export type HintReceiver = (token: string, kind: HintKind, body: Uint8Array | undefined) => Promise<boolean>;

export interface HintDeps extends Pick<ReceiveDeps, 'database' | 'clock' | 'logger'> {
  /** The secret part of the path; undefined without a gateway. */
  readonly hintToken: string | undefined;
}

/**
 * Creates the receiver of unsigned webhooks (interface section 6.5). None can be verified, so their content is not
 * used: the hint is stored, and triggers status checks (open point 118).
 */
export function hintReceiver(
  { database, clock, logger, hintToken }: HintDeps,
  monotonic: Clock = monotonicClock,
): HintReceiver {
  const hints = new RateCounter(monotonic);
  return async (token, kind, body) => {
    if (hintToken === undefined || !isSameSecret(hintToken, token)) return false;
    const { inWindow } = hints.count(kind);
    if (inWindow > HINTS_PER_MINUTE_MAX) {
      // Answered as if it were stored: earlier hints have triggered checks already, and polling continues anyway.
      if (inWindow === HINTS_PER_MINUTE_MAX + 1) {
        logger.warn('hint limit reached, further hints not stored', {
          event: 'webhooks.hints_limited',
          kind,
        });
      }
      return true;
    }
    const content = Buffer.from(body ?? []);
    const receivedAt = clock.now();
    // The same body counts once per minute, because it has no id that distinguishes a repeat from a new event.
    const minute = Math.floor(receivedAt / MINUTE_MS);
    const dedupeKey = `hint:${kind}:${minute}:${sha256Hex(content)}`;
    const ids = { paymentId: undefined, subscriptionId: undefined, trackingId: undefined };
    await database.transact(
      (session) =>
        openInbox(session).keep({
          ...ids,
          family: 'hint',
          proof: 'unsigned',
          event: kind,
          content,
          facts: undefined,
          signedAt: undefined,
          receivedAt,
          dedupeKey,
        }),
      { retryDuplicate: true, retryUnknownOutcome: true, deadlineMs: KEEP_DEADLINE_MS },
    );
    return true;
  };
}

/** Compares digests, which have equal lengths, so that the duration does not show where two texts differ. */
function isSameSecret(expected: string, given: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(expected), digest(given));
}
