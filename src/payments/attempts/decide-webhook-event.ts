import type { NewBreak } from '../../breaks';
import type { BusinessDate, Instant } from '../../kernel';
import type { Mismatch } from '../channel';
import { isCheckout, type Payment, type PaymentOperation } from '../payment';
import type { PaymentChange } from '../payment-store';
import type { PaymentWebhookEvent } from '../payments';
import { isNotPaid } from '../status-checks/payment-status';
import { mismatchBreak, TOLD_BY_WEBHOOK } from '../status-checks/webhook-mismatch';
import { sessionEndOf } from './checkout-terms';

const CURRENCY = 'TND';

/** What is known of a payment while its row is locked. */
export interface WebhookEventFacts {
  readonly payment: Payment;
  readonly operations: readonly PaymentOperation[];
  /** It has a reference, and no other attempt is live for it. */
  readonly isReferenceFree: boolean;
  readonly since: BusinessDate;
  readonly now: Instant;
}

/** What a webhook does to the payment that it names by its gateway id or by our tracking id. Pure. */
export function decideWebhookEvent(
  facts: WebhookEventFacts,
  event: PaymentWebhookEvent,
): { readonly change: PaymentChange; readonly breaks: readonly NewBreak[] } {
  const attachment = attach(facts, event);
  const payment: Payment = { ...facts.payment, ...attachment };
  const mismatches = [...differing(facts.payment, facts.operations, event), ...neverAsked(facts.payment, attachment)];
  const since = facts.since;
  return {
    change: {
      ...attachment,
      ...(mismatches.length === 0 ? succeededAt(payment, event) : {}),
      ...trigger(payment, event, facts.now),
    },
    breaks: mismatches.map((mismatch) => mismatchBreak(payment, mismatch, { source: TOLD_BY_WEBHOOK, since })),
  };
}

/**
 * Whether the gateway's id was taken from a webhook, and the gateway does not know it. Our own request was never
 * answered with it: then there would be a link. Pure.
 */
export function isProvisional({ kind, gatewayId, link, checks, lastCheckError }: Payment): boolean {
  const isAttached = isCheckout(kind) && gatewayId !== undefined && link === undefined;
  return isAttached && checks === 0 && lastCheckError === 'not_found';
}

/**
 * The session behind an answer that never came (open point 129), even one that we took for refused or gave up. One that
 * turned out not to exist gives way to the next that is signed together with our tracking id.
 */
function attach(
  { payment, isReferenceFree, now }: WebhookEventFacts,
  { gatewayId, trackingId }: PaymentWebhookEvent,
): PaymentChange {
  if (gatewayId === undefined || !isCheckout(payment.kind)) return {};
  const isOther = payment.gatewayId !== undefined && payment.gatewayId !== gatewayId;
  const isReplacing = isOther && trackingId === payment.trackingId && isProvisional(payment);
  if (payment.gatewayId !== undefined && !isReplacing) return {};
  return {
    // What was noted is about the id that it had.
    ...(isReplacing ? { failedChecks: 0, lastCheckError: undefined } : {}),
    gatewayId,
    requestState: 'made',
    requestError: undefined,
    sessionEndsAt: sessionEndOf(payment, payment.sentAt ?? now),
    ...(isReferenceFree ? { isLive: true } : {}),
  };
}

/** The gateway has what it refused, or what we never sent: a person must know before its money is booked. */
function neverAsked({ requestState }: Payment, attachment: PaymentChange): Mismatch[] {
  const isContradiction = requestState === 'refused' || requestState === 'requested';
  return isContradiction && attachment.gatewayId !== undefined
    ? [{ field: 'request_state', ours: requestState, theirs: 'made' }]
    : [];
}

function differing(
  payment: Payment,
  operations: readonly PaymentOperation[],
  { gatewayId, trackingId, amount, currency }: PaymentWebhookEvent,
): Mismatch[] {
  const found: Mismatch[] = [];
  if (gatewayId !== undefined && payment.gatewayId !== undefined && gatewayId !== payment.gatewayId) {
    found.push({ field: 'payment_id', ours: payment.gatewayId, theirs: gatewayId });
  }
  if (trackingId !== undefined && trackingId !== payment.trackingId) {
    found.push({ field: 'tracking_id', ours: payment.trackingId, theirs: trackingId });
  }
  if (amount !== undefined && !amountsOf(payment, operations).includes(amount)) {
    found.push({ field: 'amount', ours: payment.amount, theirs: amount });
  }
  if (currency !== undefined && currency !== CURRENCY) {
    found.push({ field: 'currency', ours: CURRENCY, theirs: currency });
  }
  return found;
}

/** What is asked for; of a pre-authorization also what is taken of it, known or in transit. */
function amountsOf({ amount, captured }: Payment, operations: readonly PaymentOperation[]): (number | undefined)[] {
  const captures = operations.filter(({ kind, state }) => kind === 'capture' && state !== 'refused');
  return [amount, captured, ...captures.map((capture) => capture.amount)];
}

/**
 * Exact, where status checks alone give a window. Of several the earliest. Of a pre-authorization it would be when the
 * money was held, not when it was taken, so its status checks and its capture say it.
 */
function succeededAt(payment: Payment, { succeeded, occurredAt, receivedAt }: PaymentWebhookEvent): PaymentChange {
  if (!succeeded || occurredAt === undefined || payment.kind === 'preauthorization') return {};
  const told = Math.min(occurredAt, receivedAt);
  const { succeededAfter, succeededUntil } = payment;
  const isExact = succeededUntil !== undefined && succeededAfter === succeededUntil;
  const at = isExact ? Math.min(told, succeededUntil) : told;
  return { succeededAfter: at, succeededUntil: at };
}

/** Schedules a status check, unless a later status check has seen what the event says, and nothing more is expected. */
function trigger(payment: Payment, { succeeded, receivedAt }: PaymentWebhookEvent, now: Instant): PaymentChange {
  const { status, lastCheckAt, triggeredAt, nextCheckAt } = payment;
  const agrees = succeeded ? status === 'SUCCESS' : isNotPaid(status);
  if (agrees && lastCheckAt !== undefined && receivedAt < lastCheckAt) return {};
  return {
    triggeredAt: Math.max(receivedAt, triggeredAt ?? receivedAt),
    nextCheckAt: Math.min(now, nextCheckAt ?? now),
  };
}
