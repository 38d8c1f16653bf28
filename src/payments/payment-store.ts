import {
  ATTEMPT_FIELDS,
  gatewayWord,
  queueOrder,
  REQUEST_STATES,
  type RequestState,
  withIsLive,
  withLiveReference,
} from '../attempts';
import { column, rowCodec, ROWS_PER_STATEMENT, type Session } from '../db';
import { assert, type Instant, pagesOf } from '../kernel';
import { CHECKOUT_KINDS, type Payment, PAYMENT_KINDS, type PaymentKind } from './payment';

const PAYMENT = rowCodec({
  ...ATTEMPT_FIELDS,
  kind: column.word('kind', PAYMENT_KINDS),
  ourShare: column.millimes('our_share_millimes'),
  requestState: column.word('request_state', REQUEST_STATES),
  gatewayId: column.optional(column.text('gateway_id')),
  settlementStatus: column.optional(gatewayWord('settlement_status')),
  method: column.optional(gatewayWord('method')),
  captured: column.optional(column.millimes('captured_millimes')),
  succeededAfter: column.optional(column.number('succeeded_after')),
  succeededUntil: column.optional(column.number('succeeded_until')),
  itemId: column.optional(column.text('item_id')),
});

const COUNT = rowCodec({ number: column.number('number') });

/** The changeable fields of a payment. `undefined` empties a field; an absent field stays unchanged. */
export type PaymentChange = Partial<
  Pick<
    Payment,
    | 'isLive'
    | 'isTest'
    | 'requestState'
    | 'requestError'
    | 'sentAt'
    | 'gatewayId'
    | 'link'
    | 'sessionEndsAt'
    | 'status'
    | 'settlementStatus'
    | 'method'
    | 'captured'
    | 'succeededAfter'
    | 'succeededUntil'
    | 'itemId'
    | 'nextCheckAt'
    | 'triggeredAt'
    | 'lastCheckAt'
    | 'checks'
    | 'failedChecks'
    | 'lastCheckError'
  >
>;

export interface PaymentFilter {
  readonly trackingIds?: readonly string[] | undefined;
  readonly kinds?: readonly PaymentKind[] | undefined;
  readonly requestStates?: readonly RequestState[] | undefined;
  readonly status?: string | undefined;
  readonly reference?: string | undefined;
  readonly agentId?: string | undefined;
  readonly limit: number;
}

/** The payments inside one transaction of the database. */
export interface PaymentStore {
  /** Adds payments. Fails with `duplicate_key` for a live reference or a gateway id that is taken. */
  add(payments: readonly Payment[]): Promise<void>;
  find(trackingId: string): Promise<Payment | undefined>;
  /** Reads a payment and locks it until the transaction ends. */
  lock(trackingId: string): Promise<Payment | undefined>;
  byGatewayId(gatewayId: string): Promise<Payment | undefined>;
  /** Returns the attempt of a reference that may still be paid. */
  live(reference: string): Promise<Payment | undefined>;
  /** Returns every attempt of any of the references, oldest first. */
  ofReferences(references: readonly string[]): Promise<Payment[]>;
  change(payment: Pick<Payment, 'trackingId' | 'reference'>, change: PaymentChange): Promise<void>;
  /** Returns payments that are due for a check: triggered ones first, then those that have been due the longest. */
  dueForCheck(now: Instant, kinds: readonly PaymentKind[], limit: number): Promise<Payment[]>;
  /** Returns payments with this request state, oldest first. */
  inRequestState(state: RequestState, kinds: readonly PaymentKind[], limit: number): Promise<Payment[]>;
  /** Returns the hosted checkouts that wait to be sent, in their sending order. */
  toSend(limit: number): Promise<Payment[]>;
  countInRequestState(state: RequestState): Promise<number>;
  /** Lists payments, newest first. */
  list(filter: PaymentFilter): Promise<Payment[]>;
}

export function openPaymentStore(session: Session): PaymentStore {
  const select = () => selectPayments(session);
  return {
    async add(payments) {
      for (const page of pagesOf(payments.map(toRow), ROWS_PER_STATEMENT)) await session('payments').insert(page);
    },
    find: (trackingId) => first(select().where('p.tracking_id', trackingId)),
    lock: (trackingId) => first(select().where('p.tracking_id', trackingId).forUpdate()),
    byGatewayId: (gatewayId) => first(select().where('p.gateway_id', gatewayId)),
    live: (reference) => first(select().where('p.live_reference', reference)),
    ofReferences: (references) => findOfReferences(session, references),
    async change({ trackingId, reference }, change) {
      const changed = await session('payments')
        .where('tracking_id', trackingId)
        .update(PAYMENT.write(withLiveReference(change, reference)));
      assert(changed === 1, 'a payment that changes exists');
    },
    dueForCheck: (now, kinds, limit) =>
      all(
        select()
          .where('p.next_look_at', '<=', now)
          .whereIn('p.kind', [...kinds])
          // A webhook triggers a check, so a payment that is only due may wait.
          .orderByRaw('case when p.nudged_at is null then 1 else 0 end, p.next_look_at, p.tracking_id')
          .limit(limit),
      ),
    inRequestState: (state, kinds, limit) =>
      all(
        select()
          .where('p.request_state', state)
          .whereIn('p.kind', [...kinds])
          .orderBy(['p.requested_at', 'p.tracking_id'])
          .limit(limit),
      ),
    toSend: (limit) =>
      all(
        select()
          .where('p.request_state', 'requested')
          .whereIn('p.kind', [...CHECKOUT_KINDS])
          .orderByRaw(queueOrder('p'))
          .limit(limit),
      ),
    async countInRequestState(state) {
      const counted = await COUNT.first(session('payments as p').count('* as number').where('p.request_state', state));
      return counted?.number ?? 0;
    },
    async list({ trackingIds, kinds, requestStates, status, reference, agentId, limit }) {
      const query = select().orderBy('p.tracking_id', 'desc').limit(limit);
      if (trackingIds !== undefined) void query.whereIn('p.tracking_id', [...trackingIds]);
      if (kinds !== undefined) void query.whereIn('p.kind', [...kinds]);
      if (requestStates !== undefined) void query.whereIn('p.request_state', [...requestStates]);
      if (status !== undefined) void query.where('p.status', status);
      if (reference !== undefined) void query.where('p.reference', reference);
      if (agentId !== undefined) void query.where('p.agent_id', agentId);
      return all(query);
    },
  };
}

async function findOfReferences(session: Session, references: readonly string[]): Promise<Payment[]> {
  const found: Payment[] = [];
  for (const page of pagesOf([...new Set(references)], ROWS_PER_STATEMENT)) {
    found.push(...(await all(selectPayments(session).whereIn('p.reference', page).orderBy('p.tracking_id'))));
  }
  return found;
}

function selectPayments(session: Session) {
  return session('payments as p').select(PAYMENT.columns('p'));
}

async function all(query: PromiseLike<unknown>): Promise<Payment[]> {
  return (await PAYMENT.all(query)).map(withIsLive);
}

async function first(query: PromiseLike<unknown>): Promise<Payment | undefined> {
  return (await all(query))[0];
}

function toRow(payment: Payment): Record<string, unknown> {
  return PAYMENT.write(withLiveReference(payment, payment.reference));
}
