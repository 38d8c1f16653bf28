import { formatDinars, type BusinessCalendar } from '../kernel';
import type { ChargeMirror, CreateSubscriptionOutcome, SubscriptionMirror } from '../subscriptions';
import { EXIT, type CliIo, type ExitCode } from './command';
import { instantJson } from './instant-json';
import { shownText } from './shown-text';

const STATE_WIDTH = 'incomplete_expired'.length;
const CHARGE_STATUS_WIDTH = 'SUCCESS'.length;
const AMOUNT_WIDTH = 16;

/** One row of a list, for people. */
export function subscriptionLine(subscription: SubscriptionMirror): string {
  const { trackingId, requestState, status, amount, terms, subscriptionId, reference, agentId } = subscription;
  const state = requestState === 'made' && status !== undefined ? status : requestState;
  const names = [terms['name'], subscriptionId, reference, agentId === undefined ? undefined : `agent ${agentId}`];
  return [
    trackingId,
    shownText(state).padEnd(STATE_WIDTH),
    formatDinars(amount).padStart(AMOUNT_WIDTH),
    `${subscription.cyclesCompleted} paid`,
    ...names.filter((name) => typeof name === 'string').map(shownText),
  ].join('  ');
}

/** One row of a list, for people. */
export function chargeLine(charge: ChargeMirror, calendar: Pick<BusinessCalendar, 'formatLocal'>): string {
  const { createdAt, status, amount, fee, tva, billingReason, attempt, paymentId, itemId } = charge;
  const costs =
    fee === undefined || tva === undefined ? 'fee not known yet' : `fee ${formatDinars(fee)}, TVA ${formatDinars(tva)}`;
  return [
    createdAt === undefined ? 'no time'.padEnd('2026-01-31 00:00:00'.length) : calendar.formatLocal(createdAt),
    shownText(status).padEnd(CHARGE_STATUS_WIDTH),
    formatDinars(amount).padStart(AMOUNT_WIDTH),
    costs,
    shownText(attempt === undefined ? billingReason : `${billingReason}, attempt ${attempt}`),
    shownText(paymentId),
    itemId === undefined ? 'not in the books' : 'in the books',
  ].join('  ');
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
  created: 'made',
  existing: 'is there already',
  refused: 'not made',
  unknown: 'nobody knows whether the gateway has it; the queue asks again under the same tracking id',
} as const satisfies Record<Exclude<CreateSubscriptionOutcome['kind'], 'checked'>, string>;

/** Tells what became of a request for a subscription. What is not there now is a fault for a script. */
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
    io.line('it can be asked for; nothing was sent or stored (dry run)');
  } else {
    io.line(subscriptionLine(outcome.subscription));
    io.line(WORDS[outcome.kind] + ('reason' in outcome ? `: ${shownText(outcome.reason)}` : ''));
    if (outcome.subscription.link !== undefined) io.line(shownText(outcome.subscription.link));
  }
  return outcome.kind === 'refused' || outcome.kind === 'unknown' ? EXIT.fault : EXIT.done;
}
