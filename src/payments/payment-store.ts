import { optionalMillimes, optionalNumber, optionalText, rowsOf, type Row, type Session } from '../db';
import { assert, newId, pagesOf, toMillimes, type Instant } from '../kernel';
import {
  ATTEMPT_CHANGES,
  ATTEMPT_COLUMNS,
  ATTEMPT_WORDS,
  changedColumns,
  fixedColumns,
  toAttempt,
  word,
} from './attempts/attempt-row';
import { readLastDetail } from './status-checks/last-detail-store';
import {
  PAYMENT_KINDS,
  REQUEST_STATES,
  type Payment,
  type PaymentKind,
  type PaymentObservation,
  type RequestState,
} from './payment';

const ROWS_PER_STATEMENT = 200;

const COLUMNS = [
  ...ATTEMPT_COLUMNS,
  'kind',
  'our_share_millimes',
  'gateway_id',
  'settlement_status',
  'method',
  'captured_millimes',
  'succeeded_after',
  'succeeded_until',
  'item_id',
].map((column) => `p.${column}`);

/** What can change of a payment. `undefined` empties a field; a field that is not named stays as it is. */
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
  readonly kinds?: readonly PaymentKind[] | undefined;
  readonly requestStates?: readonly RequestState[] | undefined;
  readonly status?: string | undefined;
  readonly reference?: string | undefined;
  readonly agentId?: string | undefined;
  readonly limit: number;
}

/** The payments inside one transaction of the database. */
export interface PaymentStore {
  /** A live reference or a gateway id that is taken fails with `duplicate_key`. */
  add(payments: readonly Payment[]): Promise<void>;
  find(trackingId: string): Promise<Payment | undefined>;
  /** Reads it and locks it until the transaction ends. */
  lock(trackingId: string): Promise<Payment | undefined>;
  byGatewayId(gatewayId: string): Promise<Payment | undefined>;
  /** The attempt of a reference that may still be paid. */
  live(reference: string): Promise<Payment | undefined>;
  /** Every attempt of any of the references, the oldest first. */
  ofReferences(references: readonly string[]): Promise<Payment[]>;
  change(payment: Pick<Payment, 'trackingId' | 'reference'>, change: PaymentChange): Promise<void>;
  /** Those that are due to be checked: triggered ones first, then by how long they have been due. */
  dueForCheck(now: Instant, kinds: readonly PaymentKind[], limit: number): Promise<Payment[]>;
  /** In a state of their request, the oldest first. */
  inRequestState(state: RequestState, kinds: readonly PaymentKind[], limit: number): Promise<Payment[]>;
  countInRequestState(state: RequestState): Promise<number>;
  /** The newest first. */
  list(filter: PaymentFilter): Promise<Payment[]>;
  observe(observation: PaymentObservation, recordedAt: Instant): Promise<void>;
  /** The last answer that was written down; undefined before the first. */
  lastDetail(trackingId: string): Promise<string | undefined>;
  /** Every observation of a payment, the oldest first. */
  observations(trackingId: string): Promise<PaymentObservation[]>;
}

