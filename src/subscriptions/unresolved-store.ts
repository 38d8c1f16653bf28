import { optionalText, rowsOf, type Session } from '../db';
import { millimes, type Instant, type Millimes } from '../kernel';

/** A subscription of unknown outcome that the queue sends no more. */
export interface UnresolvedSubscription {
  readonly trackingId: string;
  readonly amount: Millimes;
  readonly requestError: string;
}

/** What is unknown of one application and was requested no later than `requestedUntil`, the newest first. */
export async function unresolvedSubscriptions(
  session: Session,
  { requestedUntil, isTest }: { readonly requestedUntil: Instant; readonly isTest: boolean },
  limit: number,
): Promise<UnresolvedSubscription[]> {
  const rows = await rowsOf(
    session('subscriptions as s')
      .select('s.tracking_id', 's.amount_millimes', 's.request_error')
      .where('s.request_state', 'unknown')
      .where('s.is_test', isTest ? 1 : 0)
      .where('s.requested_at', '<=', requestedUntil)
      .orderBy('s.requested_at', 'desc')
      .limit(limit),
  );
  return rows.map((row) => ({
    trackingId: row['tracking_id'] as string,
    amount: millimes(Number(row['amount_millimes'])),
    requestError: optionalText(row['request_error']) ?? 'none',
  }));
}
