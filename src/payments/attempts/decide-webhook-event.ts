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

/** The stored state of a payment, read while its row is locked. */
export interface WebhookEventFacts {
  readonly payment: Payment;
  readonly operations: readonly PaymentOperation[];
  /** Whether it has a reference that no other attempt uses. */
  readonly isReferenceFree: boolean;
  readonly since: BusinessDate;
  readonly now: Instant;
}

/**
 * Decides the effect of a webhook on the payment that it names by the gateway's id or by Millime's tracking id. Pure.
 */
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
 * Returns whether a webhook brought the gateway's id and the gateway does not know it. Millime's own request did not
 * bring it; its answer would include a link. Pure.
 */
export function isProvisional({ kind, gatewayId, link, checks, lastCheckError }: Payment): boolean {
  const isAttached = isCheckout(kind) && gatewayId !== undefined && link === undefined;
  return isAttached && checks === 0 && lastCheckError === 'not_found';
}

/**
 * Attaches the session of a lost answer (open point 129), even to an attempt that counted as refused or was abandoned.
 * If an attached session does not exist, the next one signed together with Millime's tracking id replaces it.
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
    // These values belong to the replaced id.
    ...(isReplacing ? { failedChecks: 0, lastCheckError: undefined } : {}),
    gatewayId,
    requestState: 'made',
    requestError: undefined,
    sessionEndsAt: sessionEndOf(payment, payment.sentAt ?? now),
    ...(isReferenceFree ? { isLive: true } : {}),
  };
}

/**
 * Returns a mismatch if the gateway has a payment that it refused or that was never sent: a person must know before its
 * money is posted.
 */
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

/**
 * Returns the amounts that an event may report: the requested one and, for a pre-authorization, captured ones,
 * including captures in transit.
 */
function amountsOf({ amount, captured }: Payment, operations: readonly PaymentOperation[]): (number | undefined)[] {
  const captures = operations.filter(({ kind, state }) => kind === 'capture' && state !== 'refused');
  return [amount, captured, ...captures.map((capture) => capture.amount)];
}

/**
 * Returns the exact time of success; status checks alone give an interval. Of several times the earliest counts. For a
 * pre-authorization the webhook reports when the money was reserved and not when it was captured, so its status checks
 * and its capture decide.
 */
function succeededAt(payment: Payment, { succeeded, occurredAt, receivedAt }: PaymentWebhookEvent): PaymentChange {
  if (!succeeded || occurredAt === undefined || payment.kind === 'preauthorization') return {};
  const told = Math.min(occurredAt, receivedAt);
  const { succeededAfter, succeededUntil } = payment;
  const isExact = succeededUntil !== undefined && succeededAfter === succeededUntil;
  const at = isExact ? Math.min(told, succeededUntil) : told;
  return { succeededAfter: at, succeededUntil: at };
}

/** Schedules a status check, unless a later status check agrees with the event and nothing more is expected. */
function trigger(payment: Payment, { succeeded, receivedAt }: PaymentWebhookEvent, now: Instant): PaymentChange {
  const { status, lastCheckAt, triggeredAt, nextCheckAt } = payment;
  const agrees = succeeded ? status === 'SUCCESS' : isNotPaid(status);
  if (agrees && lastCheckAt !== undefined && receivedAt < lastCheckAt) return {};
  return {
    triggeredAt: Math.max(receivedAt, triggeredAt ?? receivedAt),
    nextCheckAt: Math.min(now, nextCheckAt ?? now),
  };
}
