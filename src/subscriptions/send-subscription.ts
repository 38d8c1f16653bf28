import {
  type CallSign,
  type CollectingDeps,
  nextPendingCheck,
  noteForQueue,
  requireGateway,
  STATUS_CHECK_ACTOR,
} from '../attempts';
import { openBreakStore } from '../breaks';
import { type CreatedSubscription, type GatewayError, isGatewayError } from '../gateway';
import { assert, type Instant, isOutsideId } from '../kernel';
import { type FailedSending, judgeFailure } from './judge-failure';
import { mismatchBreak } from './subscription-breaks';
import { openSubscriptionStore, type SubscriptionChange } from './subscription-store';
import { sessionTimeoutMs, storedTerms } from './subscription-terms';
import type { SubscriptionMirror } from './subscriptions';

/** A row that this process sends, and its earlier state. */
export interface ClaimedSubscription {
  readonly subscription: SubscriptionMirror;
  /** Whether an earlier call for it has an unknown outcome. */
  readonly wasSentBefore: boolean;
}

export type SendingResult =
  | { readonly kind: 'made'; readonly subscription: SubscriptionMirror }
  | { readonly kind: FailedSending['kind']; readonly subscription: SubscriptionMirror; readonly reason: string };

type Outcome = { readonly kind: 'made'; readonly created: CreatedSubscription } | FailedSending;

/** The effect of a call on its row and on the queue. */
interface Called {
  readonly outcome: Outcome;
  readonly sign: CallSign;
}

/**
 * Claims a row for sending, unless another process has claimed it since it was read.
 *
 * Two concurrent processes: the row is locked, and the second one finds it changed.
 */
export async function claimSubscription(
  { database, clock, settings }: CollectingDeps,
  read: SubscriptionMirror,
): Promise<ClaimedSubscription | undefined> {
  return database.transact(async (session) => {
    const store = openSubscriptionStore(session);
    const row = await store.lock(read.trackingId);
    if (row === undefined || row.requestState !== read.requestState || row.sentAt !== read.sentAt) return undefined;
    const wasSentBefore = row.requestState !== 'requested';
    // An earlier call belongs to its application, and only that application can find out whether the subscription
    // exists.
    if (wasSentBefore && row.isTest !== settings.isTest) return undefined;
    // The sending credential decides whether it is test money, not the plan's.
    const change = { requestState: 'sending', sentAt: clock.now(), isTest: settings.isTest } as const;
    await store.change(row, change);
    return { subscription: { ...row, ...change }, wasSentBefore };
  });
}

/**
 * Sends a claimed subscription, and stores the outcome for the row and the queue. No transaction is open during the
 * call.
 *
 * `later`: the gateway does not have it, and the row waits in the queue; with `keepsQueue` false it is `refused`.
 */
export async function sendSubscription(
  deps: CollectingDeps,
  claimed: ClaimedSubscription,
  { keepsQueue }: { readonly keepsQueue: boolean },
): Promise<SendingResult> {
  const gateway = requireGateway(deps);
  const { outcome, sign } = await gateway.subscriptions
    .create(storedTerms(claimed.subscription))
    .then(calledWith, (error: unknown): Called => {
      if (!isGatewayError(error)) throw error;
      const failed = judgeFailure(error, claimed.wasSentBefore);
      return { outcome: finalOutcome(failed, keepsQueue), sign: signOf(failed, error) };
    });
  const result = await writeOutcome(deps, claimed, outcome);
  await noteForQueue(deps, 'subscriptions', sign);
  return result;
}

function calledWith(created: CreatedSubscription): Called {
  if (isOutsideId(created.subscriptionId)) return { outcome: { kind: 'made', created }, sign: { kind: 'answered' } };
  const reason = 'unexpected_shape: the id of the subscription cannot be stored';
  const sign = { kind: 'unanswered', retryAfterMs: undefined, isBan: false } as const;
  return { outcome: { kind: 'unknown', reason }, sign };
}

/** Returns what a failure tells the queue. A 403 without a code about the account may be a ban. Pure. */
function signOf(failed: FailedSending, { code, retryAfterMs, afterLostTry }: GatewayError): CallSign {
  if (failed.kind === 'refused') return { kind: 'answered' };
  const isLater = failed.kind === 'later';
  // The client's budget may refuse the retry of a call whose first try was sent.
  if (isLater && !failed.hasLeft && afterLostTry !== true) return { kind: 'not_sent' };
  return { kind: 'unanswered', retryAfterMs, isBan: isLater && code === 'permission' };
}

