import type { WebhookHeaders } from './webhook-headers';

/** A received request before any decoding. */
export interface WebhookRequest {
  /** In upper case, as Node returns it. */
  readonly method: string;
  /** The raw request target with its query, `request.url` of Node; an absolute address is accepted too. */
  readonly target: string;
  readonly headers: WebhookHeaders;
  /**
   * The undecoded bytes of the body; empty or undefined without a body. A text is read as its UTF-8 bytes; if decoding
   * lost bytes, no signature matches. Configure the body parser to accept every content type, otherwise the sender
   * decides what this field contains.
   */
  readonly rawBody: Uint8Array | string | undefined;
  /**
   * The accepted private parts of the application credential, current first. Outer spaces are removed. An empty key and
   * an empty list accept nothing.
   */
  readonly keys: readonly string[];
  /** Unix time in seconds: `Date.now() / 1000`, not `Date.now()`. */
  readonly now: number;
  /** The IANA time zone of timestamps without an offset. Default `Africa/Tunis` (open point 3). */
  readonly timeZone?: string | undefined;
}

/**
 * A request whose signature was made with an accepted key.
 *
 * - `authentic`: signed within 300 seconds before or after `now`.
 * - `stale`: signed outside this window; `timestampSecs` shows on which side. Answer it as a rejection. Because the
 *   gateway did sign it, record it once and schedule a status check (open points 102 and 107).
 */
export interface SignedWebhook<Version, Event> {
  readonly kind: 'authentic' | 'stale';
  readonly version: Version;
  /** The `t` of the signature, unix time in seconds. */
  readonly timestampSecs: number;
  readonly event: Event;
}
