import { ATTEMPT_FIELDS, gatewayWord, REQUEST_STATES } from '../../attempts';
import { column, rowCodec, ROWS_PER_STATEMENT, type Session } from '../../db';
import { type Instant, type Millimes, pagesOf } from '../../kernel';
import type { CandidateCode, OpenCodes } from './candidate-codes';

const QR_PAYMENT = rowCodec({
  transactionUniqueId: column.text('transaction_unique_id'),
  trackingId: column.optional(column.text('tracking_id')),
  amount: column.millimes('amount_millimes'),
  channel: column.optional(gatewayWord('channel')),
  paidAt: column.number('paid_at'),
  firstSeenAt: column.number('first_seen_at'),
  itemId: column.optional(column.text('item_id')),
});

const CODE = rowCodec({
  trackingId: ATTEMPT_FIELDS.trackingId,
  amount: ATTEMPT_FIELDS.amount,
  requestState: column.word('request_state', REQUEST_STATES),
  isTest: ATTEMPT_FIELDS.isTest,
  failedChecks: ATTEMPT_FIELDS.failedChecks,
});

/** One payment by a QR code: a code may be paid more than once (open point 80). */
export interface QrPayment {
  /** The gateway's id. */
  readonly transactionUniqueId: string;
  /** The attempt whose code was paid; undefined for a payment that only the merchant's history lists. */
  readonly trackingId: string | undefined;
  readonly amount: Millimes;
  readonly channel: string | undefined;
  readonly paidAt: Instant;
  readonly firstSeenAt: Instant;
  /** Undefined until its money is posted. */
  readonly itemId: string | undefined;
}

/** The payments by QR code inside one transaction of the database. */
export interface QrPaymentStore {
  /**
   * Adds a payment.
   *
   * @throws AppError `duplicate_key` for one that exists.
   */
  add(payment: QrPayment): Promise<void>;
  /** Returns the stored payments among the given ids. */
  find(transactionUniqueIds: readonly string[]): Promise<Map<string, QrPayment>>;
  /** Stores the attempt whose code was paid. */
  link(transactionUniqueId: string, trackingId: string): Promise<void>;
  /** Stores the item of its posted money. */
  posted(transactionUniqueId: string, itemId: string): Promise<void>;
  /** Returns the stored payments of one code, oldest first. */
  ofCode(trackingId: string): Promise<QrPayment[]>;
  /** Returns the codes that a payment may belong to: those with the fewest failed checks first, then the newest. */
  codesOf(query: OpenCodes & { readonly limit: number }): Promise<CandidateCode[]>;
}

export function openQrPayments(session: Session): QrPaymentStore {
  const change = (transactionUniqueId: string, values: Partial<QrPayment>) =>
    session('qr_transactions').where('transaction_unique_id', transactionUniqueId).update(QR_PAYMENT.write(values));
  const select = () => session('qr_transactions as q').select(QR_PAYMENT.columns('q'));
  return {
    async add(payment) {
      await session('qr_transactions').insert(QR_PAYMENT.write(payment));
    },
    async find(transactionUniqueIds) {
      const found = new Map<string, QrPayment>();
      for (const page of pagesOf([...new Set(transactionUniqueIds)], ROWS_PER_STATEMENT)) {
        const payments = await QR_PAYMENT.all(select().whereIn('q.transaction_unique_id', page));
        for (const payment of payments) found.set(payment.transactionUniqueId, payment);
      }
      return found;
    },
    async link(transactionUniqueId, trackingId) {
      await change(transactionUniqueId, { trackingId });
    },
    async posted(transactionUniqueId, itemId) {
      await change(transactionUniqueId, { itemId });
    },
    ofCode: (trackingId) =>
      QR_PAYMENT.all(select().where('q.tracking_id', trackingId).orderBy(['q.paid_at', 'q.transaction_unique_id'])),
    async codesOf({ amount, madeAfter, madeUntil, checkedBefore, now, limit }) {
      const codes = await CODE.all(
        session('payments as p')
          .select(CODE.columns('p'))
          .where('p.kind', 'qr')
          .whereIn('p.request_state', ['made', 'unknown'])
          .where('p.amount_millimes', amount)
          .whereBetween('p.requested_at', [madeAfter, madeUntil])
          .where((code) => {
            void code.whereNull('p.last_look_at').orWhere('p.last_look_at', '<', checkedBefore);
            void code.orWhere('p.last_look_at', '>', now);
          })
          .orderBy([{ column: 'p.failed_looks' }, { column: 'p.tracking_id', order: 'desc' }])
          .limit(limit),
      );
      return codes.map(({ requestState, ...code }) => ({ ...code, isUnknown: requestState === 'unknown' }));
    },
  };
}
