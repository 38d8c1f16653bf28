import { optionalNumber, optionalText, rowsOf, type Row, type Session } from '../db';
import { assert, newId, pagesOf, type Instant } from '../kernel';
import {
  ATTEMPT_CHANGES,
  ATTEMPT_COLUMNS,
  ATTEMPT_WORDS,
  changedColumns,
  fixedColumns,
  queueOrder,
  readLastDetail,
  toAttempt,
  word,
} from '../payments';
import type { SubscriptionFilter, SubscriptionMirror } from './subscriptions';

const ROWS_PER_STATEMENT = 200;

const COLUMNS = [
  ...ATTEMPT_COLUMNS,
  'subscription_id',
  'first_payment_id',
  'activated_at',
  'period_start_at',
  'period_end_at',
  'next_charge_at',
  'cycles_completed',
  'cancel_at_period_end',
  'canceled_at',
  'cancellation_initiator',
  'cancellation_reason',
].map((column) => `s.${column}`);

const REQUEST_STATES = ['requested', 'sending', 'made', 'refused', 'unknown'] as const;

/** What can change of a subscription. `undefined` empties a field; a field that is not named stays as it is. */
export type SubscriptionChange = Partial<
  Omit<SubscriptionMirror, 'trackingId' | 'reference' | 'agentId' | 'amount' | 'terms' | 'requestedAt' | 'recordedBy'>
>;

/** What Get Subscription said, and when. */
export interface SubscriptionObservation {
  readonly trackingId: string;
  readonly observedAt: Instant;
  readonly status: string;
  /** The answer as JSON, or empty when it is that of the observation before. Personal data. */
  readonly detail: string;
}

/** What a run of the queue may send. */
export interface ToSend {
  readonly sentBefore: Instant;
  readonly unknownAfter: Instant;
  readonly isTest: boolean;
}

/** The subscriptions inside one transaction of the database. */
export interface SubscriptionStore {
  /** A live reference that is taken fails with `duplicate_key`. */
  add(subscriptions: readonly SubscriptionMirror[]): Promise<void>;
  find(trackingId: string): Promise<SubscriptionMirror | undefined>;
  /** Reads it and locks it until the transaction ends. */
  lock(trackingId: string): Promise<SubscriptionMirror | undefined>;
  bySubscriptionId(subscriptionId: string): Promise<SubscriptionMirror | undefined>;
  byFirstPaymentId(paymentId: string): Promise<SubscriptionMirror | undefined>;
  /** The one of a reference that may still be begun or is going on. */
  live(reference: string): Promise<SubscriptionMirror | undefined>;
  /** The live one of each reference; of a reference without one the newest. */
  ofReferences(references: readonly string[]): Promise<Map<string, SubscriptionMirror>>;
  /** A gateway id that is taken fails with `duplicate_key`. */
  change(subscription: Pick<SubscriptionMirror, 'trackingId' | 'reference'>, change: SubscriptionChange): Promise<void>;
  /** Those that are due to be checked: triggered ones first, then by how long they have been due. */
  dueForCheck(now: Instant, limit: number): Promise<SubscriptionMirror[]>;
  countDueForCheck(now: Instant): Promise<number>;
  /**
   * What is requested; and, of the one application, what is in transit since before `sentBefore`, or unknown and
   * requested after `unknownAfter`.
   */
  toSend(who: ToSend, limit: number): Promise<SubscriptionMirror[]>;
  countRequested(): Promise<number>;
  /** The newest first. */
  list(filter: SubscriptionFilter): Promise<SubscriptionMirror[]>;
  observe(observation: SubscriptionObservation, recordedAt: Instant): Promise<void>;
  /** The last answer that was written down; undefined before the first. */
  lastDetail(trackingId: string): Promise<string | undefined>;
}

