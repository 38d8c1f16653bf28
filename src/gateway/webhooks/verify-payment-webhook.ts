import { readText } from './body-fields';
import { checkSignature } from './check-signature';
import { checkSignedBody } from './check-signed-body';
import {
  decodePaymentEvent,
  decodePaymentQueryEvent,
  type PaymentEvent,
  type PaymentQueryEvent,
} from './payment-event';
import { readPaymentQuery } from './payment-query';
import { paymentQueryContent } from './sign-webhook';
import { type TakenRequest, takeWebhookRequest } from './take-webhook-request';
import { rejected, type WebhookRejection } from './webhook-rejection';
import type { SignedWebhook, WebhookRequest } from './webhook-request';

export type PaymentWebhook = SignedWebhook<1, PaymentQueryEvent> | SignedWebhook<2, PaymentEvent> | WebhookRejection;

/**
 * Decides whether a request is a payment webhook of the gateway, and reads it (interface sections 6.1 to 6.3). A GET is
 * version 1, signed over the raw query values; a POST is version 2, signed over the raw body. Pure: it never throws for
 * the sender's content and stores nothing. The receiver recognizes a repeated delivery by `event.dedupeKey`. An event
 * is only a reason to call Verify Payment, never proof about money. An unknown event (`isKnown: false`) is authentic
 * too: store it, never act on it.
 *
 * @throws GatewayError `validation` for a mistake of the receiver: milliseconds as `now`, a decoded body, a key that is
 * not a text; `fields` names the argument.
 */
export function verifyPaymentWebhook(given: WebhookRequest): PaymentWebhook {
  const request = takeWebhookRequest('verifyPaymentWebhook', given);
  if (request.method === 'GET') return verifyQuery(request);
  if (request.method === 'POST') return verifyBody(request);
  return rejected('bad_method');
}

function verifyQuery(request: TakenRequest): PaymentWebhook {
  const query = readPaymentQuery(request.target);
  if (query.kind === 'rejected') return query;
  // Interface section 6.1: the values exactly as sent, in this order, even if the target has the reverse order.
  const signature = checkSignature(request, paymentQueryContent(query));
  if (signature.kind === 'rejected') return signature;
  const event = decodePaymentQueryEvent(query);
  return 'kind' in event ? event : { ...signature, version: 1, event };
}

function verifyBody(request: TakenRequest): PaymentWebhook {
  const signed = checkSignedBody(request);
  if (signed.kind === 'rejected') return signed;
  const { body, ...signature } = signed;
  if (readText(body, 'event')?.startsWith('subscription.') === true) return rejected('wrong_family');
  const event = decodePaymentEvent(body, request.calendar);
  return event === undefined ? rejected('bad_body') : { ...signature, version: 2, event };
}
