import { rowsOf, type Session } from '../../db';

/** The tables that keep what status checks were answered. */
export type ObservationTable = 'payment_observations' | 'subscription_observations';

/**
 * The last answer about something that was written down; undefined before the first. One that repeats it is kept empty.
 */
export async function readLastDetail(
  session: Session,
  table: ObservationTable,
  trackingId: string,
): Promise<string | undefined> {
  const [row] = await rowsOf(
    session(`${table} as o`)
      .select('o.detail')
      .where('o.tracking_id', trackingId)
      .whereNot('o.detail', '')
      .orderBy([
        { column: 'o.observed_at', order: 'desc' },
        { column: 'o.id', order: 'desc' },
      ])
      .limit(1),
  );
  return row === undefined ? undefined : (row['detail'] as string);
}
