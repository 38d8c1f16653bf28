import { instantOf } from '../attempts';
import type { NewBreak } from '../breaks';
import type { Charge, Subscription } from '../gateway';
import type { BusinessDate, Instant } from '../kernel';
import { type ChargeDecision, decideCharges } from './decide-charges';
import { nextSubscriptionCheck } from './next-subscription-check';
import { chargeBreak, mismatchBreak, mismatchFingerprint } from './subscription-breaks';
import { nextSubscriptionStatus, TERMINAL_STATUSES } from './subscription-status';
import type { SubscriptionChange } from './subscription-store';
import { sessionTimeoutMs } from './subscription-terms';
import type { ChargeMirror, SubscriptionMirror } from './subscriptions';

export interface StatusCheckFacts {
  readonly subscription: SubscriptionMirror;
  readonly known: readonly ChargeMirror[];
  /** Payment ids of charges that belong to another stored subscription. */
  readonly ofOthers: ReadonlySet<string>;
  readonly answer: Subscription;
  /** The newest first. */
  readonly listed: readonly Charge[];
  /** When the request was sent: later events may not be in the answer. */
  readonly observedAt: Instant;
  readonly now: Instant;
  /** The business day of `observedAt`. */
  readonly since: BusinessDate;
  /** The mismatches ever opened for this subscription, by fingerprint, and whether a person has resolved them. */
  readonly mismatches: ReadonlyMap<string, { readonly isResolved: boolean }>;
}

export interface StatusCheckDecision {
  readonly change: SubscriptionChange;
  readonly charges: readonly ChargeDecision[];
  readonly vanished: readonly ChargeMirror[];
  readonly breaks: readonly NewBreak[];
}

/**
 * Decides what an answer about a subscription and its charges means. The gateway's answer counts (interface section
 * 3.2) unless it contradicts an earlier one: then the stored state stays, and a break notifies a person. Pure.
 */
export function decideStatusCheck(facts: StatusCheckFacts): StatusCheckDecision {
  const { subscription, answer, listed, known, ofOthers, observedAt, now, since, mismatches } = facts;
  const { trackingId, triggeredAt } = subscription;
  const differing = differingTerms(facts);
  // Decided by this answer alone. A difference that only a webhook reported opens a break and does not prevent posting.
  const isHeld = differing.some(
    ({ field }) => mismatches.get(mismatchFingerprint(trackingId, field))?.isResolved !== true,
  );
  const isTest = subscription.isTest || answer.isTest;
  const resolved = new Set([...mismatches].filter(([, { isResolved }]) => isResolved).map(([print]) => print));
  const decided = decideCharges({
    subscription,
    isTest,
    isHeld,
    known,
    ofOthers,
    listed,
    resolved,
    observedAt,
    since,
  });
  const step = nextSubscriptionStatus(subscription.status, answer.status);
  const seen = stateOf(facts);
  const state = step.kind === 'regressed' ? {} : seen;
  // A subscription that has ended in Millime but continues at the gateway may still be debited, so the gateway's status
  // decides its next check.
  const planned = TERMINAL_STATUSES.includes(answer.status) ? state : seen;
  const charges = [...decided.vanished, ...decided.decisions.map(({ charge }) => charge)];
  const isTriggeredSince = triggeredAt !== undefined && triggeredAt > observedAt;
  const change: SubscriptionChange = {
    ...state,
    isTest,
    lastCheckAt: observedAt,
    checks: subscription.checks + 1,
    failedChecks: 0,
    lastCheckError: undefined,
    triggeredAt: isTriggeredSince ? triggeredAt : undefined,
    nextCheckAt: isTriggeredSince
      ? now
      : nextSubscriptionCheck({ subscription: { ...subscription, ...planned, isTest }, charges }, now),
  };
  return {
    change,
    charges: decided.decisions,
    vanished: decided.vanished,
    breaks: [
      ...differing.map((difference) => mismatchBreak(trackingId, difference, since)),
      ...(step.kind === 'regressed' ? [regressed(facts)] : []),
      ...decided.breaks,
    ],
  };
}

function differingTerms({ subscription, answer }: StatusCheckFacts) {
  const { terms, trackingId, amount } = subscription;
  const pairs = [
    { field: 'amount', ours: amount, theirs: answer.amountMillimes },
    { field: 'interval', ours: textOf(terms['interval']), theirs: answer.interval },
    { field: 'interval_count', ours: numberOf(terms['intervalCount']) ?? 1, theirs: answer.intervalCount },
    { field: 'max_cycles', ours: numberOf(terms['maxCycles']) ?? null, theirs: answer.maxCycles },
    { field: 'developer_tracking_id', ours: trackingId, theirs: answer.developerTrackingId },
  ] as const;
  return pairs.filter(({ ours, theirs }) => ours !== theirs);
}

function stateOf({ subscription, answer }: StatusCheckFacts) {
  const isIncomplete = answer.status === 'incomplete';
  const createdAt = instantOf(answer.createdAt);
  return {
    status: answer.status,
    firstPaymentId: answer.paymentId ?? subscription.firstPaymentId,
    // A checkout link is valid for the first charge only (open point 59).
    link: answer.checkoutUrl ?? (isIncomplete ? subscription.link : undefined),
    sessionEndsAt:
      createdAt === undefined ? subscription.sessionEndsAt : createdAt + sessionTimeoutMs(subscription.terms),
    activatedAt: instantOf(answer.activatedAt),
    periodStartAt: instantOf(answer.currentPeriodStart),
    periodEndAt: instantOf(answer.currentPeriodEnd),
    nextChargeAt: instantOf(answer.nextChargeAt),
    cyclesCompleted: answer.cyclesCompleted,
    cancelAtPeriodEnd: answer.cancelAtPeriodEnd,
    canceledAt: instantOf(answer.canceledAt),
    cancellationInitiator: answer.cancellationInitiator ?? undefined,
    cancellationReason: answer.cancellationReason ?? undefined,
    // The reference may now be used for a new subscription.
    ...(TERMINAL_STATUSES.includes(answer.status) ? { isLive: false } : {}),
  };
}

function regressed({ subscription, answer, since }: StatusCheckFacts): NewBreak {
  const { trackingId, status } = subscription;
  return chargeBreak({
    breakClass: 'settlement_regressed',
    fingerprint: `settlement_regressed:${trackingId}`,
    trackingId,
    paymentIds: [],
    amount: undefined,
    since,
    facts: { kept: status, observed: answer.status },
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
