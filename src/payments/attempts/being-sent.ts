import type { Instant } from '../../kernel';
import type { RequestState } from '../payment';

/** After this long a call has an answer, or its process died. By the business clock. */
export const SENDING_MAX_MS = 5 * 60_000;

/** What is told to who asks for the same meanwhile. */
export const BEING_SENT = 'it is being sent just now; ask again in a moment';

interface SentRequest {
  readonly requestState: RequestState;
  readonly requestedAt: Instant;
  readonly sentAt: Instant | undefined;
}

/** Whether the call for an attempt may still be in transit. */
export function isBeingSent({ requestState, requestedAt, sentAt = requestedAt }: SentRequest, now: Instant): boolean {
  return requestState === 'sending' && now <= sentAt + SENDING_MAX_MS;
}
