import { type BusinessCalendar, formatDinars, shownText } from '../kernel';
import { type PaymentDetails, type PaymentProgress, progressOf } from '../payments';

type Calendar = Pick<BusinessCalendar, 'formatLocal'>;

/** Describes where the money of a payment is, as the gateway reports it. Pure. */
export function paymentWords(details: PaymentDetails, calendar: Calendar): string {
  const { payment } = details;
  if (payment.requestState !== 'made') return requestWords(details);
  return [...statusWords(details, calendar), ...operationWords(details), ...bookWords(details)].join(', ');
}

function requestWords({ payment: { requestState, requestError } }: PaymentDetails): string {
  const why = requestError === undefined ? '' : `: ${shownText(requestError)}`;
  switch (requestState) {
    case 'requested':
      return 'in the queue, not sent to the gateway yet';
    case 'sending':
      return 'in transit to the gateway';
    case 'refused':
      return `refused${why}`;
    case 'unknown':
      return `outcome unknown, do not repeat the request${why}`;
    case 'abandoned':
      return 'unresolved: the gateway never confirmed it, and it can no longer be paid';
    case 'made':
      return 'created';
  }
}

function statusWords(details: PaymentDetails, calendar: Calendar): string[] {
  const { payment, operations } = details;
  const { status, method, sessionEndsAt, kind } = payment;
  const how = method === undefined ? '' : ` by ${shownText(method)}`;
  const progress = progressOf(details);
  switch (progress.code) {
    case 'created':
      return [kind === 'qr' ? 'created, no payment seen yet' : 'created, status not checked yet'];
    case 'waiting': {
      const until = sessionEndsAt === undefined ? '' : ` until ${calendar.formatLocal(sessionEndsAt)}`;
      return [`waiting for the customer${until}`];
    }
    case 'paid':
      return [`paid${how}`, ...moneyWords(details, progress, calendar)];
    case 'failed':
      return ['failed, nothing was paid'];
    case 'expired':
      return ['expired, nothing was paid'];
    case 'held': {
      // The words of the capture or the cancel follow. No status check has seen its effect yet.
      const isBeingEnded = operations.some((each) => each.kind !== 'refund' && each.state !== 'refused');
      return [isBeingEnded ? `held${how} at the last status check` : `held${how}, to be captured or cancelled`];
    }
    case 'refunded':
      return [`paid${how}`, 'refunded'];
    case 'refund_sent':
      return [`paid${how}`, 'refund in transit'];
    case 'refund_failed':
      return [`paid${how}`, 'refund failed'];
    default:
      return [`gateway status ${shownText(status ?? '')}`];
  }
}

function moneyWords(
  { payment: { settlementStatus, method } }: PaymentDetails,
  { availability, availableSince }: PaymentProgress,
  calendar: Calendar,
): string[] {
  const since = availableSince === undefined ? '' : ` since ${calendar.formatLocal(availableSince)}`;
  const available = `money available${since}`;
  switch (availability) {
    case undefined:
      return [];
    case 'not_yet':
      return ['money not available yet'];
    case 'refunded_elsewhere':
      return ['refunded at the gateway without a refund of Millime (break refund_not_reflected)'];
    case 'not_owed':
      return ['no money due'];
    case 'other':
      return [`settlement status ${shownText(settlementStatus ?? '')}`];
    case 'in_payout':
      return [available, 'in a payout that is not sent yet'];
    case 'sent_to_bank':
      return [available, 'sent to the bank, as the gateway reports'];
    case 'available':
      // The gateway reports payouts for cards only (interface section 3.3).
      return method === 'card' ? [available, 'not in a payout yet'] : [available];
  }
}

const OPERATION_WORDS = {
  sending: 'in transit',
  done: 'done',
  refused: 'refused',
  unknown: 'of unknown outcome; do not repeat it',
} as const;

/** Describes the last operation of each kind. The gateway refused the earlier ones. */
function operationWords({ operations }: PaymentDetails): string[] {
  const last = new Map(operations.map((operation) => [operation.kind, operation]));
  return [...last.values()].map(({ kind, state, amount, error }) => {
    const what = amount === undefined ? kind : `${kind} of ${formatDinars(amount)}`;
    // The gateway did not refuse it: the status checks ended without an answer and opened a break.
    const isUnseen = state === 'refused' && error?.startsWith('outcome_unknown') === true;
    return `${what} ${isUnseen ? 'never seen at the gateway (break outcome_unknown)' : OPERATION_WORDS[state]}`;
  });
}

function bookWords(details: PaymentDetails): string[] {
  const { isTest, itemId, kind } = details.payment;
  if (isTest) return ['test money, never in the ledger'];
  if (itemId !== undefined) return [`in the ledger as ${itemId}`];
  // Each payment of a QR code has its own item.
  return kind === 'qr' || progressOf(details).code !== 'paid' ? [] : ['not in the ledger'];
}
