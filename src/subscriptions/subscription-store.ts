import {
  ATTEMPT_FIELDS,
  gatewayWord,
  queueOrder,
  withIsLive,
  withLiveReference,
  withoutRepeatedDetail,
} from '../attempts';
import { afterKey, column, rowCodec, ROWS_PER_STATEMENT, type Session } from '../db';
import { assert, type Instant, newId, type Page, pageByKey, pagesOf } from '../kernel';
import {
  SUBSCRIPTION_REQUEST_STATES,
  type SubscriptionFilter,
  type SubscriptionKey,
  type SubscriptionMirror,
} from './subscriptions';

const SUBSCRIPTION = rowCodec({
  ...ATTEMPT_FIELDS,
  requestState: column.word('request_state', SUBSCRIPTION_REQUEST_STATES),
  subscriptionId: column.optional(column.text('subscription_id')),
  firstPaymentId: column.optional(column.text('first_payment_id')),
  activatedAt: column.optional(column.number('activated_at')),
  periodStartAt: column.optional(column.number('period_start_at')),
  periodEndAt: column.optional(column.number('period_end_at')),
  nextChargeAt: column.optional(column.number('next_charge_at')),
  cyclesCompleted: column.number('cycles_completed'),
  cancelAtPeriodEnd: column.flag('cancel_at_period_end'),
  canceledAt: column.optional(column.number('canceled_at')),
  cancellationInitiator: column.optional(gatewayWord('cancellation_initiator')),
  cancellationReason: column.optional(gatewayWord('cancellation_reason')),
});

const OBSERVATION = rowCodec({
  trackingId: column.text('tracking_id'),
  observedAt: column.number('observed_at'),
  status: gatewayWord('status'),
  detail: column.text('detail'),
});

const COUNT = rowCodec({ number: column.number('number') });

/** The changeable fields of a subscription. `undefined` empties a field; an absent field stays unchanged. */
export type SubscriptionChange = Partial<
  Omit<SubscriptionMirror, 'trackingId' | 'reference' | 'agentId' | 'amount' | 'terms' | 'requestedAt' | 'recordedBy'>
>;

/** The conditions for subscriptions that a run of the queue may send. */
export interface ToSend {
  readonly sentBefore: Instant;
  readonly unknownAfter: Instant;
  readonly isTest: boolean;
}

/** An answer of Get Subscription, and its instant. */
export interface SubscriptionObservation {
  readonly trackingId: string;
  readonly observedAt: Instant;
  readonly status: string;
  /** The answer as JSON. Personal data. */
  readonly detail: string;
}

/** The subscriptions inside one transaction of the database. */
export interface SubscriptionStore {
  /** Adds subscriptions. Fails with `duplicate_key` if a live reference is taken. */
  add(subscriptions: readonly SubscriptionMirror[]): Promise<void>;
  find(trackingId: string): Promise<SubscriptionMirror | undefined>;
  /** Reads a subscription and locks it until the transaction ends. */
  lock(trackingId: string): Promise<SubscriptionMirror | undefined>;
  bySubscriptionId(subscriptionId: string): Promise<SubscriptionMirror | undefined>;
  byFirstPaymentId(paymentId: string): Promise<SubscriptionMirror | undefined>;
  /** Returns the live subscription of a reference. */
  live(reference: string): Promise<SubscriptionMirror | undefined>;
  /** Returns the live subscription of each reference, or its newest one if none is live. */
  ofReferences(references: readonly string[]): Promise<Map<string, SubscriptionMirror>>;
  /** Changes a subscription. Fails with `duplicate_key` if a gateway id is taken. */
  change(subscription: Pick<SubscriptionMirror, 'trackingId' | 'reference'>, change: SubscriptionChange): Promise<void>;
  /**
   * Returns subscriptions that are due for a check: triggered ones first, then those that have been due the longest.
   */
  dueForCheck(now: Instant, limit: number): Promise<SubscriptionMirror[]>;
  countDueForCheck(now: Instant): Promise<number>;
  /**
   * Returns requested subscriptions. For the given application it also returns those in transit since before
   * `sentBefore`, and unknown ones requested after `unknownAfter`.
   */
  toSend(who: ToSend, limit: number): Promise<SubscriptionMirror[]>;
  countRequested(): Promise<number>;
  /**
   * Returns the subscriptions of one application with an unknown outcome that were requested no later than
   * `requestedUntil`, the newest first.
   */
  unresolved(
    who: { readonly requestedUntil: Instant; readonly isTest: boolean },
    limit: number,
  ): Promise<SubscriptionMirror[]>;
  /** Appends an answer, with an empty detail if it repeats the last stored one. */
  observe(observation: SubscriptionObservation, recordedAt: Instant): Promise<void>;
  /** Returns a page of subscriptions, newest first. It examines at most 2,000 of them. */
  list(filter: SubscriptionFilter): Promise<Page<SubscriptionMirror, SubscriptionKey>>;
}

