import { type Instant, MINUTE_MS } from '../../kernel';
import type { Simulation } from '../core/simulation';
import { isHttpUrl } from '../core/web-url';
import { takeOrderedFault } from './next-webhook';
import { isTimingFault, type WebhookFault } from './webhook-fault';
import { drawWebhookFaults } from './webhook-fault-rates';
import type { WebhookMessage } from './webhook-message';
import type { WebhookDelivery, WebhookState } from './webhook-state';

export const SEND = 'webhook.send';
export const RELEASE = 'webhook.release';

/** The longest delay of a webhook that the next one should overtake. */
const HELD_BACK_MS = MINUTE_MS;

/** Beyond this number the simulator drops the oldest finished deliveries, several at a time. */
const DELIVERIES_MAX = 20_000;
const DELIVERIES_DROPPED = 5_000;
const DELIVERIES_LOOK = 1_000;

/**
 * Plans the delivery of a webhook: immediately, unless a fault delays it. `given` replaces the ordered and the random
 * faults. Returns undefined for an address that cannot be called.
 */
export function emitWebhook(
  simulation: Simulation,
  message: WebhookMessage,
  given?: readonly WebhookFault[],
): WebhookDelivery | undefined {
  const { webhooks } = simulation.world;
  if (!isHttpUrl(message.url)) {
    simulation.record('webhook.bad_url', { kind: message.kind, url: message.url });
    return undefined;
  }
  webhooks.lastDelivery += 1;
  const deliveryId = `webhook_${webhooks.lastDelivery}`;
  const faults = given ?? faultsOf(simulation, message);
  const delivery: WebhookDelivery = {
    deliveryId,
    message,
    faults,
    createdAt: simulation.now(),
    status: 'waiting',
    nextAt: null,
    firstTimestampSecs: null,
    attempts: [],
  };
  webhooks.deliveries[deliveryId] = delivery;
  if (webhooks.lastDelivery % DELIVERIES_LOOK === 0) forgetOld(webhooks);
  simulation.record('webhook', {
    deliveryId,
    kind: message.kind,
    event: 'event' in message ? message.event : null,
    url: message.url,
    faults: faults.map(({ kind }) => kind).join(' '),
  });
  plan(simulation, delivery, faults.find(isTimingFault));
  return delivery;
}

/** Returns whether a webhook must be sent before the call that caused it is answered. */
export function earlyWebhookWaits({ world }: Simulation): boolean {
  return world.webhooks.earlyIds.length > 0;
}

/** Plans a sending at `at`; a copy is the second sending of a doubled webhook. */
export function planSending(simulation: Simulation, delivery: WebhookDelivery, at: Instant, isCopy = false): void {
  if (!isCopy) delivery.nextAt = at;
  simulation.schedule(at, SEND, { deliveryId: delivery.deliveryId, copy: isCopy ? 1 : 0 });
}

/** Sends the held-back webhook, if it has the given id or no id is given. */
export function releaseHeldBack(simulation: Simulation, deliveryId?: string): void {
  const { webhooks } = simulation.world;
  const { heldBackId } = webhooks;
  if (heldBackId === null || (deliveryId !== undefined && deliveryId !== heldBackId)) return;
  webhooks.heldBackId = null;
  const delivery = webhooks.deliveries[heldBackId];
  if (delivery !== undefined) planSending(simulation, delivery, simulation.now());
}

/** Returns the faults of a webhook. An ordered fault replaces a random one of the same sort. */
function faultsOf(simulation: Simulation, message: WebhookMessage): readonly WebhookFault[] {
  const { settings, random, world } = simulation;
  // Each webhook has its own random numbers, so that faults do not change other random events.
  const chance = random.fork(`webhook:${world.webhooks.lastDelivery}`);
  const drawn = drawWebhookFaults(settings.webhookFaults, message, chance);
  const ordered = takeOrderedFault(simulation, message);
  if (ordered === undefined) return drawn;
  return [ordered, ...drawn.filter((fault) => isTimingFault(fault) !== isTimingFault(ordered))];
}

function plan(simulation: Simulation, delivery: WebhookDelivery, timing: WebhookFault | undefined): void {
  const { webhooks } = simulation.world;
  const now = simulation.now();
  if (timing?.kind === 'lost') {
    delivery.status = 'lost';
    return;
  }
  if (timing?.kind === 'late') {
    planSending(simulation, delivery, now + timing.minutes * MINUTE_MS);
    return;
  }
  if (timing?.kind === 'reordered' && webhooks.heldBackId === null) {
    webhooks.heldBackId = delivery.deliveryId;
    simulation.schedule(now + HELD_BACK_MS, RELEASE, { deliveryId: delivery.deliveryId });
    return;
  }
  if (timing?.kind === 'early') webhooks.earlyIds = [...webhooks.earlyIds, delivery.deliveryId];
  planSending(simulation, delivery, now);
  if (timing?.kind === 'doubled') planSending(simulation, delivery, now, true);
  releaseHeldBack(simulation);
}

function forgetOld(webhooks: WebhookState): void {
  const all = Object.values(webhooks.deliveries);
  if (all.length <= DELIVERIES_MAX) return;
  const done = all.filter(({ status }) => status !== 'waiting').slice(0, DELIVERIES_DROPPED);
  const forgotten = new Set(done.map(({ deliveryId }) => deliveryId));
  webhooks.deliveries = Object.fromEntries(
    all.filter(({ deliveryId }) => !forgotten.has(deliveryId)).map((delivery) => [delivery.deliveryId, delivery]),
  );
}
