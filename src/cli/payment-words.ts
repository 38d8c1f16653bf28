import { type BusinessCalendar, formatDinars, type Instant, shownText } from '../kernel';
import type { PaymentDetails } from '../payments';

type Calendar = Pick<BusinessCalendar, 'formatLocal'>;

// The hosted checkout reports words, terminals report codes (interface sections 3.1 and 3.4).
const PENDING: readonly string[] = ['PENDING', 'PP'];
const PAID: readonly string[] = ['SUCCESS', 'PS'];
const FAILED: readonly string[] = ['FAILURE', 'SYSTEM_FAILURE', 'PF'];
const HELD: readonly string[] = ['PREAUTH_SUCCESS', 'PA'];
const AVAILABLE: readonly string[] = ['AVAILABLE', 'IN_PAYOUT', 'PAID'];

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
  if (status === undefined) {
    if (kind === 'qr') return ['created, no payment seen yet'];
    return ['created, status not checked yet'];
  }
  if (PENDING.includes(status)) {
    const until = sessionEndsAt === undefined ? '' : ` until ${calendar.formatLocal(sessionEndsAt)}`;
    return [`waiting for the customer${until}`];
  }
  if (PAID.includes(status)) return [`paid${how}`, ...moneyWords(details, calendar)];
  if (FAILED.includes(status)) return ['failed, nothing was paid'];
  if (status === 'EXPIRED') return ['expired, nothing was paid'];
  if (HELD.includes(status)) {
    // The words of the capture or the cancel follow. No status check has seen its effect yet.
    const isBeingEnded = operations.some((each) => each.kind !== 'refund' && each.state !== 'refused');
    return [isBeingEnded ? `held${how} at the last status check` : `held${how}, to be captured or cancelled`];
  }
  if (status === 'PR') return [`paid${how}`, 'refunded'];
  if (status === 'RP') return [`paid${how}`, 'refund in transit'];
  if (status === 'RF') return [`paid${how}`, 'refund failed'];
  return [`gateway status ${shownText(status)}`];
}

function moneyWords({ payment, observations, operations }: PaymentDetails, calendar: Calendar): string[] {
  const { settlementStatus } = payment;
  // The gateway no longer owes a refunded payment, even if an older status check reports otherwise.
  const refund = operations.find(({ kind, state }) => kind === 'refund' && state !== 'refused');
  if (refund?.state === 'done' || settlementStatus === undefined) return [];
  if (settlementStatus === 'PROCESSING') return ['money not available yet'];
  if (settlementStatus === 'NOT_APPLICABLE') {
    return refund === undefined
      ? ['refunded at the gateway without a refund of Millime (break refund_not_reflected)']
      : ['no money due'];
  }
  if (!AVAILABLE.includes(settlementStatus)) return [`settlement status ${shownText(settlementStatus)}`];
  const since = availableSince(observations);
  const available = since === undefined ? 'money available' : `money available since ${calendar.formatLocal(since)}`;
  if (settlementStatus === 'IN_PAYOUT') return [available, 'in a payout that is not sent yet'];
  if (settlementStatus === 'PAID') return [available, 'sent to the bank, as the gateway reports'];
  // The gateway reports payouts for cards only (interface section 3.3).
  return payment.method === 'card' ? [available, 'not in a payout yet'] : [available];
}

/** Returns when the money was first seen available, in the last uninterrupted period. */
function availableSince(observations: PaymentDetails['observations']): Instant | undefined {
  let since: Instant | undefined;
  for (const { settlementStatus, observedAt } of observations) {
    if (settlementStatus === undefined) continue;
    since = AVAILABLE.includes(settlementStatus) ? (since ?? observedAt) : undefined;
  }
  return since;
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

function bookWords({ payment: { isTest, itemId, kind, status } }: PaymentDetails): string[] {
  if (isTest) return ['test money, never in the ledger'];
  if (itemId !== undefined) return [`in the ledger as ${itemId}`];
  // Each payment of a QR code has its own item.
  if (kind === 'qr' || status === undefined || !PAID.includes(status)) return [];
  return ['not in the ledger'];
}
