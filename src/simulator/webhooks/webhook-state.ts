import type { Instant } from '../../kernel';
import type { WebhookFault } from './webhook-fault';
import type { WebhookMessage } from './webhook-message';
import type { WebhookOrder } from './webhook-order';

export type AttemptAnswer =
  | { readonly kind: 'answered'; readonly status: number }
  /** Refused, closed, or not complete in time. */
  | { readonly kind: 'no_answer'; readonly reason: 'not_connected' | 'lost' | 'timed_out' };

export interface DeliveryAttempt {
  readonly at: Instant;
  /** The `t` of its signature; null when it was not signed. */
  readonly timestampSecs: number | null;
  /** Whether this is the second sending of a doubled webhook. */
  readonly isCopy: boolean;
  readonly answer: AttemptAnswer;
}

/** One webhook and its delivery. */
export interface WebhookDelivery {
  readonly deliveryId: string;
  readonly message: WebhookMessage;
  readonly faults: readonly WebhookFault[];
  readonly createdAt: Instant;
  /** `lost` was never sent; `given_up` has used all its repeats. */
  status: 'waiting' | 'delivered' | 'lost' | 'given_up';
  /** When it is sent next; null while it waits for another webhook, and when it is finished. */
  nextAt: Instant | null;
  /** The time with which the first sending was signed, before any fault. */
  firstTimestampSecs: number | null;
  attempts: readonly DeliveryAttempt[];
}

export interface WebhookState {
  /** In the order they were caused. */
  deliveries: Record<string, WebhookDelivery>;
  lastDelivery: number;
  /** The webhook that the next one should overtake. */
  heldBackId: string | null;
  /** The webhooks that must be sent before the call that caused them is answered. */
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
