import { errorText } from '../attempts';
import { column, rowCodec, type Session } from '../db';
import { assert, type Instant } from '../kernel';
import { OPERATION_KINDS, OPERATION_STATES, type PaymentOperation } from './payment';

const OPERATION = rowCodec({
  id: column.text('id'),
  trackingId: column.text('tracking_id'),
  kind: column.word('kind', OPERATION_KINDS),
  state: column.word('state', OPERATION_STATES),
  amount: column.optional(column.millimes('amount_millimes')),
  refundId: column.optional(column.text('refund_id')),
  error: column.optional(errorText('error')),
  requestedAt: column.number('requested_at'),
  endedAt: column.optional(column.number('ended_at')),
  nextCheckAt: column.optional(column.number('next_check_at')),
  checks: column.number('checks'),
  requestedBy: column.text('requested_by'),
});

export type PaymentOperationChange = Partial<
  Pick<PaymentOperation, 'state' | 'amount' | 'refundId' | 'error' | 'endedAt' | 'nextCheckAt' | 'checks'>
>;

/** Captures, cancels and refunds inside one transaction of the database. */
export interface PaymentOperationStore {
  /**
   * Adds an operation. Fails with `duplicate_key` if the payment has another one of the same kind that is not refused;
   * capture and cancel count as one kind.
   */
  add(operation: PaymentOperation): Promise<void>;
  find(id: string): Promise<PaymentOperation | undefined>;
  /** Returns the operations of one payment, oldest first. */
  ofPayment(trackingId: string): Promise<PaymentOperation[]>;
  /** Changes an operation. A refused one admits another try. */
  change(id: string, change: PaymentOperationChange): Promise<void>;
  /** Returns operations of unknown outcome that are due for a check. */
  dueToCheck(now: Instant, limit: number): Promise<PaymentOperation[]>;
  /** Returns operations sent before `before` that have not ended, because their process crashed. */
  stuck(before: Instant, limit: number): Promise<PaymentOperation[]>;
}

export function openPaymentOperations(session: Session): PaymentOperationStore {
  const select = () => session('payment_operations as o').select(OPERATION.columns('o'));
  return {
    async add(operation) {
      const live = operation.state === 'refused' ? null : liveKey(operation);
      await session('payment_operations').insert({ ...OPERATION.write(operation), live_key: live });
    },
    find: (id) => OPERATION.first(select().where('o.id', id)),
    ofPayment: (trackingId) => OPERATION.all(select().where('o.tracking_id', trackingId).orderBy('o.id')),
    async change(id, change) {
      const live = change.state === 'refused' ? { live_key: null } : {};
      const changed = await session('payment_operations')
        .where('id', id)
        .update({ ...OPERATION.write(change), ...live });
      assert(changed === 1, 'an operation that changes exists');
    },
    dueToCheck: (now, limit) =>
      OPERATION.all(select().where('o.next_check_at', '<=', now).orderBy(['o.next_check_at', 'o.id']).limit(limit)),
    stuck: (before, limit) =>
      OPERATION.all(
        select()
          .where('o.state', 'sending')
          .where('o.requested_at', '<', before)
          .orderBy(['o.requested_at', 'o.id'])
          .limit(limit),
      ),
  };
}

/** Returns the unique key: one per payment for refunds, and one for captures and cancels. */
function liveKey({ trackingId, kind }: Pick<PaymentOperation, 'trackingId' | 'kind'>): string {
  return `${trackingId}:${kind === 'refund' ? 'refund' : 'hold'}`;
}
