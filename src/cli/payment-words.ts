import { formatDinars, type BusinessCalendar, type Instant } from '../kernel';
import type { PaymentDetails } from '../payments';
import { shownText } from './shown-text';

type Calendar = Pick<BusinessCalendar, 'formatLocal'>;

// The hosted checkout has words, terminals have codes (interface sections 3.1 and 3.4).
const PENDING: readonly string[] = ['PENDING', 'PP'];
const PAID: readonly string[] = ['SUCCESS', 'PS'];
const FAILED: readonly string[] = ['FAILURE', 'SYSTEM_FAILURE', 'PF'];
const HELD: readonly string[] = ['PREAUTH_SUCCESS', 'PA'];
const AVAILABLE: readonly string[] = ['AVAILABLE', 'IN_PAYOUT', 'PAID'];

/** Where a payment's money is, in plain words, as far as the gateway told us. Pure. */
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
      return 'on its way to the gateway';
    case 'refused':
      return `not made${why}`;
    case 'unknown':
      return `nobody knows whether the gateway has it; do not ask for it again${why}`;
    case 'abandoned':
      return 'given up: nobody learned whether the gateway had it, and it cannot be paid any more';
    case 'made':
      return 'made';
  }
}

function statusWords(details: PaymentDetails, calendar: Calendar): string[] {
  const { status, method, sessionEndsAt, kind } = details.payment;
  const how = method === undefined ? '' : ` by ${shownText(method)}`;
  if (status === undefined) {
    if (kind === 'qr') return ['shown to customers, no payment seen yet'];
    return ['made, the gateway was not asked about it yet'];
  }
  if (PENDING.includes(status)) {
    const until = sessionEndsAt === undefined ? '' : ` until ${calendar.formatLocal(sessionEndsAt)}`;
    return [`waits for the customer${until}`];
  }
  if (PAID.includes(status)) return [`paid${how}`, ...moneyWords(details, calendar)];
  if (FAILED.includes(status)) return ['failed, nothing was paid'];
  if (status === 'EXPIRED') return ['expired, nothing was paid'];
  if (HELD.includes(status)) return [`held${how}, to be captured or cancelled`];
  if (status === 'PR') return [`paid${how}`, 'refunded'];
  if (status === 'RP') return [`paid${how}`, 'a refund is on its way'];
  if (status === 'RF') return [`paid${how}`, 'a refund failed'];
  return [`the gateway says ${shownText(status)}`];
}

function moneyWords({ payment, observations, operations }: PaymentDetails, calendar: Calendar): string[] {
  const { settlementStatus } = payment;
  // What was given back is not ours any more, whatever the last look, which may be older, says of it.
  const refund = operations.find(({ kind, state }) => kind === 'refund' && state !== 'refused');
  if (refund?.state === 'done' || settlementStatus === undefined) return [];
  if (settlementStatus === 'PROCESSING') return ['money not available yet'];
  if (settlementStatus === 'NOT_APPLICABLE') {
    return refund === undefined
      ? ['given back at the gateway without a refund of ours (break refund_not_reflected)']
      : ['no money to come'];
  }
  if (!AVAILABLE.includes(settlementStatus)) return [`its money is ${shownText(settlementStatus)}`];
  const since = availableSince(observations);
  const available = since === undefined ? 'money available' : `money available since ${calendar.formatLocal(since)}`;
  if (settlementStatus === 'IN_PAYOUT') return [available, 'in a payout that is not sent yet'];
  if (settlementStatus === 'PAID') return [available, 'sent to the bank, says the gateway'];
  // Of anything but a card the gateway never says that it was paid out (interface section 3.3).
  return payment.method === 'card' ? [available, 'not in a payout yet'] : [available];
}

/** When it was first seen available, of the time in which it was so without a break. */
function availableSince(observations: PaymentDetails['observations']): Instant | undefined {
  let since: Instant | undefined;
  for (const { settlementStatus, observedAt } of observations) {
    if (settlementStatus === undefined) continue;
    since = AVAILABLE.includes(settlementStatus) ? (since ?? observedAt) : undefined;
  }
  return since;
}

const OPERATION_WORDS = {
  sending: 'on its way',
  done: 'done',
  refused: 'refused',
  unknown: 'of unknown outcome; do not ask for it again',
} as const;

/** The last try of each, for the earlier ones were refused. */
function operationWords({ operations }: PaymentDetails): string[] {
  const last = new Map(operations.map((operation) => [operation.kind, operation]));
  return [...last.values()].map(({ kind, state, amount, error }) => {
    const what = amount === undefined ? kind : `${kind} of ${formatDinars(amount)}`;
    // Nobody refused it: looking has given up, and its break is for a person.
    const isUnseen = state === 'refused' && error?.startsWith('outcome_unknown') === true;
    return `${what} ${isUnseen ? 'never seen at the gateway (break outcome_unknown)' : OPERATION_WORDS[state]}`;
  });
}

function bookWords({ payment: { isTest, itemId, kind, status } }: PaymentDetails): string[] {
  if (isTest) return ['test money, never in the books'];
  if (itemId !== undefined) return [`in the books as ${itemId}`];
  // Each payment of a code has its own item.
  if (kind === 'qr' || status === undefined || !PAID.includes(status)) return [];
  return ['not in the books'];
}
