import type { NewBreak, ReconBreak } from '../../breaks';
import type { PosTransaction } from '../../gateway';
import { type GatewayItem, paymentItemId, refundItemId } from '../../gateway-items';
import { type BusinessCalendar, type Instant, negateMillimes, type WorkingDays } from '../../kernel';
import {
  type ChannelFacts,
  DAY_MS,
  nextChannelCheck,
  NOT_LISTED,
  type Payment,
  type PaymentChange,
  startOf,
  statusCheckBreak,
  type StatusCheckDecision,
  statusSince,
  syncMismatches,
} from '../../payments';
import { POS_FOLLOWED_MS, posContradictions, posMismatches, posPuzzles } from './pos-breaks';
import { nextBookedPosCheck, nextPosCheck } from './pos-next-check';
import { hasPosSucceeded, isOddPosSettlement, methodOfPos, movePosStatus, type PosChoice } from './pos-status';

/** Open point 129: when a start of unknown outcome opens a break, and when it is abandoned. */
const UNKNOWN_GRACE_MS = 40 * 60 * 1_000;
const UNKNOWN_FOLLOWED_MS = 5 * DAY_MS;
/** For how long a transaction must be unlisted before a break opens. */
const UNLISTED_GRACE_MS = 2 * DAY_MS;
/** The resolution of the break of a start that a later check found. */
const FOUND = 'a later status check found it';
const IDS_SHOWN_MAX = 10;

export interface PosDays {
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
}

export interface PosFacts extends ChannelFacts {
  /** The mismatches of the payment so far, resolved ones too. */
  readonly mismatches: readonly ReconBreak[];
  /** Opened while it was unknown whether the start had reached the gateway. */
  readonly unknownOutcome: ReconBreak | undefined;
}

/** Decides by the status of a POS transaction (interface section 3.4, open points 73, 126 and 129). Pure. */
export function decidePos(days: PosDays, facts: PosFacts, choice: PosChoice): StatusCheckDecision {
  switch (choice.kind) {
    case 'none':
      return facts.payment.requestState === 'unknown' ? decideUnknown(days, facts) : decideMissing(days, facts);
    case 'several':
      return decideSeveral(days, facts, choice.rows);
    case 'one':
      return decideRow(days, facts, choice.row);
  }
}

/** The start may not have reached the gateway. */
function decideUnknown(days: PosDays, { payment, observedAt }: PosFacts): StatusCheckDecision {
  const startedAt = startOf(payment);
  const followedUntil = startedAt + UNKNOWN_FOLLOWED_MS;
  const next = nextChannelCheck({ startedAt, followedUntil }, observedAt);
  const graceEndsAt = startedAt + UNKNOWN_GRACE_MS;
  if (observedAt < graceEndsAt) return without({ nextCheckAt: Math.min(next ?? graceEndsAt, graceEndsAt) });
  const found = statusCheckBreak(payment, {
    since: days.calendar.dateOf(observedAt),
    breakClass: 'outcome_unknown',
    facts: { operation: 'pos.start', reason: 'not listed' },
  });
  if (next !== undefined) return without({ nextCheckAt: Math.min(next, followedUntil) }, [found]);
  return without({ requestState: 'abandoned', isLive: false, nextCheckAt: undefined }, [found]);
}

/**
 * It was started, and is not listed. Lists may lag, so a break opens only when it stays unlisted. A posted transaction
 * was listed before; how long the gateway keeps it is unknown, so its absence contradicts nothing.
 */
function decideMissing(days: PosDays, facts: PosFacts): StatusCheckDecision {
  const { payment, observedAt } = facts;
  if (payment.itemId !== undefined) return without({ nextCheckAt: nextBookedPosCheck(payment, observedAt) });
  const missedFrom = statusSince(facts, NOT_LISTED) + UNLISTED_GRACE_MS;
  const nextCheckAt = nextOf(payment, observedAt, missedFrom);
  if (nextCheckAt !== undefined) return without({ nextCheckAt });
  const found = statusCheckBreak(payment, {
    since: days.calendar.dateOf(observedAt),
    breakClass: 'pos_unknown',
    facts: { reason: 'not listed' },
  });
  return without({ nextCheckAt }, [found]);
}

