import { ATTEMPT_FIELDS } from '../attempts';
import { rowCodec, type Session } from '../db';
import type { Instant, Millimes } from '../kernel';

const UNRESOLVED = rowCodec({
  trackingId: ATTEMPT_FIELDS.trackingId,
  amount: ATTEMPT_FIELDS.amount,
  requestError: ATTEMPT_FIELDS.requestError,
});

/** A subscription of unknown outcome that the queue no longer sends. */
export interface UnresolvedSubscription {
  readonly trackingId: string;
  readonly amount: Millimes;
  readonly requestError: string;
}

/**
 * Returns the subscriptions of one application with an unknown outcome that were requested no later than
 * `requestedUntil`, the newest first.
 */
export async function unresolvedSubscriptions(
  session: Session,
  { requestedUntil, isTest }: { readonly requestedUntil: Instant; readonly isTest: boolean },
  limit: number,
): Promise<UnresolvedSubscription[]> {
  const found = await UNRESOLVED.all(
    session('subscriptions as s')
      .select(UNRESOLVED.columns('s'))
      .where('s.request_state', 'unknown')
      .where('s.is_test', isTest ? 1 : 0)
      .where('s.requested_at', '<=', requestedUntil)
      .orderBy('s.requested_at', 'desc')
      .limit(limit),
  );
  return found.map(({ requestError = 'none', ...subscription }) => ({ ...subscription, requestError }));
}
