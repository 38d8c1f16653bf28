import { byIndex, column, type Decoded, rowCodec, type Session } from '../db';
import { type BusinessDate, compareBytes, type Instant, type Millimes, type Page, pageOf } from '../kernel';
import { type ItemMoney, moneyOfItems } from './payment-money-read-model';

/** Where a row comes from. The order is that of rows of the same instant. */
const SOURCES = ['confirm', 'item', 'refusal'] as const;
type Source = (typeof SOURCES)[number];

/** The place of a row in the list of an agent's payments. */
export interface AgentPaymentKey {
  readonly at: Instant;
  readonly source: Source;
  readonly id: string;
}

export interface AgentPaymentsQuery {
  readonly after?: AgentPaymentKey | undefined;
  readonly limit: number;
}

/** A confirmed payment and the steps of its money. */
export interface ConfirmedAgentPayment {
  readonly state: 'expected' | 'late' | 'banked' | 'returned';
  readonly itemId: string;
  readonly channel: string;
  readonly amount: Millimes;
  /** In millimes, 0 or more. */
  readonly refunded: bigint;
  /** The open break of a late payment. */
  readonly breakId: string | undefined;
  readonly steps: {
    readonly confirmed: { readonly at: Instant };
    readonly banked:
      | {
          readonly on: BusinessDate;
          /** The end of the credit's line id. The credit itself also pays other people. */
          readonly creditRef: string;
          readonly evidence: string;
        }
      | undefined;
  };
}

/** A confirm that was not stored. Its money may have moved. */
export interface RefusedAgentPayment {
  readonly state: 'refused';
  readonly refusalId: string;
  /** Undefined if the call had no usable id. */
  readonly transactionId: string | undefined;
  readonly kind: string;
  readonly at: Instant;
  readonly lastAt: Instant;
  /** How often the gateway made the same call. */
  readonly times: number;
}

export type AgentPayment = ConfirmedAgentPayment | RefusedAgentPayment;

const CONFIRM = rowCodec({
  id: column.text('transaction_id'),
  at: column.number('received_at'),
  amount: column.millimes('amount_millimes'),
});
const ITEM = rowCodec({
  id: column.text('item_id'),
  at: column.number('occurred_at'),
  amount: column.millimes('amount_millimes'),
  channel: column.text('channel'),
});
const REFUSAL = rowCodec({
  id: column.text('id'),
  at: column.number('first_at'),
  transactionId: column.optional(column.text('transaction_id')),
  kind: column.text('kind'),
  lastAt: column.number('last_at'),
  times: column.number('times'),
});

type Found =
  | (Decoded<typeof CONFIRM> & { readonly source: 'confirm' })
  | (Decoded<typeof ITEM> & { readonly source: 'item' })
  | (Decoded<typeof REFUSAL> & { readonly source: 'refusal' });

/** Runs open a break of one of these classes for payments that the bank should have received. */
const LATE = ['missing_in_bank', 'clearing_unexplained'];
const CREDIT_REF_CHARACTERS = 8;

/**
 * Returns a page of an agent's confirmed payments of all channels and refused confirms, newest first. Refunds are
 * stated with their payments, so a page with refunds is shorter than its limit.
 */
export async function agentPayments(
  session: Session,
  agentId: string,
  { after, limit }: AgentPaymentsQuery,
): Promise<Page<AgentPayment, AgentPaymentKey>> {
  const found: Found[] = [];
  for (const source of SOURCES) found.push(...(await rowsOfSource(session, source, agentId, { after, limit })));
  const { rows, next } = pageOf(found.sort(newestFirst), limit, ({ at, source, id }) => ({ at, source, id }));
  const itemIds = rows.flatMap((row) => itemIdOf(row) ?? []);
  const money = await moneyOfItems(session, itemIds, LATE);
  const payments = rows.flatMap((row): AgentPayment[] => {
    if (row.source === 'refusal') return [refused(row)];
    const itemId = itemIdOf(row);
    const place = itemId === undefined ? undefined : money.get(itemId);
    return itemId === undefined || place === undefined ? [] : [confirmed(row, itemId, place)];
  });
  return { rows: payments, next };
}

