import { type BusinessCalendar, formatDinars, shownText } from '../kernel';
import { subscriptionCreationJson } from '../shapes/subscriptions';
import type { ChargeMirror, CreateSubscriptionOutcome, SubscriptionMirror } from '../subscriptions';
import { type CliIo, EXIT, type ExitCode } from './command';
import { outcomeText } from './created-output';
import { colon, nameText, t, word } from './language';
import type { Column } from './print-table';

const STATE_WIDTH = 'incomplete_expired'.length;
const AMOUNT_WIDTH = 16;

export const SUBSCRIPTION_COLUMNS: readonly Column[] = [
  ...['tracking id', 'state', { right: 'amount' }, { right: 'paid' }, 'name', 'subscription id', 'reference', 'agent'],
];

export function subscriptionRow(subscription: SubscriptionMirror): string[] {
  const { trackingId, amount, cyclesCompleted, terms, subscriptionId, reference, agentId } = subscription;
  const names = [terms['name'], subscriptionId, reference, agentId].map((name) =>
    typeof name === 'string' ? shownText(name) : '',
  );
  return [trackingId, shownText(stateOf(subscription)), formatDinars(amount), String(cyclesCompleted), ...names];
}

function stateOf({ requestState, status }: SubscriptionMirror): string {
  const isMade = requestState === 'made' && status !== undefined;
  return isMade ? word('subscriptionStatus', status) : word('requestState', requestState);
}

/** Returns the one line that `show` and `verify` print of a subscription. */
export function subscriptionLine(subscription: SubscriptionMirror): string {
  const { trackingId, amount, terms, subscriptionId, reference, agentId } = subscription;
  const agent = agentId === undefined ? undefined : t('cli:payments.agent', { agentId });
  const names = [terms['name'], subscriptionId, reference, agent];
  return [
    trackingId,
    shownText(stateOf(subscription)).padEnd(STATE_WIDTH),
    formatDinars(amount).padStart(AMOUNT_WIDTH),
    t('cli:subscriptions.paid', { cycles: subscription.cyclesCompleted }),
    ...names.filter((name) => typeof name === 'string').map(shownText),
  ].join('  ');
}

export const CHARGE_COLUMNS: readonly Column[] = [
  ...['time', 'status', { right: 'amount' }, { right: 'fee' }, { right: 'TVA' }, 'reason', 'payment id', 'ledger'],
];

export function chargeRow(charge: ChargeMirror, calendar: Pick<BusinessCalendar, 'formatLocal'>): string[] {
  const { createdAt, status, amount, fee, tva, billingReason, attempt, paymentId, itemId } = charge;
  const reason = nameText('cli', 'billing', billingReason);
  return [
    ...[
      createdAt === undefined ? '' : calendar.formatLocal(createdAt),
      word('paymentStatus', shownText(status)),
      formatDinars(amount),
    ],
    ...[fee, tva].map((each) => (each === undefined ? '' : formatDinars(each))),
    shownText(attempt === undefined ? reason : t('cli:subscriptions.attempt', { reason, attempt })),
    ...[shownText(paymentId), t(itemId === undefined ? 'cli:subscriptions.notInLedger' : 'cli:subscriptions.inLedger')],
  ];
}

/** Prints the outcome of a creation. A refused or unknown one has the exit code of a fault. */
export function printSubscription(
  outcome: CreateSubscriptionOutcome,
  io: CliIo,
  options: { readonly json: boolean },
): ExitCode {
  if (options.json) {
    io.json(subscriptionCreationJson(outcome));
  } else if (outcome.kind === 'checked') {
    io.line(outcomeText('checked'));
  } else {
    io.line(subscriptionLine(outcome.subscription));
    const why = 'reason' in outcome ? shownText(outcome.reason) : undefined;
    const done = outcome.kind === 'unknown' ? t('cli:subscriptions.unknown') : outcomeText(outcome.kind);
    io.line(colon(done, why));
    if (outcome.subscription.link !== undefined) io.line(shownText(outcome.subscription.link));
  }
  return outcome.kind === 'refused' || outcome.kind === 'unknown' ? EXIT.fault : EXIT.done;
}
