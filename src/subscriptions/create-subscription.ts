import { requireOpenAgent } from '../agents';
import {
  type ActOptions,
  BEING_SENT,
  type CollectingDeps,
  isBeingSent,
  liveReferenceError,
  requireGateway,
  SESSION_GRACE_MS,
} from '../attempts';
import { openAuditTrail, requireScope } from '../identity';
import type { Instant } from '../kernel';
import { checkSubscriptionStatus } from './check-subscription';
import { type ClaimedSubscription, claimSubscription, type SendingResult, sendSubscription } from './send-subscription';
import { openSubscriptionStore } from './subscription-store';
import { asksForTheSame, checkTerms, newSubscription, termsOf } from './subscription-terms';
import type { CreateSubscriptionOutcome, SubscriptionMirror, SubscriptionRequest } from './subscriptions';

type Begun =
  | { readonly kind: 'existing'; readonly subscription: SubscriptionMirror }
  | { readonly kind: 'begun'; readonly claimed: ClaimedSubscription };

/**
 * Creates a subscription (interface section 4.2). The row is stored before the gateway is called. Repeating a reference
 * returns the live subscription. If its outcome is unknown, it is requested again under the same tracking id, which
 * resolves it (open point 129). If its checkout has ended, it is checked first.
 *
 * @throws AppError `bad_input`, `reference_live` for other terms, `misconfigured`, `forbidden`.
 */
export async function createSubscription(
  deps: CollectingDeps,
  request: SubscriptionRequest,
  options: ActOptions,
): Promise<CreateSubscriptionOutcome> {
  requireScope(options.actor, 'payments:write');
  const gateway = requireGateway(deps);
  checkTerms(gateway, request, termsOf(request, deps.settings));
  let begun = await begin(deps, request, options);
  if (options.dryRun) return { kind: 'checked' };
  if (begun.kind === 'existing' && isSessionOver(begun.subscription, deps.clock.now())) {
    // Only a status check may free the reference. A new request has a new tracking id.
    await checkSubscriptionStatus(deps, begun.subscription.trackingId);
    begun = await begin(deps, request, options);
  }
  if (begun.kind === 'existing') return existingOutcome(deps, begun.subscription);
  const result = await sendSubscription(deps, begun.claimed, { keepsQueue: false });
  return outcomeOf(result, 'created');
}

/** Stores the subscription as `sending`, or finds the live one of its reference. */
async function begin(
  { database, clock, settings }: CollectingDeps,
  request: SubscriptionRequest,
  { actor, dryRun }: ActOptions,
): Promise<Begun> {
  const terms = termsOf(request, settings);
  return database.transact(
    async (session): Promise<Begun> => {
      const store = openSubscriptionStore(session);
      const at = clock.now();
      const { isTest } = settings;
      const asked = newSubscription(request, terms, { at, recordedBy: actor.name, isTest });
      const live = asked.reference === undefined ? undefined : await store.live(asked.reference);
      if (live !== undefined) {
        if (asksForTheSame(live, asked)) return { kind: 'existing', subscription: live };
        throw liveReferenceError(live, asked);
      }
      await requireOpenAgent(session, asked.agentId);
      const subscription = { ...asked, requestState: 'sending', sentAt: at } as const;
      await store.add([subscription]);
      await openAuditTrail(session).record({
        at,
        actor,
        action: 'subscription.requested',
        subject: `subscription:${asked.trackingId}`,
        detail: { amountMillimes: asked.amount, reference: asked.reference ?? null, agentId: asked.agentId ?? null },
      });
      return { kind: 'begun', claimed: { subscription, wasSentBefore: false } };
    },
    { retryDuplicate: true, dryRun },
  );
}

/** Returns whether its checkout has ended without a known outcome. */
function isSessionOver({ requestState, status, sessionEndsAt }: SubscriptionMirror, now: Instant): boolean {
  const isIncomplete = status === undefined || status === 'incomplete';
  return (
    requestState === 'made' && isIncomplete && sessionEndsAt !== undefined && now >= sessionEndsAt + SESSION_GRACE_MS
  );
}

async function existingOutcome(
  deps: CollectingDeps,
  subscription: SubscriptionMirror,
): Promise<CreateSubscriptionOutcome> {
  const { requestState, trackingId } = subscription;
  if (isBeingSent(subscription, deps.clock.now())) return { kind: 'unknown', subscription, reason: BEING_SENT };
  if (requestState !== 'unknown' && requestState !== 'sending') return { kind: 'existing', subscription };
  const claimed = await claimSubscription(deps, subscription);
  if (claimed !== undefined) return outcomeOf(await sendSubscription(deps, claimed, { keepsQueue: false }), 'existing');
  // Another process was faster, and may already have stored the answer.
  const now = await deps.database.read((session) => openSubscriptionStore(session).find(trackingId));
  return now?.requestState === 'made'
    ? { kind: 'existing', subscription: now }
    : { kind: 'unknown', subscription: now ?? subscription, reason: BEING_SENT };
}

function outcomeOf(result: SendingResult, made: 'created' | 'existing'): CreateSubscriptionOutcome {
  const { subscription } = result;
  if (result.kind === 'made') return { kind: made, subscription };
  return { kind: result.kind === 'refused' ? 'refused' : 'unknown', subscription, reason: result.reason };
}
