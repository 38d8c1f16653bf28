import type { WebhookHeaders } from './webhook-headers';

/** A request as it came, before anything decoded it. */
export interface WebhookRequest {
  /** In upper case, as Node gives it. */
  readonly method: string;
  /** The raw request target with its query, `request.url` of Node; an absolute address is taken too. */
  readonly target: string;
  readonly headers: WebhookHeaders;
  /**
   * The body byte for byte, before anything decodes it. Without a body: empty or undefined. A text is taken as its
   * UTF-8, but bytes that are no UTF-8 were lost in it, and then nothing is authentic. A body parser must be told to
   * take every content type, else the sender chooses what stands here.
   */
  readonly rawBody: Uint8Array | string | undefined;
  /**
   * The accepted private parts of the application credential, current first. Outer spaces are cut. An empty key, and an
   * empty list, accept nothing.
   */
  readonly keys: readonly string[];
  /** Unix time in seconds: `Date.now() / 1000`, not `Date.now()`. */
  readonly now: number;
  /** The IANA time zone in which a timestamp without an offset is read. Default `Africa/Tunis` (open point 3). */
  readonly timeZone?: string | undefined;
}

/**
 * What a request proved to be when its signature is one of an accepted key.
 *
 * - `authentic`: signed inside the window of 300 seconds before or after `now`.
 * - `stale`: signed outside of it, before or after: `timestampSecs` says which. To be answered as a rejection, but
 *   the gateway did sign it, so that it may be recorded once and schedule a status check (open points 102 and 107).
 */
export interface SignedWebhook<Version, Event> {
  readonly kind: 'authentic' | 'stale';
  readonly version: Version;
  /** The `t` of the signature, unix time in seconds. */
  readonly timestampSecs: number;
  readonly event: Event;
}
