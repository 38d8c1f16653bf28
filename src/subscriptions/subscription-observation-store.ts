import { gatewayWord, readLastDetail } from '../attempts';
import { column, rowCodec, type Session } from '../db';
import { type Instant, newId } from '../kernel';

/** An answer of Get Subscription, and its instant. */
export interface SubscriptionObservation {
  readonly trackingId: string;
  readonly observedAt: Instant;
  readonly status: string;
  /** The answer as JSON, or empty if it repeats the observation before. Personal data. */
  readonly detail: string;
}

const OBSERVATION = rowCodec({
  trackingId: column.text('tracking_id'),
  observedAt: column.number('observed_at'),
  status: gatewayWord('status'),
  detail: column.text('detail'),
});

/** The answers about subscriptions inside one transaction of the database. They are only appended. */
export interface SubscriptionObservations {
  append(observation: SubscriptionObservation, recordedAt: Instant): Promise<void>;
  /** Returns the last stored answer; undefined before the first. */
  lastDetail(trackingId: string): Promise<string | undefined>;
}

export function openSubscriptionObservations(session: Session): SubscriptionObservations {
  return {
    async append(observation, recordedAt) {
      const row = { id: newId(), recorded_at: recordedAt, ...OBSERVATION.write(observation) };
      await session('subscription_observations').insert(row);
    },
    lastDetail: (trackingId) => readLastDetail(session, 'subscription_observations', trackingId),
  };
}
