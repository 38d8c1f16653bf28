import type { Instant, Millimes } from '../kernel';

/**
 * The state of the request of an attempt (open points 53 and 129).
 *
 * - `requested`: stored; the queue sends it.
 * - `sending`: in transit, or its process died.
 * - `made`: the gateway has it.
 * - `refused`: the gateway refused it with a reason, or it never left.
 * - `unknown`: the gateway may or may not have it.
 * - `abandoned`: unknown for longer than it could have been paid.
 */
export const REQUEST_STATES = ['requested', 'sending', 'made', 'refused', 'unknown', 'abandoned'] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

/**
 * What payments and subscriptions have in common: asked for once under an id of ours, then checked until all is known.
 */
export interface Attempt {
  /** Ours, a ULID; the gateway has it as `developer_tracking_id`. */
  readonly trackingId: string;
  /** What the integrator calls it. Of several attempts for one reference at most one is live. */
  readonly reference: string | undefined;
  /** Whether this attempt is the one of its reference that may still be paid, or goes on. */
  readonly isLive: boolean;
  /** Whose due its money lowers. */
  readonly agentId: string | undefined;
  readonly amount: Millimes;
  /** The arguments of the gateway client's call. No secrets. */
  readonly terms: Readonly<Record<string, unknown>>;
  /** Test money is shown and never posted (open point 127). */
  readonly isTest: boolean;
  /** The code of the fault that ended the request, with its message. */
  readonly requestError: string | undefined;
  readonly requestedAt: Instant;
  /** When it was sent last. One that is `requested` was turned away then, and waits in the queue. */
  readonly sentAt: Instant | undefined;
  /** Where the customer pays; the picture or slug of a QR code. */
  readonly link: string | undefined;
  readonly sessionEndsAt: Instant | undefined;
  /** The gateway's word, as last seen; of POS its code. */
  readonly status: string | undefined;
  /** When it is to be asked about next; undefined when nothing more is expected. */
  readonly nextCheckAt: Instant | undefined;
  /** When a webhook triggered a status check that is still to come. */
  readonly triggeredAt: Instant | undefined;
  readonly lastCheckAt: Instant | undefined;
  /** Status checks that were answered, and those in a row that were not. */
  readonly checks: number;
  readonly failedChecks: number;
  readonly lastCheckError: string | undefined;
  readonly recordedBy: string;
}
