import { type BusinessCalendar, formatDinars, shownText } from '../kernel';
import type { ChargeMirror, CreateSubscriptionOutcome, SubscriptionMirror } from '../subscriptions';
import { type CliIo, EXIT, type ExitCode } from './command';
import { CREATION_WORDS } from './created-output';
import { instantJson } from '../shapes';
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
  return requestState === 'made' && status !== undefined ? status : requestState;
}

/** Returns the one line that `show` and `verify` print of a subscription. */
export function subscriptionLine(subscription: SubscriptionMirror): string {
  const { trackingId, amount, terms, subscriptionId, reference, agentId } = subscription;
  const names = [terms['name'], subscriptionId, reference, agentId === undefined ? undefined : `agent ${agentId}`];
  return [
    trackingId,
    shownText(stateOf(subscription)).padEnd(STATE_WIDTH),
    formatDinars(amount).padStart(AMOUNT_WIDTH),
    `${subscription.cyclesCompleted} paid`,
    ...names.filter((name) => typeof name === 'string').map(shownText),
  ].join('  ');
}

export const CHARGE_COLUMNS: readonly Column[] = [
  ...['time', 'status', { right: 'amount' }, { right: 'fee' }, { right: 'TVA' }, 'reason', 'payment id', 'ledger'],
];

export function chargeRow(charge: ChargeMirror, calendar: Pick<BusinessCalendar, 'formatLocal'>): string[] {
  const { createdAt, status, amount, fee, tva, billingReason, attempt, paymentId, itemId } = charge;
  return [
    ...[createdAt === undefined ? '' : calendar.formatLocal(createdAt), shownText(status), formatDinars(amount)],
    ...[fee, tva].map((each) => (each === undefined ? '' : formatDinars(each))),
    shownText(attempt === undefined ? billingReason : `${billingReason}, attempt ${attempt}`),
    ...[shownText(paymentId), itemId === undefined ? 'not in the ledger' : 'in the ledger'],
  ];
}

export function subscriptionJson(subscription: SubscriptionMirror): Readonly<Record<string, unknown>> {
  return {
    trackingId: subscription.trackingId,
    reference: subscription.reference ?? null,
    isLive: subscription.isLive,
    agentId: subscription.agentId ?? null,
    amountMillimes: subscription.amount,
    terms: subscription.terms,
    isTest: subscription.isTest,
    requestState: subscription.requestState,
    requestError: subscription.requestError ?? null,
    requestedAt: instantJson(subscription.requestedAt),
    sentAt: instantJson(subscription.sentAt),
    subscriptionId: subscription.subscriptionId ?? null,
    firstPaymentId: subscription.firstPaymentId ?? null,
    link: subscription.link ?? null,
    sessionEndsAt: instantJson(subscription.sessionEndsAt),
    status: subscription.status ?? null,
    activatedAt: instantJson(subscription.activatedAt),
    periodStartAt: instantJson(subscription.periodStartAt),
    periodEndAt: instantJson(subscription.periodEndAt),
    nextChargeAt: instantJson(subscription.nextChargeAt),
    cyclesCompleted: subscription.cyclesCompleted,
    cancelAtPeriodEnd: subscription.cancelAtPeriodEnd,
    canceledAt: instantJson(subscription.canceledAt),
    cancellationInitiator: subscription.cancellationInitiator ?? null,
    cancellationReason: subscription.cancellationReason ?? null,
    nextLookAt: instantJson(subscription.nextCheckAt),
    nudgedAt: instantJson(subscription.triggeredAt),
    lastLookAt: instantJson(subscription.lastCheckAt),
    looks: subscription.checks,
    failedLooks: subscription.failedChecks,
    lastLookError: subscription.lastCheckError ?? null,
    recordedBy: subscription.recordedBy,
  };
}

export function chargeJson(charge: ChargeMirror): Readonly<Record<string, unknown>> {
  return {
    paymentId: charge.paymentId,
    status: charge.status,
    method: charge.method,
    billingReason: charge.billingReason,
    attempt: charge.attempt ?? null,
    periodStart: charge.periodStart ?? null,
    periodEnd: charge.periodEnd ?? null,
    amountMillimes: charge.amount,
    feeMillimes: charge.fee ?? null,
    tvaMillimes: charge.tva ?? null,
    createdAt: instantJson(charge.createdAt),
    paidAt: instantJson(charge.paidAt),
    firstSeenAt: instantJson(charge.firstSeenAt),
    lastLookAt: instantJson(charge.lastCheckAt),
    itemId: charge.itemId ?? null,
  };
}

const WORDS = {
  ...CREATION_WORDS,
  unknown: 'outcome unknown; the queue repeats the request under the same tracking id',
} as const satisfies Record<CreateSubscriptionOutcome['kind'], string>;

/** Prints the outcome of a creation. A refused or unknown one has the exit code of a fault. */
export function printSubscription(
  outcome: CreateSubscriptionOutcome,
  io: CliIo,
  options: { readonly json: boolean },
): ExitCode {
  if (options.json) {
    io.json({
      kind: outcome.kind,
      dryRun: outcome.kind === 'checked',
      subscription: outcome.kind === 'checked' ? null : subscriptionJson(outcome.subscription),
      reason: 'reason' in outcome ? outcome.reason : null,
    });
  } else if (outcome.kind === 'checked') {
    io.line(WORDS.checked);
  } else {
    io.line(subscriptionLine(outcome.subscription));
    io.line(WORDS[outcome.kind] + ('reason' in outcome ? `: ${shownText(outcome.reason)}` : ''));
    if (outcome.subscription.link !== undefined) io.line(shownText(outcome.subscription.link));
  }
  return outcome.kind === 'refused' || outcome.kind === 'unknown' ? EXIT.fault : EXIT.done;
}
