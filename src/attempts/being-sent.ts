import { type Instant, MINUTE_MS } from '../kernel';
import type { RequestState } from './attempt';

/** After this time a call has an answer, or its process crashed; measured by the business clock. */
export const SENDING_MAX_MS = 5 * MINUTE_MS;

/** The reason for a request that repeats one in transit. */
export const BEING_SENT = 'the request is still being sent; try again in a moment';

interface SentRequest {
  readonly requestState: RequestState;
  readonly requestedAt: Instant;
  readonly sentAt: Instant | undefined;
}

/** Returns whether the call for an attempt may still be in transit. */
export function isBeingSent({ requestState, requestedAt, sentAt = requestedAt }: SentRequest, now: Instant): boolean {
  return requestState === 'sending' && now <= sentAt + SENDING_MAX_MS;
}
