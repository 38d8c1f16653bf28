import { instantOf } from '../attempts';
import type { NewBreak } from '../breaks';
import type { Charge } from '../gateway';
import type { GatewayItem } from '../gateway-items';
import { addMillimes, addToGroup, type BusinessDate, type Instant, millimes, ZERO_MILLIMES } from '../kernel';
import { type ChargeStep, nextChargeStatus } from './charge-status';
import { chargeBreak, chargeMismatchFingerprint } from './subscription-breaks';
import type { ChargeMirror, SubscriptionMirror } from './subscriptions';

export interface ChargeFacts {
  readonly subscription: Pick<SubscriptionMirror, 'trackingId' | 'agentId' | 'amount'>;
  readonly isTest: boolean;
  /** Whether a problem of the subscription itself prevents posting its charges. */
  readonly isHeld: boolean;
  readonly known: readonly ChargeMirror[];
  /** Payment ids of charges that belong to another stored subscription. */
  readonly ofOthers: ReadonlySet<string>;
  readonly listed: readonly Charge[];
  /** Breaks that a person has resolved, so their difference is accepted. */
  readonly resolved: ReadonlySet<string>;
  readonly observedAt: Instant;
  readonly since: BusinessDate;
}

/** The new state of a charge, and the actions that follow. */
export interface ChargeDecision {
  readonly charge: ChargeMirror;
  readonly listed: Charge;
  /** The stored charge; undefined at first sight. */
  readonly before: ChargeMirror | undefined;
  /** Whether the gateway reported something new about it. */
  readonly hasChanged: boolean;
  readonly toPost: GatewayItem | undefined;
  /** Whether its fee must be posted, because the fee or the item is new. */
  readonly hasFeeToPost: boolean;
}

/**
 * Decides what a list of charges means: each charge's next state, the items to post, and the breaks. Each SUCCESS is
 * posted, even two in one period, which are real money and a break. A charge is not posted if its amount is not the
 * agreed one, if the subscription differs from the request, or if it is test money. Pure.
 */
export function decideCharges(facts: ChargeFacts): {
  readonly decisions: readonly ChargeDecision[];
  readonly breaks: readonly NewBreak[];
  /** Stored charges that the gateway no longer lists. They stay stored. */
  readonly vanished: readonly ChargeMirror[];
} {
  const { known, listed, ofOthers } = facts;
  const before = new Map(known.map((charge) => [charge.paymentId, charge]));
  const named = new Set(listed.map(({ paymentId }) => paymentId));
  const vanished = known.filter(({ paymentId }) => !named.has(paymentId));
  const breaks: NewBreak[] = vanished.map((charge) => regressed(facts, charge, 'vanished'));
  const decisions: ChargeDecision[] = [];
  // Oldest first, so that the ledger has them in order.
  for (const charge of listed.toReversed()) {
    if (ofOthers.has(charge.paymentId)) breaks.push(belongsToAnother(facts, charge));
    else decisions.push(decideCharge(facts, before.get(charge.paymentId), charge, breaks));
  }
  breaks.push(...paidTwice(facts, [...vanished, ...decisions.map(({ charge }) => charge)]));
  return { decisions, breaks, vanished };
}

function decideCharge(
  facts: ChargeFacts,
  before: ChargeMirror | undefined,
  listed: Charge,
  breaks: NewBreak[],
): ChargeDecision {
  const { subscription, isTest, isHeld, resolved } = facts;
  const { trackingId } = subscription;
  const step = nextChargeStatus(before?.status, listed.status);
  const seen = merged(facts, before, listed, step);
  if (step.kind === 'regressed') breaks.push(regressed(facts, seen, listed.status));
  if (step.kind === 'late_success') {
    breaks.push(
      chargeBreak({
        breakClass: 'late_success',
        fingerprint: `late_success:${listed.paymentId}`,
        trackingId,
        paymentIds: [listed.paymentId],
        amount: listed.amountMillimes,
        since: facts.since,
        facts: { before: before?.status },
      }),
    );
  }
  const isOther = listed.amountMillimes !== subscription.amount;
  if (isOther) breaks.push(otherAmount(facts, listed));
  const isRefused = isOther && !resolved.has(chargeMismatchFingerprint(listed.paymentId));
  const isPaid = seen.status === 'SUCCESS' && seen.amount > ZERO_MILLIMES;
  const isPosted = seen.itemId !== undefined;
  const postsNow = isPaid && !isPosted && !isTest && !isHeld && !isRefused;
  const charge = postsNow ? { ...seen, itemId: `payment:${seen.paymentId}` } : seen;
  const hasOtherFee = charge.fee !== before?.fee || charge.tva !== before?.tva;
  const hasFee = charge.fee !== undefined && charge.tva !== undefined;
  return {
    charge,
    listed,
    before,
    hasChanged: step.kind !== 'unchanged' || hasOtherFee || listed.amountMillimes !== before?.amount,
    toPost: postsNow ? itemOf(facts, charge) : undefined,
    hasFeeToPost: hasFee && (postsNow || (isPosted && hasOtherFee)),
  };
}