/** Returns the id of a confirmed payment as the gateway owes it; undefined for refunds and refusals. */
function itemIdOf(row: Found): string | undefined {
  if (row.source === 'confirm') return `service:${row.id}`;
  return row.source === 'item' && row.amount > 0 ? row.id : undefined;
}

function confirmed(
  row: Exclude<Found, { source: 'refusal' }>,
  itemId: string,
  place: ItemMoney,
): ConfirmedAgentPayment {
  const { bank, returnedOn, refunded, breaks } = place;
  const breakId = bank === undefined && returnedOn === undefined ? breaks[0]?.id : undefined;
  const unpaid = returnedOn !== undefined ? 'returned' : breakId === undefined ? 'expected' : 'late';
  return {
    state: bank === undefined ? unpaid : 'banked',
    itemId,
    channel: row.source === 'confirm' ? 'agent' : row.channel,
    amount: row.amount,
    refunded,
    breakId,
    steps: {
      confirmed: { at: row.at },
      banked:
        bank === undefined
          ? undefined
          : { on: bank.bookedOn, creditRef: bank.creditId.slice(-CREDIT_REF_CHARACTERS), evidence: bank.evidence },
    },
  };
}

function refused({ id, source: _source, ...refusal }: Extract<Found, { source: 'refusal' }>): RefusedAgentPayment {
  return { state: 'refused', refusalId: id, ...refusal };
}

async function rowsOfSource(
  session: Session,
  source: Source,
  agentId: string,
  { after, limit }: AgentPaymentsQuery,
): Promise<Found[]> {
  const page = (table: string, index: string, { id, at }: { readonly id: string; readonly at: string }) => {
    const query = byIndex(session, table, 't', index)
      .where('t.agent_id', agentId)
      .orderBy([
        { column: `t.${at}`, order: 'desc' },
        { column: `t.${id}`, order: 'desc' },
      ])
      .limit(limit + 1);
    return after === undefined ? query : beyond(query, source, after, { id: `t.${id}`, at: `t.${at}` });
  };
  switch (source) {
    case 'confirm': {
      const query = page('agent_confirmations', 'agent_confirmations_agent', {
        id: 'transaction_id',
        at: 'received_at',
      });
      return (await CONFIRM.all(query.select(CONFIRM.columns('t')))).map((row) => ({ ...row, source }));
    }
    case 'item': {
      const query = page('gateway_items', 'gateway_items_agent_time', { id: 'item_id', at: 'occurred_at' });
      return (await ITEM.all(query.select(ITEM.columns('t')))).map((row) => ({ ...row, source }));
    }
    case 'refusal': {
      const query = page('confirm_refusals', 'confirm_refusals_agent', { id: 'id', at: 'first_at' });
      return (await REFUSAL.all(query.select(REFUSAL.columns('t')))).map((row) => ({ ...row, source }));
    }
  }
}

/** Selects the rows behind a key. Rows of one instant are in the order of their sources. */
function beyond(
  query: ReturnType<Session>,
  source: Source,
  after: AgentPaymentKey,
  { id, at }: { readonly id: string; readonly at: string },
): ReturnType<Session> {
  const order = SOURCES.indexOf(source) - SOURCES.indexOf(after.source);
  if (order < 0) return query.where(at, '<', after.at);
  void query.where(at, '<=', after.at);
  if (order > 0) return query;
  return query.where((rest) => void rest.where(at, '<', after.at).orWhere(id, '<', after.id));
}

function newestFirst(a: Found, b: Found): number {
  return b.at - a.at || SOURCES.indexOf(a.source) - SOURCES.indexOf(b.source) || compareBytes(b.id, a.id);
}
