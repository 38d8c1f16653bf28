import { UNKNOWN_FOLLOWED_MS, UNKNOWN_GRACE_MS } from '../../attempts';
import type { ReconBreak } from '../../breaks';
import type { PosTransaction } from '../../gateway';
import { type GatewayItem, paymentItemId, refundItemId } from '../../gateway-items';
import { DAY_MS, type Instant, negateMillimes } from '../../kernel';
import type { ChannelDecision, FoundByStatusCheck, Payment } from '../../payments';
import { NOT_LISTED } from '../payment-channels';
import { POS_FOLLOWED_MS, posContradictions, posMismatches, posPuzzles } from './pos-breaks';
import { type PosFacts, statusSince } from './pos-facts';
import { nextBookedPosCheck, nextPosCheck } from './pos-next-check';
import { hasPosSucceeded, isOddPosSettlement, methodOfPos, movePosStatus, type PosChoice } from './pos-status';

/** How long a transaction must be unlisted before a break opens. */
const UNLISTED_GRACE_MS = 2 * DAY_MS;
const IDS_SHOWN_MAX = 10;

type PaymentChange = ChannelDecision['change'];

/** Decides what the status of a POS transaction means (interface section 3.4, open points 73, 126 and 129). Pure. */
export function decidePos(facts: PosFacts, choice: PosChoice): ChannelDecision {
  switch (choice.kind) {
    case 'none':
      return facts.payment.requestState === 'unknown' ? decideUnknown(facts) : decideMissing(facts);
    case 'several':
      return decideSeveral(facts, choice.rows);
    case 'one':
      return decideRow(facts, choice.row);
  }
}

/** Decides about a start that may not have reached the gateway. */
function decideUnknown({ startedAt, observedAt, nextCheck }: PosFacts): ChannelDecision {
  const followedUntil = startedAt + UNKNOWN_FOLLOWED_MS;
  const next = nextCheck(followedUntil);
  const graceEndsAt = startedAt + UNKNOWN_GRACE_MS;
  if (observedAt < graceEndsAt) return without({ nextCheckAt: Math.min(next ?? graceEndsAt, graceEndsAt) });
  const found: FoundByStatusCheck = {
    breakClass: 'outcome_unknown',
    facts: { operation: 'pos.start', reason: 'not listed' },
  };
  if (next !== undefined) return without({ nextCheckAt: Math.min(next, followedUntil) }, [found]);
  return without({ requestState: 'abandoned', isLive: false, nextCheckAt: undefined }, [found]);
}

/**
 * Decides about a started transaction that is not listed. Lists may lag, so a break opens only if it stays unlisted. A
 * posted transaction was listed before. The gateway may not keep it forever, so its absence contradicts nothing.
 */
function decideMissing(facts: PosFacts): ChannelDecision {
  const { payment, observedAt } = facts;
  if (payment.itemId !== undefined) return without({ nextCheckAt: nextBookedPosCheck(payment, observedAt) });
  const missedFrom = statusSince(facts, NOT_LISTED) + UNLISTED_GRACE_MS;
  const nextCheckAt = nextOf(facts, missedFrom);
  if (nextCheckAt !== undefined) return without({ nextCheckAt });
  return without({ nextCheckAt }, [{ breakClass: 'pos_unknown', facts: { reason: 'not listed' } }]);
}

function decideSeveral(facts: PosFacts, rows: readonly PosTransaction[]): ChannelDecision {
  const ids = rows.map(({ serviceTransactionId }) => serviceTransactionId).slice(0, IDS_SHOWN_MAX);
  const found: FoundByStatusCheck = {
    breakClass: 'pos_unknown',
    detail: 'several',
    facts: { reason: 'several transactions', transactions: rows.length, ids: ids.join(' ') },
  };
  return without({ requestState: 'made', nextCheckAt: nextOf(facts) }, [found]);
}

