import {
  type PaymentWebhook,
  SIGNATURE_HEADER,
  signWebhook,
  type SubscriptionWebhook,
  verifyPaymentWebhook,
  verifySubscriptionWebhook,
  type WebhookRejection,
  type WebhookRequest,
} from '../gateway';
import { isJsonObject, ownValue, parseStrictJson } from '../kernel';
import { signatureHeader, timestampSecsOf } from './signature-header';
import type { IncomingWebhook } from './webhooks';

/** The same limit as in the reader of the gateway's bodies. */
const DEPTH_MAX = 16;

/** Replaces an unreadable value. No event has this name, so the reader requires only the id. */
const UNREADABLE = 'unreadable';

export type SignedWebhook = Exclude<PaymentWebhook | SubscriptionWebhook, WebhookRejection>;

type Field = readonly [name: string, property: string];

/** The fields that the interface requires (sections 6.3 and 6.4), and those that may be null or absent. */
const FIELDS: Readonly<
  Record<IncomingWebhook['family'], { readonly required: readonly Field[]; readonly nullable: readonly Field[] }>
> = {
  payment: {
    required: [
      ['created', 'created'],
      ['payment_id', 'paymentId'],
      ['amount', 'amountMillimes'],
      ['currency', 'currency'],
      ['payment_method', 'paymentMethod'],
    ],
    nullable: [['developer_tracking_id', 'developerTrackingId']],
  },
  subscription: {
    required: [
      ['created', 'created'],
      ['subscription_id', 'subscriptionId'],
      ['status', 'status'],
      ['developer_tracking_id', 'developerTrackingId'],
      ['amount', 'amountMillimes'],
      ['currency', 'currency'],
    ],
    nullable: [
      ['payment_id', 'paymentId'],
      ['period_start', 'periodStart'],
      ['period_end', 'periodEnd'],
      ['attempt', 'attempt'],
      ['payment_method', 'paymentMethod'],
    ],
  },
};

/** The readable part of a correctly signed webhook. */
export interface PartialWebhook {
  /** Unreadable fields are null; use only the ids. Its event name is a placeholder. */
  readonly webhook: SignedWebhook;
  /** The event name in the message. */
  readonly event: string;
  /**
   * The missing or unreadable fields, with the interface's names. If `event_id` is among them, the message cannot be
   * distinguished from others.
   */
  readonly unreadable: readonly string[];
}

/**
 * Reads a verified message whose body lacks fields that the interface requires of its event. It gives the message an
 * unknown event name, for which the reader requires only the id, and signs it again with an accepted key and its own
 * time. Undefined if the body is not a JSON object. Pure.
 */
export function readPartialWebhook(
  family: IncomingWebhook['family'],
  request: WebhookRequest,
): PartialWebhook | undefined {
  const body = objectIn(request.rawBody);
  const key = request.keys.find((each) => each.trim() !== '');
  if (body === undefined || key === undefined) return undefined;
  const { required, nullable } = FIELDS[family];
  const [event, eventId] = [nameIn(body, 'event'), nameIn(body, 'event_id')];
  const said = [...required, ...nullable].map(([name]) => [name, ownValue(body, name)] as const);
  const standIn = { ...Object.fromEntries(said), event: UNREADABLE, event_id: eventId ?? UNREADABLE };
  const webhook = verifyWebhook(family, signedAgain(request, key, JSON.stringify(standIn)));
  if (webhook.kind === 'rejected') return undefined;

  const read: Readonly<Record<string, unknown>> = { ...webhook.event };
  const isMissing = ([, property]: Field): boolean => (read[property] ?? null) === null;
  const isSaid = ([name]: Field): boolean => (ownValue(body, name) ?? null) !== null;
  const fields = [...required.filter(isMissing), ...nullable.filter((each) => isMissing(each) && isSaid(each))];
  const names = [...(event === undefined ? ['event'] : []), ...(eventId === undefined ? ['event_id'] : [])];
  return { webhook, event: event ?? UNREADABLE, unreadable: [...names, ...fields.map(([name]) => name)] };
}

/** Verifies a request as a webhook of its family. */
export function verifyWebhook(
  family: IncomingWebhook['family'],
  request: WebhookRequest,
): PaymentWebhook | SubscriptionWebhook {
  return family === 'payment' ? verifyPaymentWebhook(request) : verifySubscriptionWebhook(request);
}

function signedAgain(request: WebhookRequest, key: string, content: string): WebhookRequest {
  const timestampSecs = timestampSecsOf(signatureHeader(request.headers));
  const headers = { [SIGNATURE_HEADER]: signWebhook({ key, timestampSecs, content }) };
  return { ...request, headers, rawBody: Buffer.from(content) };
}

function objectIn(bytes: WebhookRequest['rawBody']): Readonly<Record<string, unknown>> | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(bytes ?? ''));
  } catch {
    return undefined; // not UTF-8, so not JSON
  }
  const json = parseStrictJson(text, { depthMax: DEPTH_MAX });
  return json.ok && isJsonObject(json.value) ? json.value : undefined;
}

/** Returns a text, or undefined if it is empty. */
function nameIn(body: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = ownValue(body, field);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
