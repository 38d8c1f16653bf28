import { column, type Decoded, prefixedInSql, rowCodec, type Session } from '../db';
import { AppError, compareBytes, type Instant, type Millimes } from '../kernel';

/**
 * Where a row comes from: an attempt to collect a payment, a confirm of an agent, a charge of a subscription, or one
 * payment of a QR code. The order is that of rows of the same instant.
 */
const PAYMENT_SOURCES = ['attempt', 'confirm', 'charge', 'qr_payment'] as const;
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
  /** The gateway's status; that of a confirm is `SUCCESS`. */
  readonly status: string | undefined;
  /** Undefined until its money is in the ledger. */
  readonly itemId: string | undefined;
}

export interface PaymentListFilter {
  readonly channel?: string | undefined;
  readonly agentId?: string | undefined;
  readonly reference?: string | undefined;
  readonly requestState?: string | undefined;
  readonly status?: string | undefined;
  /** `[from, until)`. */
  readonly from?: Instant | undefined;
  readonly until?: Instant | undefined;
  readonly amount?: Millimes | undefined;
  /** The cursor of the last row of the page before. */
  readonly after?: string | undefined;
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
  status: column.optional(column.text('status')),
  itemId: column.optional(column.text('item_id')),
});

/** The SQL of one source: its tables, and an expression for each column of `ROW` that differs. */
interface SourceSql {
  readonly from: string;
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly method: string;
  readonly reference: string;
  readonly agentId: string;
  readonly trackingId: string;
  readonly status: string;
}

/** The status of a row that exists only once it is paid. */
const PAID = 'SUCCESS';

const NONE = 'null';

const SOURCES: Readonly<Record<PaymentSource, SourceSql>> = {
  attempt: {
    from: 'payments t',
    id: 't.tracking_id',
    at: 't.requested_at',
    kind: 't.kind',
    method: 't.method',
    reference: 't.reference',
    agentId: 't.agent_id',
    trackingId: 't.tracking_id',
    status: 't.status',
  },
  confirm: {
    from: 'agent_confirmations t',
    id: 't.transaction_id',
    at: 't.received_at',
    kind: "'agent'",
    method: NONE,
    reference: NONE,
    agentId: 't.agent_id',
    trackingId: NONE,
    status: `'${PAID}'`,
  },
  charge: {
    from: 'subscription_charges t join subscriptions s on s.tracking_id = t.tracking_id',
    id: 't.payment_id',
    at: 'coalesce(t.paid_at, t.created_at, t.first_seen_at)',
    kind: "'subscription'",
    method: 't.method',
    reference: 's.reference',
    agentId: 's.agent_id',
    trackingId: 't.tracking_id',
    status: 't.status',
  },
  qr_payment: {
    from: 'qr_transactions t left join payments p on p.tracking_id = t.tracking_id',
    id: 't.transaction_unique_id',
    at: 't.paid_at',
    kind: "'qr'",
    method: 't.channel',
    reference: 'p.reference',
    agentId: 'p.agent_id',
    trackingId: 't.tracking_id',
    status: `'${PAID}'`,
  },
};

/** Returns a page of the payments of all channels, newest first. Rows of one instant keep one order. */
export async function listPayments(
  session: Session,
  filter: PaymentListFilter,
  limit: number,
): Promise<ListedPayment[]> {
  const after = filter.after === undefined ? undefined : readCursor(filter.after);
  const found: ListedPayment[] = [];
  for (const source of PAYMENT_SOURCES) found.push(...(await rowsOfSource(session, source, { filter, after, limit })));
  return found.sort(newestFirst).slice(0, limit);
}

/** Returns the payments of one source with one of these ids. */
export async function paymentsNamed(
  session: Session,
  source: PaymentSource,
  ids: readonly string[],
): Promise<ListedPayment[]> {
  const { id } = SOURCES[source];
  return rowsRead(session, source, [[`${id} in (${ids.map(() => '?').join(', ')})`, ...ids]], ids.length);
}

/** Returns the position of a row in the list. */
export function cursorOf({ at, source, id }: Pick<ListedPayment, 'at' | 'source' | 'id'>): string {
  return `${at}:${source}:${id}`;
}

type Cursor = Pick<ListedPayment, 'at' | 'source' | 'id'>;

function readCursor(text: string): Cursor {
  const [, at, word, id] = /^(\d{1,15}):([a-z_]+):(.+)$/.exec(text) ?? [];
  const source = PAYMENT_SOURCES.find((each) => each === word);
  if (at === undefined || source === undefined || id === undefined) {
    throw new AppError('bad_input', { field: 'after', expected: 'a cursor that this command printed', got: text });
  }
  return { at: Number(at), source, id };
}

function newestFirst(a: Cursor, b: Cursor): number {
  return (
    b.at - a.at || PAYMENT_SOURCES.indexOf(a.source) - PAYMENT_SOURCES.indexOf(b.source) || compareBytes(b.id, a.id)
  );
}

interface SourceQuery {
  readonly filter: PaymentListFilter;
  readonly after: Cursor | undefined;
  readonly limit: number;
}

