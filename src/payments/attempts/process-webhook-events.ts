import type { Instant } from '../../kernel';
import type { PaymentWebhookEvent, StatusCheckOutcome, WebhookEventOutcome, WebhookEventsOutcome } from '../payments';
import { isProvisional } from './decide-webhook-event';

export interface ProcessEventsDeps {
  applyWebhookEvent(event: PaymentWebhookEvent): Promise<WebhookEventOutcome>;
  checkStatus(trackingId: string, options: { readonly notBefore: Instant }): Promise<StatusCheckOutcome>;
}

/**
 * Applies the events that arrived under one event id, then checks the status of their payment. If the check finds that
 * an earlier webhook attached a session that does not exist, the events are applied once more, so the order of two
 * webhooks does not matter.
 */
export async function processWebhookEvents(
  deps: ProcessEventsDeps,
  events: readonly PaymentWebhookEvent[],
  options: { readonly notBefore: Instant },
): Promise<WebhookEventsOutcome> {
  const applied = await applyAll(deps, events);
  if (applied.kind === 'unknown_payment') return applied;
  const { trackingId, mismatch } = applied;
  const check = await deps.checkStatus(trackingId, options);
  if (!givesWay(check, events)) return { kind: 'known', mismatch, check };
  const again = await applyAll(deps, events);
  return {
    kind: 'known',
    mismatch: mismatch || (again.kind === 'known' && again.mismatch),
    check: await deps.checkStatus(trackingId, options),
  };
}

/**
 * Applies all events. The result names the payment of the first event that names one; a mismatch of any event counts.
 */
async function applyAll(deps: ProcessEventsDeps, events: readonly PaymentWebhookEvent[]): Promise<WebhookEventOutcome> {
  let trackingId: string | undefined;
  let mismatch = false;
  for (const event of events) {
    const outcome = await deps.applyWebhookEvent(event);
    if (outcome.kind === 'unknown_payment') continue;
    trackingId ??= outcome.trackingId;
    mismatch ||= outcome.mismatch;
  }
  return trackingId === undefined ? { kind: 'unknown_payment' } : { kind: 'known', trackingId, mismatch };
}

/** Returns whether this check found that the attached session does not exist, while an event names another one. */
function givesWay(check: StatusCheckOutcome, events: readonly PaymentWebhookEvent[]): boolean {
  if (check.kind !== 'looked' || !isProvisional(check.payment)) return false;
  const attached = check.payment.gatewayId;
  return events.some(({ gatewayId }) => gatewayId !== undefined && gatewayId !== attached);
}
