import { type BusinessCalendar, formatDinars, shownText } from '../kernel';
import { type PaymentDetails, type PaymentProgress, progressOf } from '../payments';
import { colon, t, word } from './language';

type Calendar = Pick<BusinessCalendar, 'formatLocal'>;

/** Describes where the money of a payment is, as the gateway reports it. Pure. */
export function paymentWords(details: PaymentDetails, calendar: Calendar): string {
  const { payment } = details;
  if (payment.requestState !== 'made') return requestWords(details);
  return [...statusWords(details, calendar), ...operationWords(details), ...bookWords(details)].join(', ');
}

function requestWords({ payment: { requestState, requestError } }: PaymentDetails): string {
  const why = requestError === undefined ? undefined : shownText(requestError);
  const state = t(`cli:paymentState.${requestState}`);
  return requestState === 'refused' || requestState === 'unknown' ? colon(state, why) : state;
}

function statusWords(details: PaymentDetails, calendar: Calendar): string[] {
  const { payment, operations } = details;
  const { status, method, sessionEndsAt, kind } = payment;
  const by = method === undefined ? undefined : word('paymentMethod', shownText(method));
  const paid = by === undefined ? t('cli:paymentState.paid') : t('cli:paymentState.paidBy', { by });
  const progress = progressOf(details);
  switch (progress.code) {
    case 'created':
      return [t(kind === 'qr' ? 'cli:paymentState.noPayment' : 'cli:paymentState.notChecked')];
    case 'waiting':
      return sessionEndsAt === undefined
        ? [t('cli:paymentState.waiting')]
        : [t('cli:paymentState.waitingUntil', { until: calendar.formatLocal(sessionEndsAt) })];
    case 'paid':
      return [paid, ...moneyWords(details, progress, calendar)];
    case 'failed':
      return [t('cli:paymentState.failed')];
    case 'expired':
      return [t('cli:paymentState.expired')];
    case 'held': {
      // The words of the capture or the cancel follow. No status check has seen its effect yet.
      const isBeingEnded = operations.some((each) => each.kind !== 'refund' && each.state !== 'refused');
      const held = by === undefined ? t('cli:paymentState.held') : t('cli:paymentState.heldBy', { by });
      return [t(isBeingEnded ? 'cli:paymentState.heldBefore' : 'cli:paymentState.heldNow', { held })];
    }
    case 'refunded':
      return [paid, t('cli:paymentState.refunded')];
    case 'refund_sent':
      return [paid, t('cli:paymentState.refundSent')];
    case 'refund_failed':
      return [paid, t('cli:paymentState.refundFailed')];
    default:
      return [t('cli:paymentState.gatewayStatus', { status: shownText(status ?? '') })];
  }
}

function moneyWords(
  { payment: { settlementStatus, method } }: PaymentDetails,
  { availability, availableSince }: PaymentProgress,
  calendar: Calendar,
): string[] {
  const available =
    availableSince === undefined
      ? t('cli:paymentState.available')
      : t('cli:paymentState.availableSince', { since: calendar.formatLocal(availableSince) });
  switch (availability) {
    case undefined:
      return [];
    case 'not_yet':
      return [t('cli:paymentState.notAvailable')];
    case 'refunded_elsewhere':
      return [t('cli:paymentState.refundedElsewhere')];
    case 'not_owed':
      return [t('cli:paymentState.notOwed')];
    case 'other':
      return [t('cli:paymentState.settlement', { status: shownText(settlementStatus ?? '') })];
    case 'in_payout':
      return [available, t('cli:paymentState.inPayout')];
    case 'sent_to_bank':
      return [available, t('cli:paymentState.sentToBank')];
    case 'available':
      // The gateway reports payouts for cards only (interface section 3.3).
      return method === 'card' ? [available, t('cli:paymentState.notInPayout')] : [available];
  }
}

/** Describes the last operation of each kind. The gateway refused the earlier ones. */
function operationWords({ operations }: PaymentDetails): string[] {
  const last = new Map(operations.map((operation) => [operation.kind, operation]));
  return [...last.values()].map(({ kind, state, amount, error }) => {
    const name = word('operationKind', kind);
    const what = amount === undefined ? name : t('cli:paymentState.operation', { name, amount: formatDinars(amount) });
    // The gateway did not refuse it: the status checks ended without an answer and opened a break.
    const isUnseen = state === 'refused' && error?.startsWith('outcome_unknown') === true;
    return `${what} ${t(isUnseen ? 'cli:paymentState.neverSeen' : `cli:operationState.${state}`)}`;
  });
}

function bookWords(details: PaymentDetails): string[] {
  const { isTest, itemId, kind } = details.payment;
  if (isTest) return [t('cli:paymentState.testMoney')];
  if (itemId !== undefined) return [t('cli:paymentState.inLedger', { itemId })];
  // Each payment of a QR code has its own item.
  return kind === 'qr' || progressOf(details).code !== 'paid' ? [] : [t('cli:paymentState.notInLedger')];
}
