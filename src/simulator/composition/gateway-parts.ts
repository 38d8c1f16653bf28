import { emptyAgentPayments } from '../agent-calls/agent-payment-state';
import { checkoutEvents } from '../checkout/checkout-events';
import { checkoutOperations } from '../checkout/checkout-operations';
import { emptyCheckoutState } from '../checkout/checkout-state';
import type { GatewayParts } from '../core/simulator';
import { emptyFaultState } from '../faults/fault-state';
import { emptyPayoutState } from '../payouts/payout-state';
import { beginPayouts, settlementEvents } from '../payouts/settlement-events';
import { posEvents, posOperations } from '../pos/pos-parts';
import { emptyPosState } from '../pos/pos-state';
import { qrEvents, qrOperations } from '../qr/qr-parts';
import { emptyQrState } from '../qr/qr-state';
import { subscriptionEvents, subscriptionOperations } from '../subscriptions/subscription-parts';
import { emptySubscriptionState } from '../subscriptions/subscription-state';
import { walletEvents, walletOperations } from '../wallet/wallet-parts';
import { emptyWalletState } from '../wallet/wallet-state';
import { webhookEvents } from '../webhooks/webhook-events';
import { emptyWebhookState } from '../webhooks/webhook-state';
import { decodeSettings } from './decode-settings';

/** The registrations of all channels. A new channel adds its folder, and its parts here. */
export const GATEWAY_PARTS: GatewayParts = {
  /** Every operation of the interface, in the order of its sections 4.1 to 4.5. */
  operations: [
    ...checkoutOperations,
    ...subscriptionOperations,
    ...walletOperations,
    ...posOperations,
    ...qrOperations,
  ],
  events: {
    ...checkoutEvents,
    ...subscriptionEvents,
    ...walletEvents,
    ...posEvents,
    ...qrEvents,
    ...webhookEvents,
    ...settlementEvents,
  },
  emptyStates: () => ({
    ...emptyPayoutState(),
    agentPayments: emptyAgentPayments(),
    checkout: emptyCheckoutState(),
    subscriptions: emptySubscriptionState(),
    wallet: emptyWalletState(),
    pos: emptyPosState(),
    qr: emptyQrState(),
    webhooks: emptyWebhookState(),
    faults: emptyFaultState(),
  }),
  decodeSettings,
  begin: beginPayouts,
};
