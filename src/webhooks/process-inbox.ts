import { pauseAfterFailuresMs } from '../attempts';
import type { Database } from '../db';
import { isGatewayError } from '../gateway';
import { type Clock, type Instant, isAppError, MINUTE_MS } from '../kernel';
import type { Logger } from '../logging';
import { type Handled, type HandleDeps, handleEntry, type Question, type Silences } from './handle-entry';
import { type EntryChange, type EntryClaim, openInboxClaims } from './inbox-claim-store';
import { laterRetryDelayMs, parkedRetryDelayMs } from './retry-delays';
import type { WebhookFamily } from './webhooks';

const ENTRIES_OF_A_KIND_MAX = 200;
/** Longer than a status check with all its timeouts. A slower worker loses its entry. */
export const ENTRY_LEASE_MS = MINUTE_MS;

/** After this number of consecutive unanswered checks the gateway counts as silent for the rest of the run. */
const UNANSWERED_MAX = 3;

/** The kind of question that each family asks first. */
const QUESTION: Readonly<Record<WebhookFamily, Question | undefined>> = {
  hint: undefined,
  payment_v1: 'payments',
  payment_v2: 'payments',
  subscription: 'subscriptions',
};

export interface ProcessInboxDeps extends HandleDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Processes due entries one after the other, each under a lease, so any number of processes may run concurrently. It
 * claims an entry, lets its module decide, and stores the outcome. If this is interrupted, the lease ends and another
 * worker continues.
 *
 * @returns the number of finished entries.
 */
export async function processInbox(deps: ProcessInboxDeps, signal?: AbortSignal): Promise<number> {
  const { database, clock } = deps;
  const due = await database.read((session) => openInboxClaims(session).due(clock.now(), ENTRIES_OF_A_KIND_MAX));
  const silences = new Map<Question, number>();
  const unanswered = new Map<Question, number>();
  let ended = 0;
  for (const { id, family } of due) {
    signal?.throwIfAborted();
    const question = QUESTION[family];
    if (question !== undefined && silences.has(question)) continue;
    const claim = await database.transact((session) => openInboxClaims(session).claim(id, clock.now(), ENTRY_LEASE_MS));
    if (claim === undefined) continue;
    const handled = await tryToHandle(deps, claim, silences);
    if (question !== undefined) {
      const inARow = handled.kind === 'later' ? (unanswered.get(question) ?? 0) + 1 : 0;
      unanswered.set(question, inARow);
      if (handled.kind === 'later' && inARow >= UNANSWERED_MAX) silences.set(question, handled.retryAfterMs);
    }
    if (handled.kind === 'later' && handled.silent !== undefined) silences.set(handled.silent, handled.retryAfterMs);
    if ((await finishEntry(deps, claim, handled)) && (handled.kind === 'done' || handled.kind === 'ignored')) {
      ended += 1;
    }
  }
  return ended;
}

type Outcome = Handled | { readonly kind: 'failed'; readonly error: string };

async function tryToHandle(deps: ProcessInboxDeps, claim: EntryClaim, silences: Silences): Promise<Outcome> {
  try {
    return await handleEntry(deps, claim, silences);
  } catch (error) {
    const { id, family, tries } = claim.entry;
    deps.logger.warn('webhook processing failed, retry scheduled', {
      event: 'webhooks.failed',
      webhookId: id,
      family,
      tries: tries + 1,
      error,
    });
    return { kind: 'failed', error: codeOf(error) };
  }
}

async function finishEntry(
  { database, clock, logger }: ProcessInboxDeps,
  claim: EntryClaim,
  outcome: Outcome,
): Promise<boolean> {
  const change = changeOf(claim, outcome, clock.now());
  const written = await database.transact((session) => openInboxClaims(session).finish(claim, change), {
    retryUnknownOutcome: true,
  });
  if (!written) {
    logger.warn('webhook taken over by another worker', {
      event: 'webhooks.lease_lost',
      webhookId: claim.entry.id,
    });
  }
  return written;
}

function changeOf({ entry }: EntryClaim, outcome: Outcome, now: Instant): EntryChange {
  const tries = entry.tries + 1;
  const open = { tries, error: undefined, doneAt: undefined };
  switch (outcome.kind) {
    case 'done':
    case 'ignored':
      return { ...open, state: outcome.kind, outcome: outcome.outcome, doneAt: now };
    case 'parked': {
      const availableAt = now + parkedRetryDelayMs(tries, entry.receivedAt, now);
      return { ...open, state: 'parked', outcome: 'unknown_payment', availableAt };
    }
    case 'later':
      return { ...open, state: 'received', availableAt: now + laterRetryDelayMs(outcome.retryAfterMs) };
    case 'failed':
      return { ...open, state: 'received', availableAt: now + pauseAfterFailuresMs(tries), error: outcome.error };
  }
}

/**
 * Returns the stable code of a fault. Its text may name a payment or a person, so only the log gets it, with ids
 * masked.
 */
function codeOf(error: unknown): string {
  if (isAppError(error) || isGatewayError(error)) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}