export function openSubscriptionStore(session: Session): SubscriptionStore {
  const select = () => selectSubscriptions(session);
  const countOf = async (query: PromiseLike<unknown>): Promise<number> => (await COUNT.first(query))?.number ?? 0;
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
    ofReferences: (references) => findOfReferences(session, references),
    async change({ trackingId, reference }, change) {
      const changed = await session('subscriptions')
        .where('tracking_id', trackingId)
        .update(SUBSCRIPTION.write(withLiveReference(change, reference)));
      assert(changed === 1, 'a subscription that changes exists');
    },
    dueForCheck: (now, limit) =>
      all(
        select()
          .where('s.next_look_at', '<=', now)
          // A webhook triggers a check, so a subscription that is only due may wait.
          .orderByRaw('case when s.nudged_at is null then 1 else 0 end, s.next_look_at, s.tracking_id')
          .limit(limit),
      ),
    countDueForCheck: (now) =>
      countOf(session('subscriptions as s').count('* as number').where('s.next_look_at', '<=', now)),
    toSend: (who, limit) => findToSend(session, who, limit),
    countRequested: () =>
      countOf(session('subscriptions as s').count('* as number').where('s.request_state', 'requested')),
    unresolved: ({ requestedUntil, isTest }, limit) =>
      all(
        select()
          .where('s.request_state', 'unknown')
          .where('s.is_test', isTest ? 1 : 0)
          .where('s.requested_at', '<=', requestedUntil)
          .orderBy('s.requested_at', 'desc')
          .limit(limit),
      ),
    async observe(observation, recordedAt) {
      const news = await withoutRepeatedDetail(session, 'subscription_observations', observation);
      const row = { id: newId(), recorded_at: recordedAt, ...OBSERVATION.write(news) };
      await session('subscription_observations').insert(row);
    },
    list: (filter) => listSubscriptions(session, filter),
  };
}

function listSubscriptions(
  session: Session,
  { status, requestState, reference, after: first, limit }: SubscriptionFilter,
): Promise<Page<SubscriptionMirror, SubscriptionKey>> {
  return pageByKey<SubscriptionMirror, SubscriptionKey>({
    read(after, count) {
      const equal = reference === undefined ? {} : { 's.reference': reference };
      const key = { equal, columns: ['s.tracking_id'], order: 'desc', after } as const;
      return all(afterKey(session, selectSubscriptions(session), key, count));
    },
    keyOf: ({ trackingId }) => [trackingId],
    keep: (row) =>
      (status === undefined || row.status === status) &&
      (requestState === undefined || row.requestState === requestState),
    ...{ after: first, limit },
  });
}

async function findOfReferences(
  session: Session,
  references: readonly string[],
): Promise<Map<string, SubscriptionMirror>> {
  const found = new Map<string, SubscriptionMirror>();
  for (const page of pagesOf([...new Set(references)], ROWS_PER_STATEMENT)) {
    const ofPage = selectSubscriptions(session).whereIn('s.reference', page).orderBy('s.tracking_id');
    for (const each of await all(ofPage)) {
      if (each.reference === undefined || found.get(each.reference)?.isLive === true) continue;
      found.set(each.reference, each);
    }
  }
  return found;
}

function findToSend(
  session: Session,
  { sentBefore, unknownAfter, isTest }: ToSend,
  limit: number,
): Promise<SubscriptionMirror[]> {
  return all(
    selectSubscriptions(session)
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
}

function selectSubscriptions(session: Session) {
  return session('subscriptions as s').select(SUBSCRIPTION.columns('s'));
}

async function all(query: PromiseLike<unknown>): Promise<SubscriptionMirror[]> {
  return (await SUBSCRIPTION.all(query)).map(withIsLive);
}

async function first(query: PromiseLike<unknown>): Promise<SubscriptionMirror | undefined> {
  return (await all(query))[0];
}

function toRow(subscription: SubscriptionMirror): Record<string, unknown> {
  return SUBSCRIPTION.write(withLiveReference(subscription, subscription.reference));
}
