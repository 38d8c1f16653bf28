import { SIGNATURE_HEADER, signWebhook } from '../gateway';
import { assert, type Instant, SECOND_MS } from '../kernel';
import { type ReadingTerms, readWebhook, type SignedFamily } from './read-webhook';
import type { WebhookFacts } from './webhook-facts';

export interface DecodeTerms extends Pick<ReadingTerms, 'keys' | 'timeZone'> {
  readonly receivedAt: Instant;
}

/**
 * Decodes a webhook stored by a version without the column `facts`. Its bytes were verified on arrival. They are signed
 * again, because the gateway's reader accepts only signed webhooks. Pure.
 */
export function decodeStored(
  family: SignedFamily,
  content: Buffer,
  { keys, timeZone, receivedAt }: DecodeTerms,
): WebhookFacts {
  const [key] = keys;
  assert(key !== undefined, 'webhooks are processed only where there is a key');
  const signature = signWebhook({ key, timestampSecs: Math.floor(receivedAt / SECOND_MS), content });
  const isQuery = family === 'payment_v1';
  const reading = readWebhook(
    {
      family: family === 'subscription' ? 'subscription' : 'payment',
      method: isQuery ? 'GET' : 'POST',
      target: isQuery ? `/?${content.toString('utf8')}` : '/',
      headers: { [SIGNATURE_HEADER]: signature },
      rawBody: isQuery ? undefined : content,
    },
    { keys: [key], now: receivedAt, timeZone },
  );
  assert(reading.kind !== 'rejected', 'what was read when it arrived can be read again');
  return reading.webhook.facts;
}
