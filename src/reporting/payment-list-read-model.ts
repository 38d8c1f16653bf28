import { afterKey, column, type Decoded, prefixedInSql, rowCodec, type Session } from '../db';
import { type Instant, mergeByKey, type Millimes } from '../kernel';

/**
 * Where a row comes from: an attempt to collect a payment, a confirm of an agent, a charge of a subscription, or one
 * payment of a QR code. The order is that of rows of the same instant.
 */
export const PAYMENT_SOURCES = ['attempt', 'confirm', 'charge', 'qr_payment'] as const;
export type PaymentSource = (typeof PAYMENT_SOURCES)[number];

/** A payment of any channel. */
export interface ListedPayment {
  readonly source: PaymentSource;
  /** The tracking id of an attempt, the transactionId of a confirm, otherwise the gateway's id. */
  readonly id: string;
  /** When it was requested, confirmed or paid. */
  readonly at: Instant;
  /** Undefined until the gateway reports it. */
  readonly channel: string | undefined;
  readonly amount: Millimes;
  readonly reference: string | undefined;
  readonly agentId: string | undefined;
  /** The subscription of a charge, the code of a QR payment. */
  readonly trackingId: string | undefined;
  /** Undefined if it is no attempt. */
  readonly requestState: string | undefined;
  /** The gateway's status; that of a confirm is `SUCCESS`. */
  readonly status: string | undefined;
  /** Undefined until its money is in the ledger. */
  readonly itemId: string | undefined;
}

/** The place of a payment in the list. */
export type PaymentKey = readonly [at: Instant, source: PaymentSource, id: string];

export interface PaymentFilter {
  readonly channel?: string | undefined;
  readonly agentId?: string | undefined;
  readonly reference?: string | undefined;
  readonly requestState?: string | undefined;
  readonly status?: string | undefined;
  /** `[from, until)`. */
  readonly from?: Instant | undefined;
  readonly until?: Instant | undefined;
  readonly amount?: Millimes | undefined;
}

const ROW = rowCodec({
  id: column.text('id'),
  at: column.number('at'),
  kind: column.optional(column.text('kind')),
  method: column.optional(column.text('method')),
  amount: column.millimes('amount'),
  reference: column.optional(column.text('reference')),
  agentId: column.optional(column.text('agent_id')),
  trackingId: column.optional(column.text('tracking_id')),
  requestState: column.optional(column.text('request_state')),
  status: column.optional(column.text('status')),
  itemId: column.optional(column.text('item_id')),
});

/** The way to the rows of a source. */
interface Way {
  /** The index that a server must use. */
  readonly index?: string;
  /** The columns in front of the time in this index, with their values. */
  readonly equal: Readonly<Record<string, string>>;
  /** Whether the owners of the rows are found first. */
  readonly isByOwner?: boolean;
}

/** The SQL of one source. `t` is its table and `o` the owner of the row, which has its reference and its agent. */
interface SourceSql {
  readonly table: string;
  /** The table of the owners, by `tracking_id`, and the index of the rows of an owner. */
  readonly owners?: string;
  readonly byOwner?: string;
  readonly id: string;
  readonly at: string;
  readonly byTime: string;
  readonly kind: string;
  readonly method: string;
  readonly reference: string;
  readonly agentId: string;
  readonly trackingId: string;
  readonly requestState: string;
  readonly status: string;
}

/** The status of a row that exists only once it is paid. */
const PAID = 'SUCCESS';

const NONE = 'null';