async function rowsOfSource(
  session: Session,
  source: PaymentSource,
  { filter, after, limit }: SourceQuery,
): Promise<ListedPayment[]> {
  const conditions = conditionsOf(source, filter);
  if (conditions === undefined) return [];
  const beyondCursor = after === undefined ? [] : [beyond(source, after)];
  return rowsRead(session, source, [...conditions, ...beyondCursor], limit);
}

async function rowsRead(
  session: Session,
  source: PaymentSource,
  conditions: readonly Condition[],
  limit: number,
): Promise<ListedPayment[]> {
  const bindings = conditions.flatMap(([, ...values]) => values);
  const sql = selectOf(
    source,
    session.dialect,
    conditions.map(([text]) => text),
  );
  const rows = await ROW.all(session.raw(sql, [...bindings, limit]));
  return rows.map((row) => toListed(source, row));
}

function selectOf(source: PaymentSource, dialect: Session['dialect'], conditions: readonly string[]): string {
  const { from, id, at, kind, method, reference, agentId, trackingId, status } = SOURCES[source];
  const item = source === 'confirm' ? prefixedInSql(dialect, 'service:', id) : 't.item_id';
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  return `select ${id} as id, ${at} as at, ${kind} as kind, ${method} as method, t.amount_millimes as amount,
                 ${reference} as reference, ${agentId} as agent_id, ${trackingId} as tracking_id,
                 ${status} as status, ${item} as item_id
          from ${from} ${where}
          order by ${at} desc, ${id} desc
          limit ?`;
}

function toListed(source: PaymentSource, { kind, method, ...row }: Decoded<typeof ROW>): ListedPayment {
  return { source, channel: source === 'attempt' ? channelOfAttempt(kind, method) : CHANNEL_OF[source], ...row };
}

/** The channels of the sources that have one. */
const CHANNEL_OF = { confirm: 'agent', charge: 'subscription', qr_payment: 'qr' } as const;
/** Kinds of attempts that are channels. Of the hosted checkout the gateway reports by which one the customer paid. */
const KINDS_OF_CHANNEL: readonly (string | undefined)[] = ['pos', 'qr', 'wallet'];
const CHANNELS_OF_CHECKOUT: readonly (string | undefined)[] = ['card', 'wallet', 'mpayment'];

function channelOfAttempt(kind: string | undefined, method: string | undefined): string | undefined {
  if (KINDS_OF_CHANNEL.includes(kind)) return kind;
  return CHANNELS_OF_CHECKOUT.includes(method) ? method : undefined;
}

type Condition = readonly [sql: string, ...bindings: (string | number)[]];

/** Returns the conditions of a filter; undefined if no row of the source can meet them. */
function conditionsOf(source: PaymentSource, filter: PaymentListFilter): Condition[] | undefined {
  const sql = SOURCES[source];
  const { channel, agentId, reference, requestState, status, from, until, amount } = filter;
  if (requestState !== undefined && source !== 'attempt') return undefined;
  // A literal would be compared in the collation of the connection.
  const isAlwaysPaid = source === 'confirm' || source === 'qr_payment';
  if (isAlwaysPaid && status !== undefined && status !== PAID) return undefined;
  if (source === 'confirm' && reference !== undefined) return undefined;
  const ofChannel = channel === undefined ? [] : channelCondition(source, channel);
  if (ofChannel === undefined) return undefined;
  return [
    ...ofChannel,
    ...(requestState === undefined ? [] : [['t.request_state = ?', requestState] as const]),
    ...(agentId === undefined ? [] : [[`${sql.agentId} = ?`, agentId] as const]),
    ...(reference === undefined ? [] : [[`${sql.reference} = ?`, reference] as const]),
    ...(status === undefined || isAlwaysPaid ? [] : [[`${sql.status} = ?`, status] as const]),
    ...(from === undefined ? [] : [[`${sql.at} >= ?`, from] as const]),
    ...(until === undefined ? [] : [[`${sql.at} < ?`, until] as const]),
    ...(amount === undefined ? [] : [['t.amount_millimes = ?', amount] as const]),
  ];
}

function channelCondition(source: PaymentSource, channel: string): Condition[] | undefined {
  if (source !== 'attempt') return CHANNEL_OF[source] === channel ? [] : undefined;
  const ofKind = KINDS_OF_CHANNEL.includes(channel) ? 't.kind = ?' : undefined;
  const ofCheckout = CHANNELS_OF_CHECKOUT.includes(channel)
    ? "(t.kind not in ('pos', 'qr', 'wallet') and t.method = ?)"
    : undefined;
  const either = [ofKind, ofCheckout].filter((sql) => sql !== undefined);
  return either.length === 0 ? undefined : [[`(${either.join(' or ')})`, ...either.map(() => channel)]];
}

/** Selects the rows behind a cursor. Rows of one instant are in the order of their sources. */
function beyond(source: PaymentSource, cursor: Cursor): Condition {
  const { id, at } = SOURCES[source];
  const order = PAYMENT_SOURCES.indexOf(source) - PAYMENT_SOURCES.indexOf(cursor.source);
  if (order < 0) return [`${at} < ?`, cursor.at];
  if (order > 0) return [`${at} <= ?`, cursor.at];
  return [`(${at} < ? or (${at} = ? and ${id} < ?))`, cursor.at, cursor.at, cursor.id];
}
