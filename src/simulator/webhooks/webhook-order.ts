import { z } from 'zod';
import { ownValue } from '../../kernel';
import { decodeWith } from '../core/decode-with';
import { faultFits, webhookFaultSchema } from './webhook-fault';
import type { WebhookMessage } from './webhook-message';

const TEXT_CHARACTERS_MAX = 300;
const WEBHOOKS_MAX = 1_000_000;

const text = z.string().min(1).max(TEXT_CHARACTERS_MAX).optional();

const orderSchema = z.strictObject({
  fault: webhookFaultSchema,
  /** The webhooks that the order waits for; an absent field matches all. */
  match: z
    .strictObject({
      kind: z.enum(['payment_v1', 'payment_v2', 'subscription', 'hint']).optional(),
      event: text,
      paymentId: text,
      subscriptionId: text,
      channel: z.enum(['pos', 'partner', 'payout']).optional(),
    })
    .prefault({}),
  /** How many webhooks get the fault. */
  times: z.int().min(1).max(WEBHOOKS_MAX).default(1),
});

/** A fault, and the webhooks that get it. */
export type WebhookOrder = Readonly<z.output<typeof orderSchema>>;

/**
 * Decodes an order for a webhook fault from JSON.
 *
 * @throws AppError `bad_input` whose details name each invalid field.
 */
export function decodeWebhookOrder(value: unknown): WebhookOrder {
  return decodeWith(orderSchema, value, 'webhook fault');
}

/** Returns whether an order waits for this webhook and its fault can apply to it. */
export function orderFits({ fault, match }: WebhookOrder, message: WebhookMessage): boolean {
  const wanted = Object.entries(match).filter(([, value]) => value !== undefined);
  const facts = factsOf(message);
  return faultFits(fault, message) && wanted.every(([name, value]) => ownValue(facts, name) === value);
}

function factsOf(message: WebhookMessage): Readonly<Record<string, unknown>> {
  if (message.kind === 'payment_v1') return { kind: message.kind, paymentId: message.paymentId };
  const { kind, body } = message;
  const ids = { paymentId: ownValue(body, 'payment_id'), subscriptionId: ownValue(body, 'subscription_id') };
  return message.kind === 'hint' ? { kind, ...ids, channel: message.channel } : { kind, ...ids, event: message.event };
}