function decideSeveral(
  days: PosDays,
  { payment, observedAt }: PosFacts,
  rows: readonly PosTransaction[],
): StatusCheckDecision {
  const ids = rows.map(({ serviceTransactionId }) => serviceTransactionId).slice(0, IDS_SHOWN_MAX);
  const found = statusCheckBreak(payment, {
    since: days.calendar.dateOf(observedAt),
    breakClass: 'pos_unknown',
    detail: 'several',
    facts: { reason: 'several transactions', transactions: rows.length, ids: ids.join(' ') },
  });
  return without({ requestState: 'made', nextCheckAt: nextOf(payment, observedAt) }, [found]);
}

function decideRow(days: PosDays, facts: PosFacts, row: PosTransaction): StatusCheckDecision {
  const { payment, observedAt, mismatches: known } = facts;
  const since = days.calendar.dateOf(observedAt);
  const move = movePosStatus(payment.status, row.paymentStatus);
  const isOdd = isOddPosSettlement(payment.settlementStatus, row);
  const found = posMismatches(payment, row);
  const { isHeld, breaks, ...synced } = syncMismatches(payment, { source: 'pos_status', since, found, known });
  const isRegressed = move === 'regressed';
  const isCertain = found.length === 0 && !isHeld && !isRegressed;
  const items = isCertain && !payment.isTest ? itemsOf(payment, row, observedAt) : [];
  const others = posContradictions(payment, row, { move, isOdd });
  const puzzles = isRegressed ? [] : posPuzzles(days, facts, row);
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
    breaks: [...breaks, ...[...others, ...puzzles].map((each) => statusCheckBreak(payment, { ...each, since }))],
    ...synced,
    resolve: [...synced.resolve, ...answered(facts.unknownOutcome)],
  };
}

/** Resolves the break of the start: its outcome is known. */
function answered(unknownOutcome: ReconBreak | undefined): NonNullable<StatusCheckDecision['resolve']> {
  if (unknownOutcome === undefined || unknownOutcome.status === 'resolved') return [];
  return [{ id: unknownOutcome.id, resolution: FOUND }];
}

function stateOf({ payment, observedAt }: PosFacts, row: PosTransaction, isOdd: boolean): PaymentChange {
  const isFirstSuccess = hasPosSucceeded(row.paymentStatus) && payment.succeededUntil === undefined;
  return {
    status: row.paymentStatus,
    ...(row.paymentMethod === null ? {} : { method: row.paymentMethod }),
    ...(isOdd || row.settlementStatus === undefined ? {} : { settlementStatus: row.settlementStatus }),
    ...(isFirstSuccess ? { succeededAfter: payment.lastCheckAt ?? startOf(payment), succeededUntil: observedAt } : {}),
    // The operator at the terminal tries again immediately; a later success takes its reference back.
    ...(row.paymentStatus === 'PF' ? { isLive: false } : {}),
    ...(isFirstSuccess && payment.status === 'PF' ? { isLive: true } : {}),
  };
}

/** The payment, and its refund once done. A refunded payment was paid, even if no check saw it paid. */
function itemsOf(payment: Payment, row: PosTransaction, occurredAt: Instant): readonly GatewayItem[] {
  if (!hasPosSucceeded(row.paymentStatus) || methodOfPos(row.paymentMethod ?? payment.method) !== 'cleared') return [];
  const { agentId, ourShare, gatewayId = row.serviceTransactionId } = payment;
  // In its first spelling: item ids compare by bytes, and the gateway may answer in another case.
  const itemId = paymentItemId(gatewayId);
  const paid: GatewayItem = { itemId, channel: 'pos', amount: ourShare, agentId, refundOf: undefined, occurredAt };
  if (row.paymentStatus !== 'PR') return [paid];
  const refundId = refundItemId(gatewayId);
  return [paid, { ...paid, itemId: refundId, amount: negateMillimes(ourShare), refundOf: itemId }];
}

function nextOf(payment: Payment, now: Instant, atLeastUntil = 0): Instant | undefined {
  const startedAt = startOf(payment);
  return nextChannelCheck({ startedAt, followedUntil: Math.max(startedAt + POS_FOLLOWED_MS, atLeastUntil) }, now);
}

/** The decision when no row is listed: the plan and the breaks. */
function without(change: PaymentChange, breaks: readonly NewBreak[] = []): StatusCheckDecision {
  return { change, items: [], breaks };
}
