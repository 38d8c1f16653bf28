import { optionalMillimes, optionalNumber, optionalText, rowsOf, type Row, type Session } from '../../db';
import { assert, type Instant } from '../../kernel';
import type { PaymentOperation, PaymentOperationKind } from '../payment';

const ERROR_CHARACTERS_MAX = 900;
const COLUMNS = [
  'o.id',
  'o.tracking_id',
  'o.kind',
  'o.state',
  'o.amount_millimes',
  'o.refund_id',
  'o.error',
  'o.requested_at',
  'o.ended_at',
  'o.next_check_at',
  'o.checks',
  'o.requested_by',
] as const;

export type PaymentOperationChange = Partial<
  Pick<PaymentOperation, 'state' | 'amount' | 'refundId' | 'error' | 'endedAt' | 'nextCheckAt' | 'checks'>
>;

/** Captures, cancels and refunds inside one transaction of the database. */
export interface PaymentOperationStore {
  /**
   * Another one of the payment that is not refused fails with `duplicate_key`; capture and cancel are the same there.
   */
  add(operation: PaymentOperation): Promise<void>;
  find(id: string): Promise<PaymentOperation | undefined>;
  /** Of one payment, the oldest first. */
  ofPayment(trackingId: string): Promise<PaymentOperation[]>;
  /** A refused one gives its place to another try. */
  change(id: string, change: PaymentOperationChange): Promise<void>;
  /** Unknown outcomes that are due to be asked about. */
  dueToCheck(now: Instant, limit: number): Promise<PaymentOperation[]>;
  /** Sent before `before` and not ended: their process died. */
  stuck(before: Instant, limit: number): Promise<PaymentOperation[]>;
}

export function openPaymentOperations(session: Session): PaymentOperationStore {
  const select = () => session('payment_operations as o').select(...COLUMNS);
  return {
    async add(operation) {
      await session('payment_operations').insert({
        id: operation.id,
        tracking_id: operation.trackingId,
        kind: operation.kind,
        live_key: operation.state === 'refused' ? null : liveKey(operation),
        requested_at: operation.requestedAt,
        requested_by: operation.requestedBy,
        ...toChange(operation),
      });
    },
    async find(id) {
      const [row] = await rowsOf(select().where('o.id', id));
      return row === undefined ? undefined : toOperation(row);
    },
    async ofPayment(trackingId) {
      return (await rowsOf(select().where('o.tracking_id', trackingId).orderBy('o.id'))).map(toOperation);
    },
    async change(id, change) {
      const live = change.state === 'refused' ? { live_key: null } : {};
      const changed = await session('payment_operations')
        .where('id', id)
        .update({ ...toChange(change), ...live });
      assert(changed === 1, 'an operation that changes is there');
    },
    async dueToCheck(now, limit) {
      const rows = await rowsOf(
        select().where('o.next_check_at', '<=', now).orderBy(['o.next_check_at', 'o.id']).limit(limit),
      );
      return rows.map(toOperation);
    },
    async stuck(before, limit) {
      const rows = await rowsOf(
        select()
          .where('o.state', 'sending')
          .where('o.requested_at', '<', before)
          .orderBy(['o.requested_at', 'o.id'])
          .limit(limit),
      );
      return rows.map(toOperation);
    },
  };
}

function liveKey({ trackingId, kind }: { trackingId: string; kind: PaymentOperationKind }): string {
  return `${trackingId}:${kind === 'refund' ? 'refund' : 'hold'}`;
}

const CHANGE_COLUMNS = {
  state: 'state',
  amount: 'amount_millimes',
  refundId: 'refund_id',
  endedAt: 'ended_at',
  nextCheckAt: 'next_check_at',
  checks: 'checks',
  error: 'error',
} as const satisfies Record<keyof PaymentOperationChange, string>;

function toChange(change: PaymentOperationChange): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [name, column] of Object.entries(CHANGE_COLUMNS)) {
    if (Object.hasOwn(change, name)) row[column] = change[name as keyof PaymentOperationChange] ?? null;
  }
  if (change.error !== undefined) row['error'] = change.error.slice(0, ERROR_CHARACTERS_MAX);
  return row;
}

function toOperation(row: Row): PaymentOperation {
  return {
    id: row['id'] as string,
    trackingId: row['tracking_id'] as string,
    kind: row['kind'] as PaymentOperation['kind'],
    state: row['state'] as PaymentOperation['state'],
    amount: optionalMillimes(row['amount_millimes']),
    refundId: optionalText(row['refund_id']),
    error: optionalText(row['error']),
    requestedAt: Number(row['requested_at']),
    endedAt: optionalNumber(row['ended_at']),
    nextCheckAt: optionalNumber(row['next_check_at']),
    checks: Number(row['checks']),
    requestedBy: row['requested_by'] as string,
  };
}
