import type { BusinessDays } from '../../attempts';
import type { NewBreak } from '../../breaks';
import { type GatewayItem, paymentItemId } from '../../gateway-items';
import { type Instant, type Millimes, ZERO_MILLIMES } from '../../kernel';
import { type Payment, type PaymentOperation, startOf } from '../payment';
import type { StatusCheckDecision, StatusCheckFacts } from './apply-status-check';
import { moneyBreaks, stateBreaks } from './find-breaks';
import { bookedType, type CheckoutAnswer, findMismatches } from './find-mismatches';
import { type CheckoutCheckFacts, nextCheckoutCheck } from './next-check';
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
  const isRefunded = refund !== undefined;
  const isCancelled = isCancelDone(operations);
  const { differing: found, agreeing } = findMismatches(payment, operations, answer);
  const mismatches = syncMismatches(payment, { source: SOURCE, since, found, agreeing, known: facts.mismatches });

  const steps = stepsOf(payment, answer, isRefunded);
  const isAmountRight = !found.some(({ field }) => field === 'amount');
  const state = stateAfter(payment, answer, steps, isAmountRight);
  const seen = { ...payment, ...state };
  const isAgreed = found.length === 0 && !mismatches.isHeld;
  const item = isAgreed && isBookable(seen, answer) ? itemOf(seen) : undefined;
  const itemId = payment.itemId ?? item?.itemId;
  const checked = { ...seen, itemId };
  const next = nextCheckoutCheck(nextCheckFacts(checked, refund, isCancelled), answer.observedAt, days);
  return {
    change: {
      ...state,
      itemId,
      nextCheckAt: next.nextCheckAt,
      ...(next.isOver ? { isLive: false } : {}),
      ...(takesReferenceBack(payment, steps.statusStep, isCancelled) ? { isLive: true } : {}),
    },
    items: item === undefined ? [] : [item],
    breaks: [
      ...mismatches.breaks,
      ...stateBreaks({ checked, payment, answer, ...steps, since, isRefunded }),
      ...moneyBreaks({ checked, answer, refund, since, days }),
      ...(next.isUnclear ? [unclearBreak(checked, since)] : []),
    ],
    resolve: mismatches.resolve,
    reopen: mismatches.reopen,
  };
}

/** The effects of an answer on the two statuses of a payment. */
interface Steps {
  readonly statusStep: PaymentStatusStep;
  readonly settlementStep: SettlementStep;
}

/** The fields that an answer decides. */
type StateAfter = Pick<Payment, 'settlementStatus' | 'method' | 'captured'> &
  Partial<Pick<Payment, 'succeededAfter' | 'succeededUntil'>> & { readonly status: string };

function stepsOf(payment: Payment, answer: CheckoutAnswer, isRefunded: boolean): Steps {
  const statusStep = statusStepOf(payment, answer.status);
  // An answer that withdraws the success proves nothing about the money's settlement, unless Millime refunded it.
  const isWithdrawn = statusStep.kind === 'regressed' && !isRefunded;
  const settlementStep: SettlementStep = isWithdrawn
    ? { kind: 'unchanged' }
    : settlementStepOf(payment, answer, statusAfter(payment, answer, statusStep));
  return { statusStep, settlementStep };
}

/** Returns the status step. A reservation with a posted capture has succeeded, even if no status check has seen it. */
function statusStepOf({ status, itemId }: Payment, observed: string): PaymentStatusStep {
  return nextPaymentStatus(itemId !== undefined && isNotPaid(observed) ? 'SUCCESS' : status, observed);
}

function settlementStepOf(payment: Payment, answer: CheckoutAnswer, status: string): SettlementStep {
  const { settlementStatus } = answer;
  if (status === 'SUCCESS') {
    const channel = bookedType(methodAfter(payment, answer)) ?? 'card';
    return nextSettlementStatus(channel, payment.settlementStatus, settlementStatus);
  }
  return settlementStatus === undefined ? { kind: 'unchanged' } : { kind: 'moved', status: settlementStatus };
}

function stateAfter(
  payment: Payment,
  answer: CheckoutAnswer,
  { statusStep, settlementStep }: Steps,
  isAmountRight: boolean,
): StateAfter {
  const status = statusAfter(payment, answer, statusStep);
  return {
    status,
    settlementStatus: 'status' in settlementStep ? settlementStep.status : payment.settlementStatus,
    method: methodAfter(payment, answer),
    captured: isAmountRight ? capturedOf(payment, status, answer) : payment.captured,
    ...succeededWithin(payment, status, answer.observedAt),
  };
}

function statusAfter(payment: Payment, answer: CheckoutAnswer, step: PaymentStatusStep): string {
  return 'status' in step ? step.status : (payment.status ?? answer.status);
}

function methodAfter({ method }: Payment, { type }: CheckoutAnswer): string | undefined {
  return type === undefined || type === 'NA' ? method : type;
}

/** Returns whether both the stored state and the answer report money that may be posted. */
function isBookable({ status, settlementStatus }: Payment, answer: CheckoutAnswer): boolean {
  return status === 'SUCCESS' && answer.status === 'SUCCESS' && settlementStatus !== OUTSIDE;
}

function nextCheckFacts(
  payment: Payment & { readonly status: string },
  refund: PaymentOperation | undefined,
  isCancelled: boolean,
): CheckoutCheckFacts {
  const { status, settlementStatus, method, isTest, itemId, sessionEndsAt, succeededUntil } = payment;
  return {
    status,
    settlementStatus,
    method,
    isBooked: isTest || itemId !== undefined || shareOf(payment) === ZERO_MILLIMES,
    refundedAt: refund && (refund.endedAt ?? refund.requestedAt),
    isCancelled,
    startedAt: startOf(payment),
    sessionEndsAt,
    succeededAt: succeededUntil,
  };
}

function unclearBreak(payment: Payment & { readonly status: string }, since: NewBreak['since']): NewBreak {
  return statusCheckBreak(payment, { breakClass: 'outcome_unknown', since, facts: { status: payment.status } });
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
