import { AppError } from '../../kernel';
import type { Simulation } from '../core/simulation';
import { emitWebhook } from './emit-webhook';
import { faultFits, type WebhookFault } from './webhook-fault';
import type { WebhookDelivery } from './webhook-state';

/**
 * Sends the content of a webhook again as a new webhook, with the given faults and no random ones.
 *
 * @returns the new webhook.
 * @throws AppError `not_found` for an unknown webhook, `conflict` when a fault does not apply to it.
 */
export function repeatWebhook(
  simulation: Simulation,
  deliveryId: string,
  faults: readonly WebhookFault[],
): WebhookDelivery {
  const { webhooks } = simulation.world;
  const known = Object.hasOwn(webhooks.deliveries, deliveryId) ? webhooks.deliveries[deliveryId] : undefined;
  if (known === undefined) throw new AppError('not_found', { thing: 'webhook', id: deliveryId });
  const unfit = faults.find((fault) => !faultFits(fault, known.message));
  if (unfit !== undefined) {
    throw new AppError('simulated_state', { fault: `the fault ${unfit.kind} does not apply to this webhook` });
  }
  return emitWebhook(simulation, known.message, faults) ?? known;
}
