import type { NewBreak } from '../breaks';
import type { Charge } from '../gateway';
import type { GatewayItem } from '../gateway-items';
import { addMillimes, type BusinessDate, type Instant, millimes, parseInstant, ZERO_MILLIMES } from '../kernel';
import { type ChargeStep, nextChargeStatus } from './charge-status';
import { chargeBreak, chargeMismatchFingerprint } from './subscription-breaks';
import type { ChargeMirror, SubscriptionMirror } from './subscriptions';

export interface ChargeFacts {
  readonly subscription: Pick<SubscriptionMirror, 'trackingId' | 'agentId' | 'amount'>;
  readonly isTest: boolean;
  /** Whether something of the subscription itself keeps all its charges out of the books. */
  readonly isHeld: boolean;
  readonly known: readonly ChargeMirror[];
  /** Payment ids that are charges of another subscription of ours. */
  readonly ofOthers: ReadonlySet<string>;
  readonly listed: readonly Charge[];
  /** Breaks that a person has resolved: what they are about is accepted. */
  readonly resolved: ReadonlySet<string>;
  readonly observedAt: Instant;
  readonly since: BusinessDate;
}

/** A charge as it is from now on, and what is to be done for it. */
export interface ChargeDecision {
  readonly charge: ChargeMirror;
  readonly listed: Charge;
  /** As it was seen last; undefined at first sight. */
  readonly before: ChargeMirror | undefined;
  /** The gateway said something of it that it had not said before. */
  readonly hasChanged: boolean;
  readonly toPost: GatewayItem | undefined;
  /** Its fee is to be reported to the books, because it or the item is new there. */
  readonly hasFeeToPost: boolean;
}

/**
 * What the list of a subscription's charges means: each charge's next state, what is posted, and the breaks. Each
 * SUCCESS is posted, also two of one period (that is a break, and real money), unless its amount is not the agreed one,
 * the subscription is not what we asked for, or it is test money. Pure.
 */
export function decideCharges(facts: ChargeFacts): {
  readonly decisions: readonly ChargeDecision[];
  readonly breaks: readonly NewBreak[];
  /** What we had seen and the gateway no longer lists. Kept. */
  readonly vanished: readonly ChargeMirror[];
} {
  const { known, listed, ofOthers } = facts;
  const before = new Map(known.map((charge) => [charge.paymentId, charge]));
  const named = new Set(listed.map(({ paymentId }) => paymentId));
  const vanished = known.filter(({ paymentId }) => !named.has(paymentId));
  const breaks: NewBreak[] = vanished.map((charge) => regressed(facts, charge, 'vanished'));
  const decisions: ChargeDecision[] = [];
  // The oldest first, so that the books have them in their order.
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

/** The charge as it is now. A fee that was told once stays until another one is told. */
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
    // What is in the books is what was posted.
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
    // Open point 27: the time is good for a charge that is SUCCESS, and says nothing of others.
    occurredAt: charge.paidAt ?? charge.createdAt ?? observedAt,
  };
}

/** At most one SUCCESS per first day of a period (interface section 2.5, open point 29). */
function paidTwice({ subscription, since }: ChargeFacts, charges: readonly ChargeMirror[]): NewBreak[] {
  const { trackingId } = subscription;
  const paid = new Map<BusinessDate, ChargeMirror[]>();
  for (const charge of charges) {
    if (charge.status !== 'SUCCESS' || charge.periodStart === undefined) continue;
    paid.set(charge.periodStart, [...(paid.get(charge.periodStart) ?? []), charge]);
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

/** The money of one payment is in the books once: for the subscription that had it first. */
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

function instantOf(text: string | null): Instant | undefined {
  return text === null ? undefined : parseInstant(text);
}
