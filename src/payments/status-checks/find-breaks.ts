import type { BusinessDays } from '../../attempts';
import type { NewBreak } from '../../breaks';
import { addDays, DAY_MS } from '../../kernel';
import type { Payment, PaymentOperation } from '../payment';
import type { CheckoutAnswer } from './find-mismatches';
import type { PaymentStatusStep } from './payment-status';
import type { SettlementStep } from './settlement-status';
import { regressedBreak, statusCheckBreak } from './status-check-break';

/** The grace of `late_settlement`, after T+1. */
const SETTLEMENT_WORKING_DAYS_MAX = 2;
/** How long a refund may stay invisible to status checks. */
const REFUND_SEEN_WITHIN_MS = 2 * DAY_MS;
const OUTSIDE = 'NOT_APPLICABLE';

/** Returns breaks for states that the gateway withdrew or reported too late. */
export function stateBreaks({
  checked,
  payment,
  answer,
  statusStep,
  settlementStep,
  since,
  isRefunded,
}: {
  readonly checked: Payment;
  readonly payment: Payment;
  readonly answer: CheckoutAnswer;
  readonly statusStep: PaymentStatusStep;
  readonly settlementStep: SettlementStep;
  readonly since: NewBreak['since'];
  readonly isRefunded: boolean;
}): NewBreak[] {
  const breaks: NewBreak[] = [];
  if (statusStep.kind === 'late_success') {
    breaks.push(
      statusCheckBreak(checked, { breakClass: 'late_success', since, facts: { from: payment.status ?? '' } }),
    );
  }
  // The interface does not show the status of a refunded payment (open point 42).
  if (statusStep.kind === 'regressed' && !isRefunded) {
    const from = payment.status ?? '';
    breaks.push(regressedBreak(checked, { of: 'status', from, to: answer.status, since }));
  }
  if (settlementStep.kind === 'refused' || settlementStep.kind === 'came_back') {
    const from = payment.settlementStatus ?? '';
    breaks.push(regressedBreak(checked, { of: 'settlement', from, to: answer.settlementStatus ?? '', since }));
  }
  return breaks;
}

/** Returns breaks for money that has not moved on in time, or that was refunded without Millime. */
export function moneyBreaks({
  checked,
  answer,
  refund,
  since,
  days,
}: {
  readonly checked: Payment;
  readonly answer: CheckoutAnswer;
  readonly refund: PaymentOperation | undefined;
  readonly since: NewBreak['since'];
  readonly days: BusinessDays;
}): NewBreak[] {
  const { status, settlementStatus, method, succeededUntil } = checked;
  if (status !== 'SUCCESS' || answer.status !== 'SUCCESS') return [];
  const breaks: NewBreak[] = [];
  if (method === 'card' && settlementStatus === 'PROCESSING' && succeededUntil !== undefined) {
    const { calendar, workingDays } = days;
    const expected = workingDays.onOrAfter(addDays(calendar.dateOf(succeededUntil), 1));
    if (workingDays.countBetween(expected, since) > SETTLEMENT_WORKING_DAYS_MAX) {
      breaks.push(
        statusCheckBreak(checked, {
          breakClass: 'late_settlement',
          direction: 'books_have_more',
          since,
          facts: { expected, settlementStatus },
        }),
      );
    }
  }
  const isSeen = answer.settlementStatus === undefined || answer.settlementStatus === OUTSIDE;
  const isOverdue =
    refund?.state === 'done' &&
    refund.endedAt !== undefined &&
    refund.endedAt + REFUND_SEEN_WITHIN_MS <= answer.observedAt;
  if ((isOverdue && !isSeen) || (refund === undefined && settlementStatus === OUTSIDE)) {
    const facts = { settlementStatus: answer.settlementStatus ?? '', refund: refund?.id ?? 'none of ours' };
    // Without the refund of the ledger the gateway pays too much; without the gateway's refund in the ledger, too little.
    const direction = refund === undefined ? 'books_have_more' : 'bank_has_more';
    breaks.push(statusCheckBreak(checked, { breakClass: 'refund_not_reflected', direction, since, facts }));
  }
  return breaks;
}
