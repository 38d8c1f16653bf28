import { column, rowCodec, type Session } from '../db';

const DETAIL = rowCodec({ detail: column.text('detail') });

/** The content of a gateway's answer about an attempt. */
interface Answer {
  readonly trackingId: string;
  readonly detail: string;
}

/**
 * Returns the answer of a status check to store: with an empty detail if it repeats the last stored one. Repeats are
 * stored empty, so the search skips them.
 */
export async function withoutRepeatedDetail<Observation extends Answer>(
  session: Session,
  table: 'payment_observations' | 'subscription_observations',
  observation: Observation,
): Promise<Observation> {
  const last = await DETAIL.first(
    session(`${table} as o`)
      .select(DETAIL.columns('o'))
      .where('o.tracking_id', observation.trackingId)
      .whereNot('o.detail', '')
      .orderBy([
        { column: 'o.observed_at', order: 'desc' },
        { column: 'o.id', order: 'desc' },
      ])
      .limit(1),
  );
  return observation.detail === last?.detail ? { ...observation, detail: '' } : observation;
}