/** Returns the new state of a charge. A known fee stays until the gateway reports another one. */
function merged(
  { subscription, observedAt }: ChargeFacts,
  before: ChargeMirror | undefined,
  listed: Charge,
  step: ChargeStep,
): ChargeMirror {
  const isKept = before !== undefined && step.kind === 'regressed';
  return {
    paymentId: listed.paymentId,
    trackingId: subscription.trackingId,
    status: isKept ? before.status : listed.status,
    method: isKept ? before.method : listed.type,
    billingReason: listed.billingReason,
    attempt: listed.attempt ?? undefined,
    periodStart: listed.periodStart ?? undefined,
    periodEnd: listed.periodEnd ?? undefined,
    // A posted amount does not change.
    amount: before?.itemId === undefined ? listed.amountMillimes : before.amount,
    fee: listed.feeMillimes ?? before?.fee,
    tva: listed.tvaMillimes ?? before?.tva,
    createdAt: instantOf(listed.createdAt) ?? before?.createdAt,
    paidAt: isKept ? before.paidAt : instantOf(listed.paidAt),
    firstSeenAt: before?.firstSeenAt ?? observedAt,
    lastCheckAt: observedAt,
    itemId: before?.itemId,
  };
}

function itemOf({ subscription, observedAt }: ChargeFacts, charge: ChargeMirror): GatewayItem {
  return {
    itemId: `payment:${charge.paymentId}`,
    channel: 'subscription',
    amount: charge.amount,
    agentId: subscription.agentId,
    refundOf: undefined,
    // Open point 27: the time is valid only for a SUCCESS.
    occurredAt: charge.paidAt ?? charge.createdAt ?? observedAt,
  };
}

/**
 * Opens a break for two successes in one period: at most one SUCCESS per first day of a period is allowed (interface
 * section 2.5, open point 29).
 */
function paidTwice({ subscription, since }: ChargeFacts, charges: readonly ChargeMirror[]): NewBreak[] {
  const { trackingId } = subscription;
  const paid = new Map<BusinessDate, ChargeMirror[]>();
  for (const charge of charges) {
    if (charge.status !== 'SUCCESS' || charge.periodStart === undefined) continue;
    addToGroup(paid, charge.periodStart, charge);
  }
  return [...paid]
    .filter(([, both]) => both.length > 1)
    .map(([periodStart, both]) =>
      chargeBreak({
        breakClass: 'duplicate_charge_period',
        fingerprint: `duplicate_charge_period:${trackingId}:${periodStart}`,
        trackingId,
        paymentIds: both.map(({ paymentId }) => paymentId),
        amount: both.slice(1).reduce((sum, { amount }) => addMillimes(sum, amount), ZERO_MILLIMES),
        since,
        facts: { periodStart },
      }),
    );
}

function regressed({ since }: ChargeFacts, charge: ChargeMirror, observed: string): NewBreak {
  return chargeBreak({
    breakClass: 'settlement_regressed',
    fingerprint: `settlement_regressed:${charge.paymentId}`,
    trackingId: charge.trackingId,
    paymentIds: [charge.paymentId],
    amount: charge.amount,
    since,
    facts: { kept: charge.status, observed },
  });
}

function otherAmount({ subscription, since }: ChargeFacts, { paymentId, amountMillimes }: Charge): NewBreak {
  return chargeBreak({
    breakClass: 'webhook_mismatch',
    fingerprint: chargeMismatchFingerprint(paymentId),
    trackingId: subscription.trackingId,
    paymentIds: [paymentId],
    amount: millimes(Math.abs(amountMillimes - subscription.amount)),
    since,
    facts: { field: 'amount', ours: subscription.amount, theirs: amountMillimes },
  });
}

/**
 * Opens a break for a charge of another subscription. The money of a payment is posted once, for the subscription that
 * had it first.
 */
function belongsToAnother({ subscription, since }: ChargeFacts, { paymentId, amountMillimes }: Charge): NewBreak {
  return chargeBreak({
    breakClass: 'webhook_mismatch',
    fingerprint: `webhook_mismatch:${paymentId}:subscription_id`,
    trackingId: subscription.trackingId,
    paymentIds: [paymentId],
    amount: amountMillimes,
    since,
    facts: { field: 'subscription_id' },
  });
}
