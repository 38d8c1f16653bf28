import { AppError } from '../kernel';
import { openPaymentObservations } from './payment-observation-store';
import { openPaymentOperations } from './payment-operation-store';
import { openPaymentStore } from './payment-store';
import type { PaymentDetails, PaymentsDeps } from './payments';

/**
 * Returns one payment with its observations and operations, by tracking id, by the gateway's id, or the newest of a
 * reference.
 *
 * @throws AppError `not_found`.
 */
export async function showPayment({ database }: PaymentsDeps, id: string): Promise<PaymentDetails> {
  return database.read(
    async (session) => {
      const store = openPaymentStore(session);
      const [newest] = await store.list({ reference: id, limit: 1 });
      const payment = (await store.find(id)) ?? (await store.byGatewayId(id)) ?? newest;
      if (payment === undefined) throw new AppError('not_found', { thing: 'payment', id: id });
      return {
        payment,
        observations: await openPaymentObservations(session).ofPayment(payment.trackingId),
        operations: await openPaymentOperations(session).ofPayment(payment.trackingId),
      };
    },
    { snapshot: true },
  );
}
