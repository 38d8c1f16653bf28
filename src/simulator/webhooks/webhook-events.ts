import type { Simulation } from '../core/simulation';
import type { TimelineHandlers } from '../core/timeline';
import { emitWebhook, RELEASE, releaseHeldBack, SEND } from './emit-webhook';
import { sendWebhook } from './send-webhook';

export const webhookEvents: TimelineHandlers = {
  [SEND]: async (simulation, { deliveryId, copy }) => {
    const delivery = simulation.world.webhooks.deliveries[String(deliveryId)];
    const isCopy = copy === 1;
    if (delivery === undefined || (delivery.status !== 'waiting' && !isCopy)) return;
    await sendWebhook(simulation, delivery, isCopy);
  },
  [RELEASE]: (simulation, { deliveryId }) => releaseHeldBack(simulation, String(deliveryId)),
  'webhook.payout_hint': (simulation, { payoutId }) => hintPayout(simulation, String(payoutId)),
};

/**
 * Sends an unsigned webhook (hint) about a transferred payout. The interface does not show its body, so the fields are
 * the simulator's own.
 */
function hintPayout(simulation: Simulation, payoutId: string): void {
  const { world, settings } = simulation;
  const payout = world.payoutBook.payouts.find((one) => one.payoutId === payoutId);
  if (payout === undefined || settings.payoutWebhook === null) return;
  emitWebhook(simulation, {
    kind: 'hint',
    channel: 'payout',
    url: settings.payoutWebhook,
    body: { payout_id: payoutId, amount_in_millimes: payout.netMillimes, status: 'PAID' },
  });
}
