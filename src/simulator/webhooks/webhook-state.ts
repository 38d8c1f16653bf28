import type { Instant } from '../../kernel';
import type { WebhookFault } from './webhook-fault';
import type { WebhookMessage } from './webhook-message';
import type { WebhookOrder } from './webhook-order';

/** The result of one attempt. */
export type AttemptAnswer =
  | { readonly kind: 'answered'; readonly status: number }
  /** Refused, cut, or not whole in time. */
  | { readonly kind: 'no_answer'; readonly reason: 'not_connected' | 'lost' | 'timed_out' };

export interface DeliveryAttempt {
  readonly at: Instant;
  /** The `t` of its signature; null when it was not signed. */
  readonly timestampSecs: number | null;
  /** The second of a doubled one. */
  readonly isCopy: boolean;
  readonly answer: AttemptAnswer;
}

/** One webhook on its way. */
export interface WebhookDelivery {
  readonly deliveryId: string;
  readonly message: WebhookMessage;
  readonly faults: readonly WebhookFault[];
  readonly createdAt: Instant;
  /** `lost` was never sent, `given_up` was sent as often as it is repeated. */
  status: 'waiting' | 'delivered' | 'lost' | 'given_up';
  /** When it is sent next; null when it waits for another webhook, or for nothing. */
  nextAt: Instant | null;
  /** The time that the first sending was signed with, before any fault. */
  firstTimestampSecs: number | null;
  attempts: readonly DeliveryAttempt[];
}

/** The simulator's state of webhooks. */
export interface WebhookState {
  /** In the order they were caused. */
  deliveries: Record<string, WebhookDelivery>;
  lastDelivery: number;
  /** The one that the next webhook is to overtake. */
  heldBackId: string | null;
  /** Those that must be sent before the call that caused them is answered. */
  earlyIds: readonly string[];
  orders: readonly (WebhookOrder & { readonly orderId: string })[];
  lastOrder: number;
}

export function emptyWebhookState(): WebhookState {
  return { deliveries: {}, lastDelivery: 0, heldBackId: null, earlyIds: [], orders: [], lastOrder: 0 };
}

declare module '../core/world' {
  interface World {
    readonly webhooks: WebhookState;
  }
}
