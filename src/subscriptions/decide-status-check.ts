import type { NewBreak } from '../breaks';
import type { Charge, Subscription } from '../gateway';
import { type BusinessDate, type Instant, parseInstant } from '../kernel';
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
  /** Payment ids that are charges of another subscription of ours. */
  readonly ofOthers: ReadonlySet<string>;
  readonly answer: Subscription;
  /** The newest first. */
  readonly listed: readonly Charge[];
  /** When we asked: what happened later may not be in the answer. */
  readonly observedAt: Instant;
  readonly now: Instant;
  /** The business day of `observedAt`. */
  readonly since: BusinessDate;
  /** The mismatches of this subscription that were ever opened, by fingerprint: whether a person has resolved them. */
  readonly mismatches: ReadonlyMap<string, { readonly isResolved: boolean }>;
}

export interface StatusCheckDecision {
  readonly change: SubscriptionChange;
  readonly charges: readonly ChargeDecision[];
  readonly vanished: readonly ChargeMirror[];
  readonly breaks: readonly NewBreak[];
}

/**
 * What an answer about a subscription and its charges means. The gateway's word is the truth (interface section 3.2),
 * except where it contradicts an earlier one: then what we have is kept, and a break tells a person. Pure.
 */
export function decideStatusCheck(facts: StatusCheckFacts): StatusCheckDecision {
  const { subscription, answer, listed, known, ofOthers, observedAt, now, since, mismatches } = facts;
  const { trackingId, triggeredAt } = subscription;
  const differing = differingTerms(facts);
  // By what this answer says: what only a webhook told is a break, and holds no money back.
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
  // What has ended for us and goes on at the gateway may still be debited: its status checks are planned by what it
  // says.
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

/** Where it is not what we asked for. */
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
    // A checkout is good for the first charge, and for nothing later (open point 59).
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
    // Its reference may be used for a new one.
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

function instantOf(text: string | null): Instant | undefined {
  return text === null ? undefined : parseInstant(text);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
