import { AppError } from '../../kernel';
import type { Simulation } from '../core/simulation';
import type { WebhookFault } from './webhook-fault';
import type { WebhookMessage } from './webhook-message';
import { orderFits, type WebhookOrder } from './webhook-order';

/** The number is limited because each webhook checks each order. */
const ORDERS_MAX = 1_000;

/**
 * Orders a fault for the next matching webhook.
 *
 * @throws AppError `conflict` when too many orders wait already.
 */
export function nextWebhook(
  { world: { webhooks } }: Simulation,
  order: WebhookOrder,
): WebhookOrder & { readonly orderId: string } {
  if (webhooks.orders.length >= ORDERS_MAX) {
    throw new AppError('simulated_state', { fault: `${ORDERS_MAX} webhook faults wait already; remove them first` });
  }
  webhooks.lastOrder += 1;
  const standing = { ...order, orderId: `webhook_fault_${webhooks.lastOrder}` };
  webhooks.orders = [...webhooks.orders, standing];
  return standing;
}

export function clearWebhookOrders({ world: { webhooks } }: Simulation): void {
  webhooks.orders = [];
}

/** Returns the fault of the first matching order and counts the order as used. */
export function takeOrderedFault(
  { world: { webhooks } }: Simulation,
  message: WebhookMessage,
): WebhookFault | undefined {
  const used = webhooks.orders.find((order) => orderFits(order, message));
  if (used === undefined) return undefined;
  webhooks.orders = webhooks.orders.flatMap((order) => {
    if (order !== used) return [order];
    return order.times > 1 ? [{ ...order, times: order.times - 1 }] : [];
  });
  return used.fault;
}
