import { timingSafeEqual } from 'node:crypto';
import { parseSignature } from './parse-signature';
import { webhookDigest } from './sign-webhook';
import { headerValues, SIGNATURE_HEADER } from './webhook-headers';
import { rejected, type WebhookRejection } from './webhook-rejection';
import type { WebhookRequest } from './webhook-request';

/**
 * How far a signature's time may be from the receiver's clock, before or after (interface section 8, open point 102).
 */
const TOLERANCE_SECS = 300;

export interface CheckedSignature {
  readonly kind: 'authentic' | 'stale';
  readonly timestampSecs: number;
}

/** Decides whether one of the keys signed `content`, and when. It does not check the content itself. */
export function checkSignature(
  { headers, keys, now }: Pick<WebhookRequest, 'headers' | 'keys' | 'now'>,
  content: string | Uint8Array,
): CheckedSignature | WebhookRejection {
  const [header, ...others] = headerValues(headers, SIGNATURE_HEADER);
  if (others.length > 0) return rejected('duplicate_header');
  if (header === undefined || header === '') return rejected('missing_signature');
  const signature = parseSignature(header);
  if (signature.kind === 'rejected') return signature;

  const { timestampText, digests } = signature;
  const expected = keys
    .filter((key) => key.trim() !== '') // every sender can sign with an empty key
    .map((key) => webhookDigest(key, timestampText, content));
  if (!anyEqual(expected, digests)) return rejected('wrong_signature');

  const timestampSecs = Number(timestampText);
  const isFresh = Math.abs(now - timestampSecs) <= TOLERANCE_SECS;
  return { kind: isFresh ? 'authentic' : 'stale', timestampSecs };
}

/** Compares every pair to the end, so that the duration does not reveal which key or signature was right. */
function anyEqual(expected: readonly Buffer[], given: readonly Buffer[]): boolean {
  let matches = 0;
  for (const ours of expected) {
    for (const theirs of given) matches += Number(timingSafeEqual(ours, theirs));
  }
  return matches > 0;
}
