import { optionalMillimes, optionalNumber, optionalText, rowsOf, type Row, type Session } from '../db';
import { assert, newId, pagesOf, toMillimes, type Instant } from '../kernel';
import {
  PAYMENT_KINDS,
  REQUEST_STATES,
  type Payment,
  type PaymentKind,
  type PaymentObservation,
  type RequestState,
} from './payment';

const ROWS_PER_STATEMENT = 200;
/** What the columns of the gateway's words hold. A longer word is not one that we know. */
const WORD_BYTES_MAX = 255;
const WORD_CHARACTERS_KEPT = 60;
const ERROR_CHARACTERS_MAX = 900;

const COLUMNS = [
  'p.tracking_id',
  'p.kind',
  'p.reference',
  'p.live_reference',
  'p.agent_id',
  'p.amount_millimes',
  'p.our_share_millimes',
  'p.terms',
  'p.is_test',
  'p.request_state',
  'p.request_error',
  'p.requested_at',
  'p.sent_at',
  'p.gateway_id',
  'p.link',
  'p.session_ends_at',
  'p.status',
  'p.settlement_status',
  'p.method',
  'p.captured_millimes',
  'p.succeeded_after',
  'p.succeeded_until',
  'p.item_id',
  'p.next_look_at',
  'p.nudged_at',
  'p.last_look_at',
  'p.looks',
  'p.failed_looks',
  'p.last_look_error',
  'p.recorded_by',
] as const;

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
    | 'nextLookAt'
    | 'nudgedAt'
    | 'lastLookAt'
    | 'looks'
    | 'failedLooks'
    | 'lastLookError'
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
export interface PaymentBook {
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
  /** Those that are due to be looked at: nudged ones first, then by how long they have been due. */
  dueToLook(now: Instant, kinds: readonly PaymentKind[], limit: number): Promise<Payment[]>;
  /** In a state of their request, the oldest first. */
  inRequestState(state: RequestState, kinds: readonly PaymentKind[], limit: number): Promise<Payment[]>;
  countInRequestState(state: RequestState): Promise<number>;
  /** The newest first. */
  list(filter: PaymentFilter): Promise<Payment[]>;
  observe(observation: PaymentObservation, recordedAt: Instant): Promise<void>;
  /** Every observation of a payment, the oldest first. */
  observations(trackingId: string): Promise<PaymentObservation[]>;
}

export function openPaymentBook(session: Session): PaymentBook {
  const select = () => session('payments as p').select(...COLUMNS);
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
    async dueToLook(now, kinds, limit) {
      const rows = await rowsOf(
        select()
          .where('p.next_look_at', '<=', now)
          .whereIn('p.kind', [...kinds])
          // A webhook is news; what is only due may wait for its turn.
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

/** The gateway's word as a column holds it: cut where it is longer than any word that we know. */
export function word(text: string | undefined): string | null {
  if (text === undefined) return null;
  return Buffer.byteLength(text, 'utf8') <= WORD_BYTES_MAX ? text : text.slice(0, WORD_CHARACTERS_KEPT).toWellFormed();
}

function toRow(payment: Payment): Record<string, unknown> {
  const { trackingId, kind, reference, agentId, amount, ourShare, terms, requestedAt, recordedBy } = payment;
  return {
    tracking_id: trackingId,
    kind,
    reference: reference ?? null,
    agent_id: agentId ?? null,
    amount_millimes: amount,
    our_share_millimes: ourShare,
    terms: JSON.stringify(terms),
    requested_at: requestedAt,
    recorded_by: recordedBy,
    live_reference: null,
    ...toChange(payment, reference),
  };
}

const CHANGE_COLUMNS = {
  requestState: 'request_state',
  requestError: 'request_error',
  sentAt: 'sent_at',
  gatewayId: 'gateway_id',
  link: 'link',
  sessionEndsAt: 'session_ends_at',
  status: 'status',
  settlementStatus: 'settlement_status',
  method: 'method',
  captured: 'captured_millimes',
  succeededAfter: 'succeeded_after',
  succeededUntil: 'succeeded_until',
  itemId: 'item_id',
  nextLookAt: 'next_look_at',
  nudgedAt: 'nudged_at',
  lastLookAt: 'last_look_at',
  looks: 'looks',
  failedLooks: 'failed_looks',
  lastLookError: 'last_look_error',
} as const satisfies Record<Exclude<keyof PaymentChange, 'isLive' | 'isTest'>, string>;

const WORDS: readonly string[] = ['status', 'settlementStatus', 'method', 'lastLookError'];

function toChange(change: PaymentChange, reference: string | undefined): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [name, column] of Object.entries(CHANGE_COLUMNS)) {
    if (!Object.hasOwn(change, name)) continue;
    const value = change[name as keyof typeof CHANGE_COLUMNS];
    row[column] = WORDS.includes(name) ? word(value as string | undefined) : (value ?? null);
  }
  if (change.requestError !== undefined) row['request_error'] = change.requestError.slice(0, ERROR_CHARACTERS_MAX);
  if (change.isLive !== undefined) row['live_reference'] = change.isLive ? (reference ?? null) : null;
  if (change.isTest !== undefined) row['is_test'] = change.isTest ? 1 : 0;
  return row;
}

function toPayment(row: Row): Payment {
  const kind = PAYMENT_KINDS.find((name) => name === row['kind']);
  const requestState = REQUEST_STATES.find((name) => name === row['request_state']);
  assert(kind !== undefined && requestState !== undefined, 'a payment of a kind and a state that are in the lists');
  return {
    trackingId: row['tracking_id'] as string,
    kind,
    reference: optionalText(row['reference']),
    isLive: row['live_reference'] !== null,
    agentId: optionalText(row['agent_id']),
    amount: toMillimes(row['amount_millimes']),
    ourShare: toMillimes(row['our_share_millimes']),
    terms: JSON.parse(row['terms'] as string) as Readonly<Record<string, unknown>>,
    isTest: Number(row['is_test']) === 1,
    requestState,
    requestError: optionalText(row['request_error']),
    requestedAt: Number(row['requested_at']),
    sentAt: optionalNumber(row['sent_at']),
    gatewayId: optionalText(row['gateway_id']),
    link: optionalText(row['link']),
    sessionEndsAt: optionalNumber(row['session_ends_at']),
    status: optionalText(row['status']),
    settlementStatus: optionalText(row['settlement_status']),
    method: optionalText(row['method']),
    captured: optionalMillimes(row['captured_millimes']),
    succeededAfter: optionalNumber(row['succeeded_after']),
    succeededUntil: optionalNumber(row['succeeded_until']),
    itemId: optionalText(row['item_id']),
    nextLookAt: optionalNumber(row['next_look_at']),
    nudgedAt: optionalNumber(row['nudged_at']),
    lastLookAt: optionalNumber(row['last_look_at']),
    looks: Number(row['looks']),
    failedLooks: Number(row['failed_looks']),
    lastLookError: optionalText(row['last_look_error']),
    recordedBy: row['recorded_by'] as string,
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