export function openSubscriptionStore(session: Session): SubscriptionStore {
  const select = () => session('subscriptions as s').select(COLUMNS);
  const first = async (query: PromiseLike<unknown>): Promise<SubscriptionMirror | undefined> => {
    const [row] = await rowsOf(query);
    return row === undefined ? undefined : toSubscription(row);
  };
  const countOf = async (query: PromiseLike<unknown>): Promise<number> => {
    const [row] = await rowsOf(query);
    return Number(row?.['number'] ?? 0);
  };
  return {
    async add(subscriptions) {
      for (const page of pagesOf(subscriptions.map(toRow), ROWS_PER_STATEMENT)) {
        await session('subscriptions').insert(page);
      }
    },
    find: (trackingId) => first(select().where('s.tracking_id', trackingId)),
    lock: (trackingId) => first(select().where('s.tracking_id', trackingId).forUpdate()),
    bySubscriptionId: (subscriptionId) => first(select().where('s.subscription_id', subscriptionId)),
    byFirstPaymentId: (paymentId) =>
      first(select().where('s.first_payment_id', paymentId).orderBy('s.tracking_id').limit(1)),
    live: (reference) => first(select().where('s.live_reference', reference)),
    async ofReferences(references) {
      const found = new Map<string, SubscriptionMirror>();
      for (const page of pagesOf([...new Set(references)], ROWS_PER_STATEMENT)) {
        const rows = await rowsOf(select().whereIn('s.reference', page).orderBy('s.tracking_id'));
        for (const each of rows.map(toSubscription)) {
          if (each.reference === undefined || found.get(each.reference)?.isLive === true) continue;
          found.set(each.reference, each);
        }
      }
      return found;
    },
    async change({ trackingId, reference }, change) {
      const changed = await session('subscriptions')
        .where('tracking_id', trackingId)
        .update(toChange(change, reference));
      assert(changed === 1, 'a subscription that changes is there');
    },
    async dueForCheck(now, limit) {
      const rows = await rowsOf(
        select()
          .where('s.next_look_at', '<=', now)
          // A webhook triggers a check; what is only due may wait for its turn.
          .orderByRaw('case when s.nudged_at is null then 1 else 0 end, s.next_look_at, s.tracking_id')
          .limit(limit),
      );
      return rows.map(toSubscription);
    },
    countDueForCheck: (now) =>
      countOf(session('subscriptions as s').count('* as number').where('s.next_look_at', '<=', now)),
    async toSend({ sentBefore, unknownAfter, isTest }, limit) {
      const rows = await rowsOf(
        select()
          .where('s.request_state', 'requested')
          .orWhere((unknown) => {
            void unknown.where('s.request_state', 'unknown').where('s.is_test', isTest ? 1 : 0);
            void unknown.where('s.requested_at', '>', unknownAfter);
          })
          .orWhere((stuck) => {
            void stuck.where('s.request_state', 'sending').where('s.is_test', isTest ? 1 : 0);
            void stuck.where('s.sent_at', '<', sentBefore);
          })
          .orderByRaw(queueOrder('s'))
          .limit(limit),
      );
      return rows.map(toSubscription);
    },
    countRequested: () =>
      countOf(session('subscriptions as s').count('* as number').where('s.request_state', 'requested')),
    async list({ status, requestState, reference, limit }) {
      const query = select().orderBy('s.tracking_id', 'desc').limit(limit);
      if (status !== undefined) void query.where('s.status', status);
      if (requestState !== undefined) void query.where('s.request_state', requestState);
      if (reference !== undefined) void query.where('s.reference', reference);
      return (await rowsOf(query)).map(toSubscription);
    },
    async observe({ trackingId, observedAt, status, detail }, recordedAt) {
      await session('subscription_observations').insert({
        id: newId(),
        tracking_id: trackingId,
        observed_at: observedAt,
        recorded_at: recordedAt,
        status: word(status),
        detail,
      });
    },
    lastDetail: (trackingId) => readLastDetail(session, 'subscription_observations', trackingId),
  };
}

function toRow(subscription: SubscriptionMirror): Record<string, unknown> {
  return { ...fixedColumns(subscription), ...toChange(subscription, subscription.reference) };
}

const CHANGES = {
  plain: {
    ...ATTEMPT_CHANGES,
    subscriptionId: 'subscription_id',
    firstPaymentId: 'first_payment_id',
    activatedAt: 'activated_at',
    periodStartAt: 'period_start_at',
    periodEndAt: 'period_end_at',
    nextChargeAt: 'next_charge_at',
    cyclesCompleted: 'cycles_completed',
    canceledAt: 'canceled_at',
  },
  words: {
    ...ATTEMPT_WORDS,
    cancellationInitiator: 'cancellation_initiator',
    cancellationReason: 'cancellation_reason',
  },
} as const;

function toChange(change: SubscriptionChange, reference: string | undefined): Record<string, unknown> {
  const { cancelAtPeriodEnd } = change;
  return {
    ...changedColumns({ ...change }, reference, CHANGES),
    ...(cancelAtPeriodEnd === undefined ? {} : { cancel_at_period_end: cancelAtPeriodEnd ? 1 : 0 }),
  };
}

function toSubscription(row: Row): SubscriptionMirror {
  const requestState = REQUEST_STATES.find((name) => name === row['request_state']);
  assert(requestState !== undefined, 'a subscription in a state that is in the list');
  return {
    ...toAttempt(row),
    requestState,
    subscriptionId: optionalText(row['subscription_id']),
    firstPaymentId: optionalText(row['first_payment_id']),
    activatedAt: optionalNumber(row['activated_at']),
    periodStartAt: optionalNumber(row['period_start_at']),
    periodEndAt: optionalNumber(row['period_end_at']),
    nextChargeAt: optionalNumber(row['next_charge_at']),
    cyclesCompleted: Number(row['cycles_completed']),
    cancelAtPeriodEnd: Number(row['cancel_at_period_end']) === 1,
    canceledAt: optionalNumber(row['canceled_at']),
    cancellationInitiator: optionalText(row['cancellation_initiator']),
    cancellationReason: optionalText(row['cancellation_reason']),
  };
}
