import { z } from 'zod';
import { formatInstant } from '../../kernel';
import type { Simulation } from '../core/simulation';
import { decodeCallFaultOrder } from '../faults/call-fault-order';
import { clearCallFaults, orderCallFault } from '../faults/order-call-fault';
import { listDeliveries } from '../webhooks/list-deliveries';
import { clearWebhookOrders, nextWebhook } from '../webhooks/next-webhook';
import { repeatWebhook } from '../webhooks/repeat-webhook';
import { webhookFaultSchema } from '../webhooks/webhook-fault';
import { decodeWebhookOrder } from '../webhooks/webhook-order';
import { type ControlRoute, json } from './control-route';
import { pathPart, readBody } from './read-request';

const repeatBody = z.strictObject({ fault: webhookFaultSchema.optional() });

/** Deliberate faults of calls and webhooks. */
export const faultControls: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/faults',
    does: 'lists ordered faults',
    answer: ({ simulation }) => json(waitingFaults(simulation)),
  },
  {
    method: 'POST',
    path: '/faults',
    takes: '`fault` (`{kind, …}`), `operation` (`*`), `method`?, `path`?, `afterCalls` (0), `times` (1)',
    does: 'orders a fault for the next matching calls',
    answer({ simulation, operations }, request) {
      return json(orderCallFault(simulation, decodeCallFaultOrder(request.body ?? {}, operations)));
    },
  },
  {
    method: 'DELETE',
    path: '/faults',
    does: 'removes all ordered faults and a ban',
    answer({ simulation }) {
      clearCallFaults(simulation);
      clearWebhookOrders(simulation);
      return json(waitingFaults(simulation));
    },
  },
  {
    method: 'POST',
    path: '/webhooks/next',
    takes:
      '`fault` (`{kind, …}`), `match` (`{kind, event, paymentId, subscriptionId, channel}`, all optional), `times` (1)',
    does: 'orders a fault for the next matching webhooks',
    answer: ({ simulation }, request) => json(nextWebhook(simulation, decodeWebhookOrder(request.body ?? {}))),
  },
  {
    method: 'GET',
    path: '/webhooks',
    does: 'lists webhooks with their attempts, the next one, and whether a wrong signature was accepted',
    answer: ({ simulation }) => json({ webhooks: listDeliveries(simulation) }),
  },
  {
    method: 'POST',
    path: '/webhooks/:deliveryId/repeat',
    takes: '`fault` (`{kind, …}`)?',
    does: 'sends the content of a webhook again, as a new webhook with that fault only',
    answer({ simulation }, request) {
      const { fault } = readBody(repeatBody, request);
      const faults = fault === undefined ? [] : [fault];
      return json({ deliveryId: repeatWebhook(simulation, pathPart(request, 'deliveryId'), faults).deliveryId });
    },
  },
];

function waitingFaults({ world, now }: Simulation): unknown {
  const { bannedUntil } = world.checkout.verifyCalls;
  return {
    calls: world.faults.orders,
    webhooks: world.webhooks.orders,
    bannedUntil: bannedUntil === null || bannedUntil <= now() ? null : formatInstant(bannedUntil),
  };
}
