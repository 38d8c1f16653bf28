import type { BusinessDays } from '../../attempts';
import { type GatewayItem, paymentItemId } from '../../gateway-items';
import { type Instant, type Millimes, ZERO_MILLIMES } from '../../kernel';
import { type Payment, startOf } from '../payment';
import type { StatusCheckDecision, StatusCheckFacts } from './apply-status-check';
import { moneyBreaks, stateBreaks } from './find-breaks';
import { bookedType, type CheckoutAnswer, findMismatches } from './find-mismatches';
import { nextCheckoutCheck } from './next-check';
import {
  isCancelDone,
  isNotPaid,
  isPaidOrStillHeld,
  nextPaymentStatus,
  type PaymentStatusStep,
} from './payment-status';
import { nextSettlementStatus, type SettlementStep } from './settlement-status';
import { statusCheckBreak } from './status-check-break';
import { syncMismatches } from './sync-mismatches';

const SOURCE = 'verify';
const OUTSIDE = 'NOT_APPLICABLE';

/**
 * Decides the effect of an answer of Verify Payment on a hosted checkout: its state, its money, its breaks, and its
 * next check. The money is posted if the payment has succeeded, agrees with the request, and no difference waits for a
 * person's decision. Test money is never posted. Pure.
 */
export function decideStatusCheck(
  facts: StatusCheckFacts,
  answer: CheckoutAnswer,
  days: BusinessDays,
): StatusCheckDecision {
  const { payment, operations } = facts;
  const since = days.calendar.dateOf(answer.observedAt);
  const refund = operations.find(({ kind, state }) => kind === 'refund' && state !== 'refused');
  const isCancelled = isCancelDone(operations);
  const compared = findMismatches(payment, operations, answer);
  const { differing: found, agreeing } = compared;
  const mismatches = syncMismatches(payment, { source: SOURCE, since, found, agreeing, known: facts.mismatches });

  const statusStep = stepOf(payment, answer.status);
  const status = 'status' in statusStep ? statusStep.status : (payment.status ?? answer.status);
  const method = answer.type === undefined || answer.type === 'NA' ? payment.method : answer.type;
  const settlementStep = settlementStepOf({
    payment,
    answer,
    status,
    method,
    statusStep,
    isRefunded: refund !== undefined,
  });
  const settlementStatus = 'status' in settlementStep ? settlementStep.status : payment.settlementStatus;
  const isAmountRight = !found.some(({ field }) => field === 'amount');
  const captured = isAmountRight ? capturedOf(payment, status, answer) : payment.captured;
  const change = { status, settlementStatus, method, captured, ...succeededWithin(payment, status, answer.observedAt) };
  const seen: Payment = { ...payment, ...change };

  const isBookable = status === 'SUCCESS' && answer.status === 'SUCCESS' && settlementStatus !== OUTSIDE;
  const item = isBookable && found.length === 0 && !mismatches.isHeld ? itemOf(seen) : undefined;
  const itemId = payment.itemId ?? item?.itemId;
  const checked: Payment = { ...seen, itemId };
  const next = nextCheckoutCheck(
    {
      status,
      settlementStatus,
      method,
      isBooked: payment.isTest || itemId !== undefined || shareOf(seen) === ZERO_MILLIMES,
      refundedAt: refund && (refund.endedAt ?? refund.requestedAt),
      isCancelled,
      startedAt: startOf(payment),
      sessionEndsAt: payment.sessionEndsAt,
      succeededAt: seen.succeededUntil,
    },
    answer.observedAt,
    days,
  );
  return {
    change: {
      ...change,
      itemId,
      nextCheckAt: next.nextCheckAt,
      ...(next.isOver ? { isLive: false } : {}),
      ...(takesReferenceBack(payment, statusStep, isCancelled) ? { isLive: true } : {}),
    },
    items: item === undefined ? [] : [item],
    breaks: [
      ...mismatches.breaks,
      ...stateBreaks({ checked, payment, answer, statusStep, settlementStep, since, isRefunded: refund !== undefined }),
      ...moneyBreaks({ checked, answer, refund, since, days }),
      ...(next.isUnclear
        ? [statusCheckBreak(checked, { breakClass: 'outcome_unknown', since, facts: { status } })]
        : []),
    ],
    resolve: mismatches.resolve,
    reopen: mismatches.reopen,
  };
}

