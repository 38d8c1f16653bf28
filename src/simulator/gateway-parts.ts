import { checkoutEvents } from './checkout/checkout-events';
import { checkoutOperations } from './checkout/checkout-operations';
import { posEvents } from './pos/pos-events';
import { posOperations } from './pos/pos-operations';
import { qrEvents } from './qr/qr-events';
import { qrOperations } from './qr/qr-operations';
import { subscriptionEvents } from './subscriptions/subscription-events';
import { subscriptionOperations } from './subscriptions/subscription-operations';
import { walletEvents } from './wallet/wallet-events';
import { walletOperations } from './wallet/wallet-operations';
import { webhookEvents } from './webhooks/webhook-events';
import { beginPayouts, settlementEvents } from './payouts/settlement-events';
import type { SimOperation } from './core/operation';
import type { Simulation } from './core/simulation';
import type { TimelineHandlers } from './core/timeline';

/** Every operation of the interface, sections 4.1 to 4.5, in its order. */
export const GATEWAY_OPERATIONS: readonly SimOperation[] = [
  ...checkoutOperations,
  ...subscriptionOperations,
  ...walletOperations,
  ...posOperations,
  ...qrOperations,
];

export const GATEWAY_EVENTS: TimelineHandlers = {
  ...checkoutEvents,
  ...subscriptionEvents,
  ...walletEvents,
  ...posEvents,
  ...qrEvents,
  ...webhookEvents,
  ...settlementEvents,
};

/** What goes on by itself from the beginning. */
export function begin(simulation: Simulation): void {
  beginPayouts(simulation);
}