const SOURCES: Readonly<Record<PaymentSource, SourceSql>> = {
  attempt: {
    table: 'payments',
    id: 't.tracking_id',
    at: 't.requested_at',
    byTime: 'payments_requested',
    kind: 't.kind',
    method: 't.method',
    reference: 't.reference',
    agentId: 't.agent_id',
    trackingId: 't.tracking_id',
    requestState: 't.request_state',
    status: 't.status',
  },
  confirm: {
    table: 'agent_confirmations',
    id: 't.transaction_id',
    at: 't.received_at',
    byTime: 'agent_confirmations_received',
    kind: "'agent'",
    method: NONE,
    reference: NONE,
    agentId: 't.agent_id',
    trackingId: NONE,
    requestState: NONE,
    status: `'${PAID}'`,
  },
  charge: {
    table: 'subscription_charges',
    owners: 'subscriptions',
    byOwner: 'subscription_charges_created',
    id: 't.payment_id',
    at: 't.charged_at',
    byTime: 'subscription_charges_charged',
    kind: "'subscription'",
    method: 't.method',
    reference: 'o.reference',
    agentId: 'o.agent_id',
    trackingId: 't.tracking_id',
    requestState: NONE,
    status: 't.status',
  },
  qr_payment: {
    table: 'qr_transactions',
    owners: 'payments',
    byOwner: 'qr_transactions_payment',
    id: 't.transaction_unique_id',
    at: 't.paid_at',
    byTime: 'qr_transactions_paid',
    kind: "'qr'",
    method: 't.channel',
    reference: 'o.reference',
    agentId: 'o.agent_id',
    trackingId: 't.tracking_id',
    requestState: NONE,
    status: `'${PAID}'`,
  },
};

/**
 * Reads the first payments of all channels after a key, newest first. Rows of one instant keep one order. Only the agent,
 * the reference and the period select rows; `isWanted` tests the other fields. Of
 * an agent or a reference, all charges of its subscriptions and all payments of its QR codes are read.
 */
export async function listPayments(
  session: Session,
  filter: PaymentFilter,
  after: PaymentKey | undefined,
  count: number,
): Promise<ListedPayment[]> {
  const lists: ListedPayment[][] = [];
  for (const source of PAYMENT_SOURCES) {
    if (mayHave(source, filter)) lists.push(await rowsOfSource(session, source, { filter, after, count }));
  }
  return mergeByKey(lists, ({ at, source, id }) => [at, -PAYMENT_SOURCES.indexOf(source), id], 'desc', count);
}

/** Returns whether a payment has the state of the request, the channel, the status and the amount of a filter. Pure. */
export function isWanted(row: ListedPayment, { requestState, channel, status, amount }: PaymentFilter): boolean {
  return (
    (requestState === undefined || row.requestState === requestState) &&
    (channel === undefined || row.channel === channel) &&
    (status === undefined || row.status === status) &&
    (amount === undefined || row.amount === amount)
  );
}

/** Returns the payments of one source with one of these ids. */
export async function paymentsNamed(
  session: Session,
  source: PaymentSource,
  ids: readonly string[],
): Promise<ListedPayment[]> {
  const query = selected(session, source, { equal: {} });
  return decoded(source, query.whereIn(SOURCES[source].id, [...ids]));
}

/** Returns the place of a payment in the list. Pure. */
export function paymentKey({ at, source, id }: Pick<ListedPayment, 'at' | 'source' | 'id'>): PaymentKey {
  return [at, source, id];
}

/** Returns whether rows of a source can meet a filter. */
function mayHave(source: PaymentSource, { channel, reference, requestState, status }: PaymentFilter): boolean {
  if (requestState !== undefined && source !== 'attempt') return false;
  const isAlwaysPaid = source === 'confirm' || source === 'qr_payment';
  if (isAlwaysPaid && status !== undefined && status !== PAID) return false;
  if (source === 'confirm' && reference !== undefined) return false;
  if (channel === undefined) return true;
  return source === 'attempt' ? CHANNELS_OF_ATTEMPTS.includes(channel) : CHANNEL_OF[source] === channel;
}

interface SourceQuery {
  readonly filter: PaymentFilter;
  readonly after: PaymentKey | undefined;
  readonly count: number;
}

function rowsOfSource(
  session: Session,
  source: PaymentSource,
  { filter, after, count }: SourceQuery,
): Promise<ListedPayment[]> {
  const { at, id, agentId, reference } = SOURCES[source];
  const way = wayTo(source, filter);
  const query = selected(session, source, way);
  for (const [column, wanted] of [
    [agentId, filter.agentId],
    [reference, filter.reference],
  ] as const) {
    if (wanted !== undefined && way.equal[column] === undefined) void query.where(column, wanted);
  }
  if (filter.from !== undefined) void query.where(at, '>=', filter.from);
  if (filter.until !== undefined) void query.where(at, '<', filter.until);
  const order = after === undefined ? 0 : PAYMENT_SOURCES.indexOf(source) - PAYMENT_SOURCES.indexOf(after[1]);
  // Of one instant, all rows of a source come before those of the next source.
  if (after !== undefined && order !== 0) void query.where(at, order < 0 ? '<' : '<=', after[0]);
  const sameSource = after === undefined || order !== 0 ? undefined : ([after[0], after[2]] as const);
  const sorted = { equal: way.equal, columns: [at, id], order: 'desc', after: sameSource } as const;
  return decoded(source, afterKey(session, query, sorted, count));
}