/**
 * Returns whether the payment takes its reference back, which may have been freed: its money has arrived, or is
 * reserved and Millime did not cancel it.
 */
function takesReferenceBack({ reference, isLive }: Payment, step: PaymentStatusStep, isCancelled: boolean): boolean {
  if (reference === undefined || isLive || (step.kind !== 'moved' && step.kind !== 'late_success')) return false;
  return isPaidOrStillHeld(step.status, isCancelled);
}

/**
 * Returns the item of a successful payment's money; undefined if it is posted already, has no channel, or is test
 * money.
 */
export function itemOf(payment: Payment): GatewayItem | undefined {
  const { gatewayId, itemId, isTest, method, agentId, succeededUntil } = payment;
  const channel = bookedType(method);
  const amount = shareOf(payment);
  const isPosted = itemId !== undefined || isTest || amount === ZERO_MILLIMES;
  if (isPosted || gatewayId === undefined || channel === undefined || succeededUntil === undefined) return undefined;
  return {
    itemId: paymentItemId(gatewayId),
    channel,
    amount,
    agentId,
    refundOf: undefined,
    occurredAt: succeededUntil,
  };
}

/** Returns the integrator's share: the captured amount, otherwise the amount less the other parts of a split. */
function shareOf({ captured, ourShare }: Payment): Millimes {
  return captured ?? ourShare;
}

/** Returns the status step. A reservation with a posted capture has succeeded, even if no status check has seen it. */
function stepOf({ status, itemId }: Payment, observed: string): PaymentStatusStep {
  return nextPaymentStatus(itemId !== undefined && isNotPaid(observed) ? 'SUCCESS' : status, observed);
}

function settlementStepOf({
  payment,
  answer,
  status,
  method,
  statusStep,
  isRefunded,
}: {
  readonly payment: Payment;
  readonly answer: CheckoutAnswer;
  readonly status: string;
  readonly method: string | undefined;
  readonly statusStep: PaymentStatusStep;
  readonly isRefunded: boolean;
}): SettlementStep {
  // An answer that withdraws the success proves nothing about the money's settlement, unless Millime refunded it.
  if (statusStep.kind === 'regressed' && !isRefunded) return { kind: 'unchanged' };
  const { settlementStatus } = answer;
  if (status === 'SUCCESS') {
    return nextSettlementStatus(bookedType(method) ?? 'card', payment.settlementStatus, settlementStatus);
  }
  return settlementStatus === undefined ? { kind: 'unchanged' } : { kind: 'moved', status: settlementStatus };
}

function capturedOf(payment: Payment, status: string, { amount }: CheckoutAnswer): Millimes | undefined {
  const isCaptured = payment.kind === 'preauthorization' && status === 'SUCCESS';
  return payment.captured ?? (isCaptured ? amount : undefined);
}

/**
 * Returns when it succeeded. A time from the gateway stays; otherwise it lies between the last status check without the
 * success and this one.
 */
function succeededWithin(
  { status, captured, succeededAfter, succeededUntil, lastCheckAt, sentAt, requestedAt }: Payment,
  now: string,
  observedAt: Instant,
): Partial<Pick<Payment, 'succeededAfter' | 'succeededUntil'>> {
  if (now !== 'SUCCESS' || status === 'SUCCESS') return {};
  const isTold = succeededAfter !== undefined && succeededAfter === succeededUntil;
  // A time that was reported for a reservation is not the time of its capture.
  if (isTold && (status !== 'PREAUTH_SUCCESS' || captured !== undefined)) return {};
  return { succeededAfter: lastCheckAt ?? sentAt ?? requestedAt, succeededUntil: observedAt };
}