function decideRow(facts: PosFacts, row: PosTransaction): ChannelDecision {
  const { payment, observedAt } = facts;
  const move = movePosStatus(payment.status, row.paymentStatus);
  const isOdd = isOddPosSettlement(payment.settlementStatus, row);
  const mismatches = posMismatches(payment, row);
  const isHeld = facts.isHeld(mismatches);
  const isRegressed = move === 'regressed';
  const isCertain = mismatches.length === 0 && !isHeld && !isRegressed;
  const items = isCertain && !payment.isTest ? itemsOf(payment, row, observedAt) : [];
  const others = posContradictions(payment, row, { move, isOdd });
  const puzzles = isRegressed ? [] : posPuzzles(facts, row);
  const [paid] = items;
  const isBooked = payment.isTest || payment.itemId !== undefined || paid !== undefined;
  return {
    change: {
      requestState: 'made',
      requestError: undefined,
      ...(payment.gatewayId === undefined ? { gatewayId: row.serviceTransactionId } : {}),
      ...(isRegressed ? {} : stateOf(facts, row, isOdd)),
      ...(paid === undefined ? {} : { itemId: paid.itemId }),
      nextCheckAt: nextPosCheck(facts, row, { isBooked, isOdd: isOdd || isRegressed, isHeld }),
    },
    items,
    breaks: [...others, ...puzzles],
    mismatches,
    resolve: answered(facts.unknownOutcome),
  };
}

/** Resolves the break about the start, whose outcome is now known. */
function answered(unknownOutcome: ReconBreak | undefined): NonNullable<ChannelDecision['resolve']> {
  if (unknownOutcome === undefined || unknownOutcome.status === 'resolved') return [];
  return [{ id: unknownOutcome.id, resolution: 'seen_later' }];
}

function stateOf({ payment, startedAt, observedAt }: PosFacts, row: PosTransaction, isOdd: boolean): PaymentChange {
  const isFirstSuccess = hasPosSucceeded(row.paymentStatus) && payment.succeededUntil === undefined;
  return {
    status: row.paymentStatus,
    ...(row.paymentMethod === null ? {} : { method: row.paymentMethod }),
    ...(isOdd || row.settlementStatus === undefined ? {} : { settlementStatus: row.settlementStatus }),
    ...(isFirstSuccess ? { succeededAfter: payment.lastCheckAt ?? startedAt, succeededUntil: observedAt } : {}),
    // The operator at the terminal tries again immediately, so a failure frees the reference. A later success takes it
    // back.
    ...(row.paymentStatus === 'PF' ? { isLive: false } : {}),
    ...(isFirstSuccess && payment.status === 'PF' ? { isLive: true } : {}),
  };
}

/**
 * Returns the items of the payment and of its completed refund. A refunded payment was paid, even if no check saw that.
 */
function itemsOf(payment: Payment, row: PosTransaction, occurredAt: Instant): readonly GatewayItem[] {
  if (!hasPosSucceeded(row.paymentStatus) || methodOfPos(row.paymentMethod ?? payment.method) !== 'cleared') return [];
  const { agentId, ourShare, gatewayId = row.serviceTransactionId } = payment;
  // The gateway's id in its first spelling: item ids compare by bytes, and the gateway may answer in another case.
  const itemId = paymentItemId(gatewayId);
  const paid: GatewayItem = { itemId, channel: 'pos', amount: ourShare, agentId, refundOf: undefined, occurredAt };
  if (row.paymentStatus !== 'PR') return [paid];
  const refundId = refundItemId(gatewayId);
  return [paid, { ...paid, itemId: refundId, amount: negateMillimes(ourShare), refundOf: itemId }];
}

function nextOf({ startedAt, nextCheck }: PosFacts, atLeastUntil = 0): Instant | undefined {
  return nextCheck(Math.max(startedAt + POS_FOLLOWED_MS, atLeastUntil));
}

/** Returns a decision without items: the change and the breaks. */
function without(change: PaymentChange, breaks: readonly FoundByStatusCheck[] = []): ChannelDecision {
  return { change, items: [], breaks };
}
