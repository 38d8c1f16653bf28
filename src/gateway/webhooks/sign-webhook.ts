import { createHmac } from 'node:crypto';
import { assert } from '../../kernel';

export interface SignWebhookInput {
  /** The private part of the application credential. Outer spaces are removed. */
  readonly key: string;
  /** Unix time in seconds. */
  readonly timestampSecs: number;
  /**
   * The unchanged bytes of the body, or the result of `paymentQueryContent` for version 1. A text is signed as UTF-8.
   */
  readonly content: string | Uint8Array;
}

/**
 * Returns the value of the signature header, `t=<unix seconds>,v1=<hex>` (interface section 6.1). It serves tests and
 * the simulator, which must be able to send a wrong time, so it checks only the key.
 */
export function signWebhook({ key, timestampSecs, content }: SignWebhookInput): string {
  assert(key.trim() !== '', 'a webhook is not signed with an empty key');
  const timestampText = String(timestampSecs);
  return `t=${timestampText},v1=${webhookDigest(key, timestampText, content).toString('hex')}`;
}

/**
 * Returns the signed content of a payment webhook of version 1. Pass both values percent-encoded, exactly as in the
 * request target: `paymentQueryContent({ paymentId: encodeURIComponent(id), success: 'True' })`.
 */
export function paymentQueryContent({ paymentId, success }: { paymentId: string; success: string }): string {
  return `payment_id=${paymentId}&success=${success}`;
}

/** Returns the HMAC-SHA256 of the bytes of `<t>.<content>`: 32 bytes. */
export function webhookDigest(key: string, timestampText: string, content: string | Uint8Array): Buffer {
  return createHmac('sha256', key.trim()).update(`${timestampText}.`).update(content).digest();
}
