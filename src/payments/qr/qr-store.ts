import { rowsOf, type Row, type Session } from '../../db';
import { pagesOf, toMillimes, type Instant, type Millimes } from '../../kernel';
import { word } from '../attempts/attempt-row';
import type { OpenCodes, CandidateCode } from './candidate-codes';

const ROWS_PER_STATEMENT = 200;

/** One payment by a QR code: a code may be paid more than once (open point 80). */
export interface QrPayment {
  /** The gateway's. */
  readonly transactionUniqueId: string;
  /** Whose code was paid; undefined for a payment that only the merchant's history told. */
  readonly trackingId: string | undefined;
  readonly amount: Millimes;
  readonly channel: string | undefined;
  readonly paidAt: Instant;
  readonly firstSeenAt: Instant;
  /** Undefined while its money is not in the books. */
  readonly itemId: string | undefined;
}

/** The payments by QR code inside one transaction of the database. */
export interface QrPaymentStore {
  /** One that is there fails with `duplicate_key`. */
  add(payment: QrPayment): Promise<void>;
  /** Those of the given ids that are there. */
  find(transactionUniqueIds: readonly string[]): Promise<Map<string, QrPayment>>;
  /** Its code is known now. */
  link(transactionUniqueId: string, trackingId: string): Promise<void>;
  /** Its money is in the books now. */
  posted(transactionUniqueId: string, itemId: string): Promise<void>;
  /** Those that we know of one code, the oldest first. */
  ofCode(trackingId: string): Promise<QrPayment[]>;
  /** The codes that may be that of a payment: those that failed least, and the newest, first. */
  codesOf(query: OpenCodes & { readonly limit: number }): Promise<CandidateCode[]>;
}

export function openQrPayments(session: Session): QrPaymentStore {
  const change = (transactionUniqueId: string, row: Record<string, unknown>) =>
    session('qr_transactions').where('transaction_unique_id', transactionUniqueId).update(row);
  const select = () =>
    session('qr_transactions as q')
      .select('q.transaction_unique_id', 'q.tracking_id', 'q.amount_millimes', 'q.channel', 'q.paid_at')
      .select('q.first_seen_at', 'q.item_id');
  return {
    async add({ transactionUniqueId, trackingId, amount, channel, paidAt, firstSeenAt, itemId }) {
      await session('qr_transactions').insert({
        transaction_unique_id: transactionUniqueId,
        tracking_id: trackingId ?? null,
        amount_millimes: amount,
        channel: word(channel),
        paid_at: paidAt,
        first_seen_at: firstSeenAt,
        item_id: itemId ?? null,
      });
    },
    async find(transactionUniqueIds) {
      const found = new Map<string, QrPayment>();
      for (const page of pagesOf([...new Set(transactionUniqueIds)], ROWS_PER_STATEMENT)) {
        const rows = await rowsOf(select().whereIn('q.transaction_unique_id', page));
        for (const each of rows.map(toQrPayment)) found.set(each.transactionUniqueId, each);
      }
      return found;
    },
    async link(transactionUniqueId, trackingId) {
      await change(transactionUniqueId, { tracking_id: trackingId });
    },
    async posted(transactionUniqueId, itemId) {
      await change(transactionUniqueId, { item_id: itemId });
    },
    async ofCode(trackingId) {
      const rows = await rowsOf(
        select().where('q.tracking_id', trackingId).orderBy(['q.paid_at', 'q.transaction_unique_id']),
      );
      return rows.map(toQrPayment);
    },
    async codesOf({ amount, madeAfter, madeUntil, checkedBefore, now, limit }) {
      const rows = await rowsOf(
        session('payments as p')
          .select('p.tracking_id', 'p.amount_millimes', 'p.request_state', 'p.is_test', 'p.failed_looks')
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
      return rows.map(toPossibleCode);
    },
  };
}

function toQrPayment(row: Row): QrPayment {
  return {
    transactionUniqueId: row['transaction_unique_id'] as string,
    trackingId: row['tracking_id'] === null ? undefined : (row['tracking_id'] as string),
    amount: toMillimes(row['amount_millimes']),
    channel: row['channel'] === null ? undefined : (row['channel'] as string),
    paidAt: Number(row['paid_at']),
    firstSeenAt: Number(row['first_seen_at']),
    itemId: row['item_id'] === null ? undefined : (row['item_id'] as string),
  };
}

function toPossibleCode(row: Row): CandidateCode {
  return {
    trackingId: row['tracking_id'] as string,
    amount: toMillimes(row['amount_millimes']),
    isUnknown: row['request_state'] === 'unknown',
    isTest: Number(row['is_test']) === 1,
    failedChecks: Number(row['failed_looks']),
  };
}
