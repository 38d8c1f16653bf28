import { column, rowCodec, type Session } from '../db';

const DETAIL = rowCodec({ detail: column.text('detail') });

/** The tables that store the answers of status checks. */
export type ObservationTable = 'payment_observations' | 'subscription_observations';

/**
 * Returns the last stored answer about an attempt; undefined before the first. Repeated answers are stored empty, so it
 * skips them.
 */
export async function readLastDetail(
  session: Session,
  table: ObservationTable,
  trackingId: string,
): Promise<string | undefined> {
  const found = await DETAIL.first(
    session(`${table} as o`)
      .select(DETAIL.columns('o'))
      .where('o.tracking_id', trackingId)
      .whereNot('o.detail', '')
      .orderBy([
        { column: 'o.observed_at', order: 'desc' },
        { column: 'o.id', order: 'desc' },
      ])
      .limit(1),
  );
  return found?.detail;
}
