import { directionOf, type NewBreak } from '../breaks';
import type { Session } from '../db';
import { type PostedBy, postFee, postItem } from '../gateway-items';
import { addMillimes, assert, type BusinessDate, type Instant, negateMillimes, ZERO_MILLIMES } from '../kernel';
import { openChargeStore } from './charge-store';
import type { ChargeDecision } from './decide-charges';
import type { StatusCheckDecision } from './decide-status-check';
import { chargeBreak } from './subscription-breaks';
import type { ChargeMirror } from './subscriptions';

interface WriteFacts {
  readonly trackingId: string;
  readonly observedAt: Instant;
  readonly since: BusinessDate;
  readonly by: PostedBy;
}

/**
 * Stores the decisions about charges, and posts their money and fees. Returns the breaks that only posting can find:
 * fees that differ from an earlier report.
 */
export async function writeCharges(
  session: Session,
  { charges, vanished }: Pick<StatusCheckDecision, 'charges' | 'vanished'>,
  facts: WriteFacts,
): Promise<NewBreak[]> {
  const { trackingId, observedAt, by } = facts;
  const store = openChargeStore(session);
  await store.recordCheck(trackingId, observedAt, new Set(vanished.map(({ paymentId }) => paymentId)));
  const found: NewBreak[] = [];
  for (const decision of charges) {
    const { charge, listed, before, hasChanged, toPost } = decision;
    if (before === undefined) await store.add(charge);
    else if (hasChanged || toPost !== undefined) await store.replace(charge);
    if (hasChanged) {
      const { paymentId, status, feeMillimes, tvaMillimes, raw } = listed;
      const fees = { fee: feeMillimes ?? undefined, tva: tvaMillimes ?? undefined };
      await store.observe({ paymentId, observedAt, status, ...fees, detail: JSON.stringify(raw) }, by.recordedAt);
    }
    if (toPost !== undefined) await postItem(session, toPost, by);
    if (decision.hasFeeToPost) found.push(...(await reportFee(session, decision, facts)));
  }
  return found;
}

async function reportFee(
  session: Session,
  { charge, before }: ChargeDecision,
  { trackingId, observedAt, since, by }: WriteFacts,
): Promise<NewBreak[]> {
  const { itemId, fee, tva, paymentId } = charge;
  assert(itemId !== undefined && fee !== undefined && tva !== undefined, 'a fee to post is known, and so is its item');
  const outcome = await postFee(session, { itemId, fee, tva, occurredAt: observedAt }, by);
  if (outcome !== 'corrected') return [];
  const difference = addMillimes(costOf(charge), negateMillimes(costOf(before)));
  return [
    chargeBreak({
      breakClass: 'fee_unexplained',
      // Each correction is a separate fact.
      fingerprint: `fee_unexplained:${paymentId}:${fee}:${tva}`,
      trackingId,
      paymentIds: [paymentId],
      amount: difference,
      direction: directionOf(difference),
      since,
      facts: { feeMillimes: fee, tvaMillimes: tva, feeBeforeMillimes: before?.fee, tvaBeforeMillimes: before?.tva },
    }),
  ];
}

function costOf(charge: ChargeMirror | undefined) {
  return addMillimes(charge?.fee ?? ZERO_MILLIMES, charge?.tva ?? ZERO_MILLIMES);
}