/**
 * Returns the final outcome. A subscription that may have been created is unknown: it keeps its application, and only a
 * refusal of its terms ends it. A caller who waits gets a clear refusal where one exists.
 */
function finalOutcome(failed: FailedSending, keepsQueue: boolean): FailedSending {
  if (failed.kind !== 'later') return failed;
  const { reason } = failed;
  if (!failed.isSureNo) return { kind: 'unknown', reason };
  return keepsQueue ? failed : { kind: 'refused', reason, isOther: false };
}

async function writeOutcome(
  { database, clock, calendar }: CollectingDeps,
  claimed: ClaimedSubscription,
  outcome: Outcome,
): Promise<SendingResult> {
  const { trackingId, sentAt } = claimed.subscription;
  return database.transact(
    async (session) => {
      const store = openSubscriptionStore(session);
      const row = await store.lock(trackingId);
      assert(row !== undefined, 'a subscription that was sent is there');
      const now = clock.now();
      if (outcome.kind === 'made') {
        const { subscriptionId } = outcome.created;
        const owner = await store.bySubscriptionId(subscriptionId);
        if (owner === undefined || owner.trackingId === trackingId) {
          const change = madeChange(row, outcome.created, now);
          await store.change(row, change);
          return { kind: 'made', subscription: { ...row, ...change } };
        }
        const difference = { field: 'subscription_id', ours: owner.trackingId, theirs: subscriptionId } as const;
        const found = mismatchBreak(trackingId, difference, calendar.dateOf(now));
        await openBreakStore(session).openNew([found], now, STATUS_CHECK_ACTOR);
        const reason = 'unexpected_shape: the gateway returned the id of another stored subscription';
        const change = { requestState: 'refused', requestError: reason, isLive: false } as const;
        await store.change(row, change);
        return { kind: 'refused', subscription: { ...row, ...change }, reason };
      }
      // A webhook may have reported it meanwhile, or another process may have claimed it.
      if (row.subscriptionId !== undefined) return { kind: 'made', subscription: row };
      if (row.requestState !== 'sending' || row.sentAt !== sentAt) return { ...outcome, subscription: row };
      if (outcome.kind === 'refused' && outcome.isOther) {
        const difference = { field: 'developer_tracking_id', ours: trackingId, theirs: outcome.reason } as const;
        const found = mismatchBreak(trackingId, difference, calendar.dateOf(now));
        await openBreakStore(session).openNew([found], now, STATUS_CHECK_ACTOR);
      }
      const change = failedChange(outcome);
      await store.change(row, change);
      return { kind: outcome.kind, subscription: { ...row, ...change }, reason: outcome.reason };
    },
    { retryDuplicate: true, retryUnknownOutcome: true },
  );
}

/**
 * Returns the change of a row whose subscription the gateway has created. The results of status checks since then stay.
 */
function madeChange(row: SubscriptionMirror, created: CreatedSubscription, now: Instant): SubscriptionChange {
  const startedAt = row.sentAt ?? row.requestedAt;
  const sessionEndsAt = row.sessionEndsAt ?? startedAt + sessionTimeoutMs(row.terms);
  return {
    requestState: 'made',
    requestError: undefined,
    subscriptionId: created.subscriptionId,
    firstPaymentId: row.firstPaymentId ?? keepable(created.paymentId),
    link: row.link ?? created.link ?? undefined,
    sessionEndsAt,
    ...(row.lastCheckAt === undefined ? { status: created.status } : {}),
    nextCheckAt: row.nextCheckAt ?? nextPendingCheck({ startedAt, sessionEndsAt }, now),
  };
}

function failedChange(failed: FailedSending): SubscriptionChange {
  const requestError = failed.reason;
  switch (failed.kind) {
    case 'refused':
      return { requestState: 'refused', requestError, isLive: false };
    case 'unknown':
      return { requestState: 'unknown', requestError };
    case 'later':
      // A row that the gateway turned away keeps its sending time, which puts it behind untried rows.
      return { requestState: 'requested', requestError, ...(failed.hasLeft ? {} : { sentAt: undefined }) };
  }
}

function keepable(paymentId: string | null): string | undefined {
  return isOutsideId(paymentId) ? paymentId : undefined;
}
