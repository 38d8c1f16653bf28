import { readText } from './body-fields';
import { checkSignedBody } from './check-signed-body';
import { decodeSubscriptionEvent, type SubscriptionEvent } from './subscription-event';
import { takeWebhookRequest } from './take-webhook-request';
import { rejected, type WebhookRejection } from './webhook-rejection';
import type { SignedWebhook, WebhookRequest } from './webhook-request';

/** The interface gives subscription events no version number, so the version is the name of the family. */
export type SubscriptionWebhook = SignedWebhook<'subscription', SubscriptionEvent> | WebhookRejection;

/**
 * Decides whether a request is a subscription event of the gateway, and reads it (interface sections 6.1 and 6.4): a
 * POST signed over the raw body; the target is ignored. Pure, as `verifyPaymentWebhook`. Store unknown events
 * (`isKnown: false`), never act on them.
 *
 * @throws GatewayError `validation` for a mistake of the receiver, as `verifyPaymentWebhook`.
 */
export function verifySubscriptionWebhook(given: WebhookRequest): SubscriptionWebhook {
  const request = takeWebhookRequest('verifySubscriptionWebhook', given);
  if (request.method !== 'POST') return rejected('bad_method');
  const signed = checkSignedBody(request);
  if (signed.kind === 'rejected') return signed;
  const { body, ...signature } = signed;
  if (readText(body, 'event')?.startsWith('payment.') === true) return rejected('wrong_family');
  const event = decodeSubscriptionEvent(body, request.calendar);
  return event === undefined ? rejected('bad_body') : { ...signature, version: 'subscription', event };
}
