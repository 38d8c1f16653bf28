import { requireOpenAgent } from '../agents';
import { openAuditTrail, requireScope } from '../identity';
import { AppError } from '../kernel';
import {
  BEING_SENT,
  isBeingSent,
  otherApplication,
  requireGateway,
  type ActOptions,
  type PaymentsDeps,
} from '../payments';
import { claimSubscription, sendSubscription, type ClaimedSubscription, type SendingResult } from './send-subscription';
import { openSubscriptionBook } from './subscription-store';
import { asksForTheSame, checkTerms, newSubscription, termsOf } from './subscription-terms';
import type { CreateSubscriptionOutcome, SubscriptionMirror, SubscriptionRequest } from './subscriptions';

type Begun =
  | { readonly kind: 'existing'; readonly subscription: SubscriptionMirror }
  | { readonly kind: 'begun'; readonly claimed: ClaimedSubscription };

/**
 * Makes a subscription (interface section 4.2). The row is written before the gateway is called. The same reference again
 * gives the subscription that is live; when nobody knows whether the gateway has that one, it is asked for again under the
 * same tracking id, which tells (open point 129).
 *
 * @throws AppError `bad_input` with one detail per field, `conflict` when the reference is live with other terms,
 *   `misconfigured`, `forbidden`.
 */
export async function createSubscription(
  deps: PaymentsDeps,
  request: SubscriptionRequest,
  { actor, dryRun }: ActOptions,
): Promise<CreateSubscriptionOutcome> {
  requireScope(actor, 'payments:write');
  const gateway = requireGateway(deps);
  const { database, clock, settings } = deps;
  const terms = termsOf(request, settings);
  checkTerms(gateway, request, terms);
  const begun = await database.transact(
    async (session): Promise<Begun> => {
      const book = openSubscriptionBook(session);
      const at = clock.now();
      const { isTest } = settings;
      const asked = newSubscription(request, terms, { at, recordedBy: actor.name, isTest });
      const live = asked.reference === undefined ? undefined : await book.live(asked.reference);
      if (live !== undefined) {
        if (asksForTheSame(live, asked)) return { kind: 'existing', subscription: live };
        throw otherTerms(live, asked);
      }
      await requireOpenAgent(session, asked.agentId);
      const subscription = { ...asked, requestState: 'sending', sentAt: at } as const;
      await book.add([subscription]);
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
  if (dryRun) return { kind: 'checked' };
  if (begun.kind === 'existing') return existingOutcome(deps, begun.subscription);
  const result = await sendSubscription(deps, begun.claimed, { keepsQueue: false });
  return outcomeOf(result, 'created');
}

async function existingOutcome(
  deps: PaymentsDeps,
  subscription: SubscriptionMirror,
): Promise<CreateSubscriptionOutcome> {
  const { requestState, trackingId } = subscription;
  if (isBeingSent(subscription, deps.clock.now())) return { kind: 'unknown', subscription, reason: BEING_SENT };
  if (requestState !== 'unknown' && requestState !== 'sending') return { kind: 'existing', subscription };
  const claimed = await claimSubscription(deps, subscription);
  if (claimed !== undefined) return outcomeOf(await sendSubscription(deps, claimed, { keepsQueue: false }), 'existing');
  // Another process was faster, and may have its answer already.
  const now = await deps.database.read((session) => openSubscriptionBook(session).find(trackingId));
  return now?.requestState === 'made'
    ? { kind: 'existing', subscription: now }
    : { kind: 'unknown', subscription: now ?? subscription, reason: BEING_SENT };
}

function outcomeOf(result: SendingResult, made: 'created' | 'existing'): CreateSubscriptionOutcome {
  const { subscription } = result;
  if (result.kind === 'made') return { kind: made, subscription };
  return { kind: result.kind === 'refused' ? 'refused' : 'unknown', subscription, reason: result.reason };
}

function otherTerms(live: SubscriptionMirror, asked: SubscriptionMirror): AppError {
  const application = otherApplication(live, asked);
  const fault = application === undefined ? 'is a live subscription with other terms' : `is taken: ${application}`;
  return new AppError('conflict', `${JSON.stringify(live.reference)} ${fault} (${live.trackingId})`);
}
