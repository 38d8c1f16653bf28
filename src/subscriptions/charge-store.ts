import { gatewayWord } from '../attempts';
import { afterKey, column, rowCodec, ROWS_PER_STATEMENT, type Session } from '../db';
import { type Instant, type Millimes, newId, type Page, pageByKey, pagesOf } from '../kernel';
import type { ChargeKey, ChargeMirror, ChargeQuery } from './subscriptions';

const CHARGE = rowCodec({
  paymentId: column.text('payment_id'),
  trackingId: column.text('tracking_id'),
  status: gatewayWord('status'),
  method: gatewayWord('method'),
  billingReason: gatewayWord('billing_reason'),
  attempt: column.optional(column.number('attempt')),
  periodStart: column.optional(column.businessDate('period_start')),
  periodEnd: column.optional(column.businessDate('period_end')),
  amount: column.millimes('amount_millimes'),
  fee: column.optional(column.millimes('fee_millimes')),
  tva: column.optional(column.millimes('tva_millimes')),
  createdAt: column.optional(column.number('created_at')),
  paidAt: column.optional(column.number('paid_at')),
  firstSeenAt: column.number('first_seen_at'),
  lastCheckAt: column.number('last_look_at'),
  itemId: column.optional(column.text('item_id')),
});

const OBSERVATION = rowCodec({
  paymentId: column.text('payment_id'),
  observedAt: column.number('observed_at'),
  status: gatewayWord('status'),
  fee: column.optional(column.millimes('fee_millimes')),
  tva: column.optional(column.millimes('tva_millimes')),
  detail: column.text('detail'),
});

/** A report of List Charges about a charge, stored if it differs from the report before. */
export interface ChargeObservation {
  readonly paymentId: string;
  readonly observedAt: Instant;
  readonly status: string;
  readonly fee: Millimes | undefined;
  readonly tva: Millimes | undefined;
  /** The charge as the gateway sent it, as JSON. */
  readonly detail: string;
}

/** The charges inside one transaction of the database. Lock their subscription first. */
export interface ChargeStore {
  find(paymentId: string): Promise<ChargeMirror | undefined>;
  /** Returns the charges of a subscription, newest first by the gateway's creation time. */
  ofSubscription(trackingId: string): Promise<ChargeMirror[]>;
  /** Returns a page of them. Charges without a creation time come last. */
  page(trackingId: string, query: ChargeQuery): Promise<Page<ChargeMirror, ChargeKey>>;
  /** Returns the charges among the given ids that belong to another stored subscription. */
  ofOthers(trackingId: string, paymentIds: readonly string[]): Promise<ChargeMirror[]>;
  add(charge: ChargeMirror): Promise<void>;
  /** Overwrites a stored charge. */
  replace(charge: ChargeMirror): Promise<void>;
  /** Records that List Charges returned all charges of a subscription except these. */
  recordCheck(trackingId: string, at: Instant, except: ReadonlySet<string>): Promise<void>;
  observe(observation: ChargeObservation, recordedAt: Instant): Promise<void>;
}

export function openChargeStore(session: Session): ChargeStore {
  const select = () => session('subscription_charges as c').select(CHARGE.columns('c'));
  return {
    find: (paymentId) => CHARGE.first(select().where('c.payment_id', paymentId)),
    ofSubscription: (trackingId) =>
      CHARGE.all(
        select()
          .where('c.tracking_id', trackingId)
          .orderBy([
            { column: 'c.created_at', order: 'desc' },
            { column: 'c.payment_id', order: 'desc' },
          ]),
      ),
    page: (trackingId, { after: first, limit }) =>
      pageByKey<ChargeMirror, ChargeKey>({
        read: (after, count) => chargesAfter(session, trackingId, after, count),
        keyOf: ({ createdAt = NO_TIME, paymentId }) => [createdAt, paymentId],
        ...{ after: first, limit },
      }),
    async ofOthers(trackingId, paymentIds) {
      const found: ChargeMirror[] = [];
      for (const page of pagesOf(paymentIds, ROWS_PER_STATEMENT)) {
        const query = select().whereIn('c.payment_id', page).whereNot('c.tracking_id', trackingId);
        found.push(...(await CHARGE.all(query)));
      }
      return found;
    },
    async add(charge) {
      await session('subscription_charges').insert(CHARGE.write(charge));
    },
    async replace({ paymentId, ...values }) {
      await session('subscription_charges').where('payment_id', paymentId).update(CHARGE.write(values));
    },
    async recordCheck(trackingId, at, except) {
      await session('subscription_charges')
        .where('tracking_id', trackingId)
        .whereNotIn('payment_id', [...except])
        .update({ last_look_at: at });
    },
    async observe(observation, recordedAt) {
      const row = { id: newId(), recorded_at: recordedAt, ...OBSERVATION.write(observation) };
      await session('charge_observations').insert(row);
    },
  };
}

/** The place in a key of a creation time that the gateway did not state. */
const NO_TIME = 0;

async function chargesAfter(
  session: Session,
  trackingId: string,
  after: ChargeKey | undefined,
  count: number,
): Promise<ChargeMirror[]> {
  const select = () => session('subscription_charges as c').select(CHARGE.columns('c'));
  const equal = { 'c.tracking_id': trackingId };
  const [createdAt, ...id] = after ?? [undefined];
  const timed =
    createdAt === NO_TIME
      ? []
      : await CHARGE.all(
          afterKey(
            session,
            select().whereNotNull('c.created_at'),
            { equal, columns: ['c.created_at', 'c.payment_id'], order: 'desc', after },
            count,
          ),
        );
  if (timed.length === count) return timed;
  const rest = { columns: ['c.payment_id'], order: 'desc', after: createdAt === NO_TIME ? id : undefined } as const;
  const untimed = afterKey(
    session,
    select().where('c.tracking_id', trackingId).whereNull('c.created_at'),
    rest,
    count - timed.length,
  );
  return [...timed, ...(await CHARGE.all(untimed))];
}