export function openPaymentStore(session: Session): PaymentStore {
  const select = () => session('payments as p').select(COLUMNS);
  const first = async (query: PromiseLike<unknown>): Promise<Payment | undefined> => {
    const [row] = await rowsOf(query);
    return row === undefined ? undefined : toPayment(row);
  };
  return {
    async add(payments) {
      for (const page of pagesOf(payments.map(toRow), ROWS_PER_STATEMENT)) await session('payments').insert(page);
    },
    find: (trackingId) => first(select().where('p.tracking_id', trackingId)),
    lock: (trackingId) => first(select().where('p.tracking_id', trackingId).forUpdate()),
    byGatewayId: (gatewayId) => first(select().where('p.gateway_id', gatewayId)),
    live: (reference) => first(select().where('p.live_reference', reference)),
    async ofReferences(references) {
      const found: Payment[] = [];
      for (const page of pagesOf([...new Set(references)], ROWS_PER_STATEMENT)) {
        const rows = await rowsOf(select().whereIn('p.reference', page).orderBy('p.tracking_id'));
        found.push(...rows.map(toPayment));
      }
      return found;
    },
    async change({ trackingId, reference }, change) {
      const changed = await session('payments').where('tracking_id', trackingId).update(toChange(change, reference));
      assert(changed === 1, 'a payment that changes is there');
    },
    async dueForCheck(now, kinds, limit) {
      const rows = await rowsOf(
        select()
          .where('p.next_look_at', '<=', now)
          .whereIn('p.kind', [...kinds])
          // A webhook triggers a check; what is only due may wait for its turn.
          .orderByRaw('case when p.nudged_at is null then 1 else 0 end, p.next_look_at, p.tracking_id')
          .limit(limit),
      );
      return rows.map(toPayment);
    },
    async inRequestState(state, kinds, limit) {
      const rows = await rowsOf(
        select()
          .where('p.request_state', state)
          .whereIn('p.kind', [...kinds])
          .orderBy(['p.requested_at', 'p.tracking_id'])
          .limit(limit),
      );
      return rows.map(toPayment);
    },
    async countInRequestState(state) {
      const [row] = await rowsOf(session('payments as p').count('* as number').where('p.request_state', state));
      return Number(row?.['number'] ?? 0);
    },
    async list({ kinds, requestStates, status, reference, agentId, limit }) {
      const query = select().orderBy('p.tracking_id', 'desc').limit(limit);
      if (kinds !== undefined) void query.whereIn('p.kind', [...kinds]);
      if (requestStates !== undefined) void query.whereIn('p.request_state', [...requestStates]);
      if (status !== undefined) void query.where('p.status', status);
      if (reference !== undefined) void query.where('p.reference', reference);
      if (agentId !== undefined) void query.where('p.agent_id', agentId);
      return (await rowsOf(query)).map(toPayment);
    },
    async observe({ trackingId, source, observedAt, status, settlementStatus, method, amount, detail }, recordedAt) {
      await session('payment_observations').insert({
        id: newId(),
        tracking_id: trackingId,
        source,
        observed_at: observedAt,
        recorded_at: recordedAt,
        status: word(status),
        settlement_status: word(settlementStatus),
        method: word(method),
        amount_millimes: amount ?? null,
        detail,
      });
    },
    lastDetail: (trackingId) => readLastDetail(session, 'payment_observations', trackingId),
    async observations(trackingId) {
      const rows = await rowsOf(
        session('payment_observations as o')
          .select('o.source', 'o.observed_at', 'o.status', 'o.settlement_status', 'o.method', 'o.amount_millimes')
          .select('o.detail')
          .where('o.tracking_id', trackingId)
          .orderBy(['o.observed_at', 'o.id']),
      );
      return rows.map((row) => toObservation(trackingId, row));
    },
  };
}

function toRow(payment: Payment): Record<string, unknown> {
  const { kind, ourShare, reference } = payment;
  return {
    ...fixedColumns(payment),
    kind,
    our_share_millimes: ourShare,
    live_reference: null,
    ...toChange(payment, reference),
  };
}

const CHANGES = {
  plain: {
    ...ATTEMPT_CHANGES,
    gatewayId: 'gateway_id',
    captured: 'captured_millimes',
    succeededAfter: 'succeeded_after',
    succeededUntil: 'succeeded_until',
    itemId: 'item_id',
  },
  words: { ...ATTEMPT_WORDS, settlementStatus: 'settlement_status', method: 'method' },
} as const;

function toChange(change: PaymentChange, reference: string | undefined): Record<string, unknown> {
  return changedColumns({ ...change }, reference, CHANGES);
}

function toPayment(row: Row): Payment {
  const kind = PAYMENT_KINDS.find((name) => name === row['kind']);
  const requestState = REQUEST_STATES.find((name) => name === row['request_state']);
  assert(kind !== undefined && requestState !== undefined, 'a payment of a kind and a state that are in the lists');
  return {
    ...toAttempt(row),
    kind,
    ourShare: toMillimes(row['our_share_millimes']),
    requestState,
    gatewayId: optionalText(row['gateway_id']),
    settlementStatus: optionalText(row['settlement_status']),
    method: optionalText(row['method']),
    captured: optionalMillimes(row['captured_millimes']),
    succeededAfter: optionalNumber(row['succeeded_after']),
    succeededUntil: optionalNumber(row['succeeded_until']),
    itemId: optionalText(row['item_id']),
  };
}

function toObservation(trackingId: string, row: Row): PaymentObservation {
  return {
    trackingId,
    source: row['source'] as PaymentObservation['source'],
    observedAt: Number(row['observed_at']),
    status: row['status'] as string,
    settlementStatus: optionalText(row['settlement_status']),
    method: optionalText(row['method']),
    amount: optionalMillimes(row['amount_millimes']),
    detail: row['detail'] as string,
  };
}
