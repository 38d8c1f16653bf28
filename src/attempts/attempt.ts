import { type Instant, type Millimes, MINUTE_MS } from '../kernel';

/**
 * The state of an attempt's request (open points 53 and 129).
 *
 * - `requested`: stored; the queue sends it.
 * - `sending`: in transit, or its process crashed.
 * - `made`: the gateway created it.
 * - `refused`: the gateway refused it with a reason, or it was never sent.
 * - `unknown`: the gateway may or may not have created it.
 * - `abandoned`: unknown for longer than it could have been paid.
 */
export const REQUEST_STATES = ['requested', 'sending', 'made', 'refused', 'unknown', 'abandoned'] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

/**
 * The common part of payments and subscriptions: requested once under an id of Millime, then checked until its outcome
 * is final.
 */
export interface Attempt {
  /** Millime's id, a ULID, sent as `developer_tracking_id`. */
  readonly trackingId: string;
  /** The integrator's name for it. At most one attempt per reference is live. */
  readonly reference: string | undefined;
  /** Whether this is the live attempt of its reference: it may still be paid, or continues. */
  readonly isLive: boolean;
  /** The agent whose due its money reduces. */
  readonly agentId: string | undefined;
  readonly amount: Millimes;
  /** The arguments of the gateway client's call, without secrets. */
  readonly terms: Readonly<Record<string, unknown>>;
  /** Test money is shown and never posted (open point 127). */
  readonly isTest: boolean;
  /** The code and the message of the fault that ended the request. */
  readonly requestError: string | undefined;
  readonly requestedAt: Instant;
  /** When it was last sent. A `requested` attempt with this time was turned away, and waits in the queue. */
  readonly sentAt: Instant | undefined;
  /** The address where the customer pays, or the image or slug of a QR code. */
  readonly link: string | undefined;
  readonly sessionEndsAt: Instant | undefined;
  /** The gateway's word, as last seen; for POS its code. */
  readonly status: string | undefined;
  /** When its next status check is due; undefined if nothing more is expected. */
  readonly nextCheckAt: Instant | undefined;
  /** When a webhook triggered a status check that has not happened yet. */
  readonly triggeredAt: Instant | undefined;
  readonly lastCheckAt: Instant | undefined;
  /** The number of answered status checks, and of consecutive unanswered ones. */
  readonly checks: number;
  readonly failedChecks: number;
  readonly lastCheckError: string | undefined;
  readonly recordedBy: string;
}

/** The fields of an attempt that no answer of the gateway has changed. */
export const WITHOUT_ANSWER = {
  requestError: undefined,
  link: undefined,
  sessionEndsAt: undefined,
  status: undefined,
  nextCheckAt: undefined,
  triggeredAt: undefined,
  lastCheckAt: undefined,
  checks: 0,
  failedChecks: 0,
  lastCheckError: undefined,
} as const satisfies Partial<Attempt>;

/** The actor of the breaks and postings that follow from status checks. */
export const STATUS_CHECK_ACTOR = 'look';

/** After this time a call has an answer, or its process crashed; measured by the business clock. */
export const SENDING_MAX_MS = 5 * MINUTE_MS;

/** The reason for a request that repeats one in transit. */
export const BEING_SENT = 'the request is still being sent; try again in a moment';

/** Returns whether the call for an attempt may still be in transit. */
export function isBeingSent(
  { requestState, requestedAt, sentAt = requestedAt }: Attempt & { readonly requestState: RequestState },
  now: Instant,
): boolean {
  return requestState === 'sending' && now <= sentAt + SENDING_MAX_MS;
}
