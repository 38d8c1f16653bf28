import { formatInstant, ownValue } from '../../kernel';
import type { Simulation } from '../core/simulation';
import { judgeDelivery, type SignatureVerdict } from './judge-delivery';
import type { WebhookFault } from './webhook-fault';
import type { AttemptAnswer, WebhookDelivery } from './webhook-state';

/** A webhook and its delivery, for people and tests. Instants are UTC ISO 8601 of the simulated time. */
export interface DeliveryView {
  readonly deliveryId: string;
  readonly kind: WebhookDelivery['message']['kind'];
  readonly url: string;
  readonly event: string | null;
  readonly eventId: string | null;
  readonly paymentId: string | null;
  readonly status: WebhookDelivery['status'];
  readonly faults: readonly WebhookFault[];
  /** Whether its receiver accepted a wrong signature; null for a right signature, and before an answer. */
  readonly signatureVerdict: SignatureVerdict | null;
  readonly createdAt: string;
  readonly nextAt: string | null;
  readonly attempts: readonly {
    readonly at: string;
    readonly timestampSecs: number | null;
    readonly isCopy: boolean;
    readonly answer: AttemptAnswer;
  }[];
}

/** Lists every webhook that is still stored, in the order of their causes. */
export function listDeliveries({ world }: Simulation): readonly DeliveryView[] {
  return Object.values(world.webhooks.deliveries).map((delivery) => {
    const { deliveryId, message, status, faults, createdAt, nextAt, attempts } = delivery;
    return {
      deliveryId,
      kind: message.kind,
      url: message.url,
      event: 'event' in message ? message.event : null,
      eventId: textOf(message, 'event_id'),
      paymentId: message.kind === 'payment_v1' ? message.paymentId : textOf(message, 'payment_id'),
      status,
      faults,
      signatureVerdict: judgeDelivery(delivery) ?? null,
      createdAt: formatInstant(createdAt),
      nextAt: nextAt === null ? null : formatInstant(nextAt),
      attempts: attempts.map((attempt) => ({ ...attempt, at: formatInstant(attempt.at) })),
    };
  });
}

function textOf(message: WebhookDelivery['message'], name: string): string | null {
  const value = 'body' in message ? ownValue(message.body, name) : undefined;
  return typeof value === 'string' ? value : null;
}
