import { MINUTE_MS, SECOND_MS } from '../../kernel';
import { sendRequest } from '../agent-calls/send-request';
import type { Simulation } from '../core/simulation';
import { planSending } from './emit-webhook';
import { isAccepted, judgeDelivery } from './judge-delivery';
import { buildWebhookRequest, type OutgoingWebhook } from './webhook-request';
import type { AttemptAnswer, WebhookDelivery } from './webhook-state';

/** Sends a webhook once, and plans a repeat when the answer is not 2xx (interface section 6.1). */
export async function sendWebhook(simulation: Simulation, delivery: WebhookDelivery, isCopy: boolean): Promise<void> {
  const { settings, world } = simulation;
  const at = simulation.now();
  const nowSecs = Math.floor(at / SECOND_MS);
  delivery.firstTimestampSecs ??= nowSecs;
  const signedAtSecs = settings.webhooks.renewTimestamp ? nowSecs : delivery.firstTimestampSecs;
  if (!isCopy) delivery.nextAt = null;
  world.webhooks.earlyIds = world.webhooks.earlyIds.filter((id) => id !== delivery.deliveryId);

  const outgoing = buildWebhookRequest(delivery.message, delivery.faults, settings, signedAtSecs);
  const answer = await ask(outgoing, settings.webhooks.timeoutMs);
  const { timestampSecs } = outgoing;
  delivery.attempts = [...delivery.attempts, { at, timestampSecs, isCopy, answer }];
  simulation.record('webhook.sent', {
    deliveryId: delivery.deliveryId,
    attempt: delivery.attempts.length,
    // Why no answer arrived can depend on the machines' speed, so the trace omits it.
    status: answer.kind === 'answered' ? answer.status : null,
  });
  if (answer.kind === 'answered' && isAccepted(answer.status)) {
    if (judgeDelivery(delivery) === 'accepted_wrongly') {
      simulation.record('webhook.accepted_wrongly', { deliveryId: delivery.deliveryId, status: answer.status });
    }
    delivery.status = 'delivered';
    delivery.nextAt = null;
  } else if (!isCopy) {
    planRepeat(simulation, delivery);
  }
}

async function ask({ timestampSecs: _, ...request }: OutgoingWebhook, timeoutMs: number): Promise<AttemptAnswer> {
  const exchange = await sendRequest({ ...request, fault: undefined, timeoutMs });
  return 'status' in exchange
    ? { kind: 'answered', status: exchange.status }
    : { kind: 'no_answer', reason: exchange.kind };
}

function planRepeat(simulation: Simulation, delivery: WebhookDelivery): void {
  const repeats = delivery.attempts.filter(({ isCopy }) => !isCopy).length - 1;
  const afterMinutes = simulation.settings.webhooks.retryAfterMinutes[repeats];
  if (afterMinutes !== undefined) {
    planSending(simulation, delivery, simulation.now() + afterMinutes * MINUTE_MS);
    return;
  }
  delivery.status = 'given_up';
  simulation.record('webhook.given_up', { deliveryId: delivery.deliveryId });
}
