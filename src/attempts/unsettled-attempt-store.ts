import { column, rowCodec, type Session } from '../db';
import type { RequestState } from './attempt';

const ATTEMPT = rowCodec({ trackingId: column.text('tracking_id') });

/** The states of a request whose outcome is open. */
const OPEN_REQUESTS: readonly RequestState[] = ['requested', 'sending', 'unknown'];

/**
 * Returns the tracking id of the first of these attempts that may still bring money, if one does: a status check of it
 * is planned, or the outcome of its request is open. `alias` is the name of the table in the query.
 */
export async function unsettledAttempt(query: ReturnType<Session>, alias: string): Promise<string | undefined> {
  const unsettled = query
    .select(ATTEMPT.columns(alias))
    .where((open) => {
      void open.whereNotNull(`${alias}.next_look_at`).orWhereIn(`${alias}.request_state`, OPEN_REQUESTS);
    })
    .orderBy(`${alias}.tracking_id`)
    .limit(1);
  return (await ATTEMPT.first(unsettled))?.trackingId;
}