function wayTo(source: PaymentSource, { agentId, reference, requestState }: PaymentFilter): Way {
  const { byTime, byOwner } = SOURCES[source];
  if (source === 'attempt') {
    if (reference !== undefined) return { index: 'payments_reference', equal: { 't.reference': reference } };
    if (agentId !== undefined) return { index: 'payments_agent_requested', equal: { 't.agent_id': agentId } };
    if (requestState !== undefined) return { index: 'payments_request', equal: { 't.request_state': requestState } };
  }
  if (source === 'confirm' && agentId !== undefined) {
    return { index: 'agent_confirmations_agent', equal: { 't.agent_id': agentId } };
  }
  if (byOwner !== undefined && (agentId !== undefined || reference !== undefined)) {
    return { index: byOwner, equal: {}, isByOwner: true };
  }
  return { index: byTime, equal: {} };
}

/** Returns the tables of a source in the order in which they are read. */
function fromOf(session: Session, source: PaymentSource, { index, isByOwner = false }: Way): string {
  const { table, owners } = SOURCES[source];
  const isServer = session.dialect === 'mariadb';
  const hint = isServer && index !== undefined ? ` force index (${index})` : '';
  if (isByOwner) {
    // A server would read the whole table where a few owners have most of its rows.
    const join = isServer ? 'straight_join' : 'cross join';
    return `${owners} as o ${join} ${table} as t${hint} on t.tracking_id = o.tracking_id`;
  }
  return `${table} as t${hint}${owners === undefined ? '' : ` left join ${owners} as o on o.tracking_id = t.tracking_id`}`;
}

function selected(session: Session, source: PaymentSource, way: Way): ReturnType<Session> {
  const { table, id, at, kind, method, reference, agentId, trackingId, requestState, status } = SOURCES[source];
  const item = source === 'confirm' ? prefixedInSql(session.dialect, 'service:', id) : 't.item_id';
  const fields = `${id} as id, ${at} as at, ${kind} as kind, ${method} as method, t.amount_millimes as amount,
    ${reference} as reference, ${agentId} as agent_id, ${trackingId} as tracking_id,
    ${requestState} as request_state, ${status} as status, ${item} as item_id`;
  return session(table)
    .from(session.fragment(fromOf(session, source, way)))
    .select(session.fragment(fields));
}

async function decoded(source: PaymentSource, query: PromiseLike<unknown>): Promise<ListedPayment[]> {
  return (await ROW.all(query)).map((row) => toListed(source, row));
}

function toListed(source: PaymentSource, { kind, method, ...row }: Decoded<typeof ROW>): ListedPayment {
  return { source, channel: source === 'attempt' ? channelOfAttempt(kind, method) : CHANNEL_OF[source], ...row };
}

/** The channels of the sources that have one. */
const CHANNEL_OF = { confirm: 'agent', charge: 'subscription', qr_payment: 'qr' } as const;
/** Kinds of attempts that are channels. Of the hosted checkout the gateway reports by which one the customer paid. */
const KINDS_OF_CHANNEL: readonly (string | undefined)[] = ['pos', 'qr', 'wallet'];
const CHANNELS_OF_CHECKOUT: readonly (string | undefined)[] = ['card', 'wallet', 'mpayment'];
const CHANNELS_OF_ATTEMPTS = [...KINDS_OF_CHANNEL, ...CHANNELS_OF_CHECKOUT];

function channelOfAttempt(kind: string | undefined, method: string | undefined): string | undefined {
  if (KINDS_OF_CHANNEL.includes(kind)) return kind;
  return CHANNELS_OF_CHECKOUT.includes(method) ? method : undefined;
}
