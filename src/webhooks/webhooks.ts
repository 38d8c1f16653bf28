import type { ActOptions } from '../attempts';
import type { Instant, Page } from '../kernel';

export const WEBHOOK_FAMILIES = ['payment_v1', 'payment_v2', 'subscription', 'hint'] as const;
export type WebhookFamily = (typeof WEBHOOK_FAMILIES)[number];

export const WEBHOOK_STATES = ['received', 'parked', 'done', 'ignored'] as const;
/**
 * - `received`: waits to be processed.
 * - `parked`: about an unknown payment; it is retried from time to time.
 * - `done`: its payment was checked after it arrived.
 * - `ignored`: stored and never acted on, such as an event with an unknown name.
 */
export type WebhookState = (typeof WEBHOOK_STATES)[number];

/** A webhook, stored once however often it arrives. */
export interface InboxEntry {
  readonly id: string;
  readonly family: WebhookFamily;
  /**
   * `stale`: correctly signed, but with a time outside the window, so it only schedules a status check. `unsigned`: a
   * hint.
   */
  readonly proof: 'authentic' | 'stale' | 'unsigned';
  readonly event: string;
  readonly paymentId: string | undefined;
  readonly subscriptionId: string | undefined;
  readonly trackingId: string | undefined;
  /** The signed bytes; for version 1 the normalized query. */
  readonly content: Buffer;
  readonly signedAt: Instant | undefined;
  readonly receivedAt: Instant;
  readonly lastReceivedAt: Instant;
  /** How often it arrived, with the same bytes or others. */
  readonly times: number;
  readonly conflicts: number;
  readonly state: WebhookState;
  /** The result of processing, such as `looked`, `mismatch`, `unknown_payment`. */
  readonly outcome: string | undefined;
  readonly availableAt: Instant;
  readonly tries: number;
  readonly error: string | undefined;
  readonly doneAt: Instant | undefined;
}

/** The first arrival and the id of an entry, by which the list is sorted. */
export type InboxKey = readonly [receivedAt: Instant, id: string];

export interface InboxFilter {
  readonly states?: readonly WebhookState[] | undefined;
  readonly family?: WebhookFamily | undefined;
  readonly paymentId?: string | undefined;
  /** Whether it arrived with other bytes, too. */
  readonly conflicted?: boolean | undefined;
  readonly after?: InboxKey | undefined;
  readonly limit: number;
}

/** A request as it arrived at one of the signed routes. */
export interface IncomingWebhook {
  readonly family: 'payment' | 'subscription';
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly rawBody: Uint8Array | undefined;
}

export type ReceiveOutcome =
  | { readonly kind: 'stored' | 'duplicate' | 'conflict' | 'stale' }
  /** `reason` is for the log, never for the sender. */
  | { readonly kind: 'rejected'; readonly reason: string };

/** Why a pasted request was, or would be, refused or accepted. */
export interface Diagnosis {
  readonly verdict: 'authentic' | 'stale' | 'rejected';
  /** A stable word: `wrong_key`, `parsed_body`, `clock_skew`, `lower_case_success`, `milliseconds`, … */
  readonly cause: string;
  readonly explanation: string;
  readonly details: Readonly<Record<string, string | number>>;
}

/** The gateway's webhooks: verified, stored once, processed later. */
export interface Webhooks {
  /**
   * Verifies and stores a request.
   *
   * @throws AppError when it could not be stored: the gateway must send it again.
   */
  receive(incoming: IncomingWebhook): Promise<ReceiveOutcome>;
  /** Returns whether the secret part of a hint's path is right. */
  isHintToken(token: string): boolean;
  /** Stores an unsigned hint of a path whose token is right. */
  receiveHint(kind: 'pos' | 'partner' | 'payout', body: Uint8Array | undefined): Promise<void>;
  /** Processes due entries, at most a page of each kind. Returns the number of finished entries. */
  processInbox(signal?: AbortSignal): Promise<number>;
  /** Returns a page of entries, newest first. */
  list(filter: InboxFilter): Promise<Page<InboxEntry, InboxKey>>;
  /** @throws AppError `not_found`. */
  find(id: string): Promise<InboxEntry>;
  /**
   * Schedules an entry to be processed again.
   *
   * @throws AppError `not_found`, `forbidden`.
   */
  replay(id: string, options: ActOptions): Promise<InboxEntry>;
  /** Explains the fault of a pasted request: a request line or address, headers, an empty line, the body. */
  diagnose(pasted: Uint8Array, options?: { readonly at?: Instant; readonly secret?: string }): Diagnosis;
}
