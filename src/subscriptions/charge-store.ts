import { optionalMillimes, optionalNumber, optionalText, rowsOf, type Row, type Session } from '../db';
import { businessDate, newId, pagesOf, toMillimes, type BusinessDate, type Instant, type Millimes } from '../kernel';
import { word } from '../payments';
import type { ChargeMirror } from './subscriptions';

const IDS_PER_STATEMENT = 200;

const COLUMNS = [
  'c.payment_id',
  'c.tracking_id',
  'c.status',
  'c.method',
  'c.billing_reason',
  'c.attempt',
  'c.period_start',
  'c.period_end',
  'c.amount_millimes',
  'c.fee_millimes',
  'c.tva_millimes',
  'c.created_at',
  'c.paid_at',
  'c.first_seen_at',
  'c.last_look_at',
  'c.item_id',
] as const;

/** What List Charges said of a charge when it was something new. */
export interface ChargeObservation {
  readonly paymentId: string;
  readonly observedAt: Instant;
  readonly status: string;
  readonly fee: Millimes | undefined;
  readonly tva: Millimes | undefined;
  /** As the gateway gave it, as JSON. */
  readonly detail: string;
}

/** The charges inside one transaction of the database. Lock their subscription first. */
export interface ChargeStore {
  find(paymentId: string): Promise<ChargeMirror | undefined>;
  /** The newest first, as far as the gateway said when. */
  ofSubscription(trackingId: string): Promise<ChargeMirror[]>;
  /** Those of the given ids that belong to another subscription of ours. */
  ofOthers(trackingId: string, paymentIds: readonly string[]): Promise<ChargeMirror[]>;
  add(charge: ChargeMirror): Promise<void>;
  /** Writes all of a charge that is there. */
  replace(charge: ChargeMirror): Promise<void>;
  /** All charges of a subscription but those were listed now. */
  recordCheck(trackingId: string, at: Instant, except: ReadonlySet<string>): Promise<void>;
  observe(observation: ChargeObservation, recordedAt: Instant): Promise<void>;
}

export function openChargeStore(session: Session): ChargeStore {
  const select = () => session('subscription_charges as c').select(...COLUMNS);
  return {
    async find(paymentId) {
      const [row] = await rowsOf(select().where('c.payment_id', paymentId));
      return row === undefined ? undefined : toCharge(row);
    },
    async ofSubscription(trackingId) {
      const rows = await rowsOf(
        select()
          .where('c.tracking_id', trackingId)
          .orderBy([
            { column: 'c.created_at', order: 'desc' },
            { column: 'c.payment_id', order: 'desc' },
          ]),
      );
      return rows.map(toCharge);
    },
    async ofOthers(trackingId, paymentIds) {
      const found: ChargeMirror[] = [];
      for (const page of pagesOf(paymentIds, IDS_PER_STATEMENT)) {
        const rows = await rowsOf(select().whereIn('c.payment_id', page).whereNot('c.tracking_id', trackingId));
        found.push(...rows.map(toCharge));
      }
      return found;
    },
    async add(charge) {
      await session('subscription_charges').insert(toRow(charge));
    },
    async replace(charge) {
      const { payment_id: paymentId, ...row } = toRow(charge);
      await session('subscription_charges').where('payment_id', paymentId).update(row);
    },
    async recordCheck(trackingId, at, except) {
      await session('subscription_charges')
        .where('tracking_id', trackingId)
        .whereNotIn('payment_id', [...except])
        .update({ last_look_at: at });
    },
    async observe({ paymentId, observedAt, status, fee, tva, detail }, recordedAt) {
      await session('charge_observations').insert({
        id: newId(),
        payment_id: paymentId,
        observed_at: observedAt,
        recorded_at: recordedAt,
        status: word(status),
        fee_millimes: fee ?? null,
        tva_millimes: tva ?? null,
        detail,
      });
    },
  };
}

function toRow(charge: ChargeMirror) {
  return {
    payment_id: charge.paymentId,
    tracking_id: charge.trackingId,
    status: word(charge.status),
    method: word(charge.method),
    billing_reason: word(charge.billingReason),
    attempt: charge.attempt ?? null,
    period_start: charge.periodStart ?? null,
    period_end: charge.periodEnd ?? null,
    amount_millimes: charge.amount,
    fee_millimes: charge.fee ?? null,
    tva_millimes: charge.tva ?? null,
    created_at: charge.createdAt ?? null,
    paid_at: charge.paidAt ?? null,
    first_seen_at: charge.firstSeenAt,
    last_look_at: charge.lastCheckAt,
    item_id: charge.itemId ?? null,
  };
}

function toCharge(row: Row): ChargeMirror {
  return {
    paymentId: row['payment_id'] as string,
    trackingId: row['tracking_id'] as string,
    status: row['status'] as string,
    method: row['method'] as string,
    billingReason: row['billing_reason'] as string,
    attempt: optionalNumber(row['attempt']),
    periodStart: day(row['period_start']),
    periodEnd: day(row['period_end']),
    amount: toMillimes(row['amount_millimes']),
    fee: optionalMillimes(row['fee_millimes']),
    tva: optionalMillimes(row['tva_millimes']),
    createdAt: optionalNumber(row['created_at']),
    paidAt: optionalNumber(row['paid_at']),
    firstSeenAt: Number(row['first_seen_at']),
    lastCheckAt: Number(row['last_look_at']),
    itemId: optionalText(row['item_id']),
  };
}

function day(value: unknown): BusinessDate | undefined {
  return value === null ? undefined : businessDate(value as string);
}
