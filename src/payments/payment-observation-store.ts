import { gatewayWord } from '../attempts';
import { column, rowCodec, type Session } from '../db';
import { type Instant, newId } from '../kernel';
import { OBSERVATION_SOURCES, type PaymentObservation } from './payment';

const OBSERVATION = rowCodec({
  trackingId: column.text('tracking_id'),
  source: column.word('source', OBSERVATION_SOURCES),
  observedAt: column.number('observed_at'),
  status: gatewayWord('status'),
  settlementStatus: column.optional(gatewayWord('settlement_status')),
  method: column.optional(gatewayWord('method')),
  amount: column.optional(column.millimes('amount_millimes')),
  detail: column.text('detail'),
});

/** The answers about payments inside one transaction of the database. They are only appended. */
export interface PaymentObservations {
  append(observation: PaymentObservation, recordedAt: Instant): Promise<void>;
  /** Returns every observation of a payment, oldest first. */
  ofPayment(trackingId: string): Promise<PaymentObservation[]>;
}

export function openPaymentObservations(session: Session): PaymentObservations {
  return {
    async append(observation, recordedAt) {
      const row = { id: newId(), recorded_at: recordedAt, ...OBSERVATION.write(observation) };
      await session('payment_observations').insert(row);
    },
    ofPayment: (trackingId) =>
      OBSERVATION.all(
        session('payment_observations as o')
          .select(OBSERVATION.columns('o'))
          .where('o.tracking_id', trackingId)
          .orderBy(['o.observed_at', 'o.id']),
      ),
  };
}
