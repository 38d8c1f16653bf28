import { type CollectingDeps, STATUS_CHECK_ACTOR } from '../attempts';
import { type NewBreak, openBreakStore } from '../breaks';
import type { BusinessDate, Instant } from '../kernel';
import { openSubscriptionStore } from './subscription-store';
import type { SubscriptionMirror } from './subscriptions';

/** The maximum number of subscriptions per run. */
const UNRESOLVED_BATCH_MAX = 1_000;
const REASON_CHARACTERS_MAX = 200;

/**
 * Opens a break, once, for each subscription of unknown outcome that the queue no longer sends. The row stays unknown
 * and keeps its reference. A person can repeat `create`, which requests it again under the same key.
 */
export async function openUnresolvedBreaks(deps: CollectingDeps, requestedUntil: Instant): Promise<void> {
  const { database, clock, calendar, settings } = deps;
  const now = clock.now();
  const since = calendar.dateOf(now);
  const { isTest } = settings;
  const newBreaks = await database.read(async (session) => {
    const found = await openSubscriptionStore(session).unresolved({ requestedUntil, isTest }, UNRESOLVED_BATCH_MAX);
    const breaks = found.map((each) => unresolvedBreak(each, since));
    const known = await openBreakStore(session).byFingerprint(breaks.map(({ fingerprint }) => fingerprint));
    return breaks.filter(({ fingerprint }) => !known.has(fingerprint));
  });
  if (newBreaks.length === 0) return;
  await database.transact((session) => openBreakStore(session).openNew(newBreaks, now, STATUS_CHECK_ACTOR), {
    retryDuplicate: true,
    retryUnknownOutcome: true,
  });
}

function unresolvedBreak(
  { trackingId, amount, requestError = 'none' }: SubscriptionMirror,
  since: BusinessDate,
): NewBreak {
  const reason = requestError.slice(0, REASON_CHARACTERS_MAX).toWellFormed();
  return {
    fingerprint: `outcome_unknown:${trackingId}`,
    breakClass: 'outcome_unknown',
    since,
    amount,
    direction: 'may_have_moved',
    subject: { itemIds: [], lineIds: [], facts: { trackingId, operation: 'subscriptions.create', reason } },
  };
}
