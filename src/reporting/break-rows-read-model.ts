import { column, type Decoded, rowCodec, ROWS_PER_STATEMENT, type Session } from '../db';
import { pagesOf, ROWS_EXAMINED_MAX } from '../kernel';

const CLEARING = 'gateway_clearing:';
const CONFIRMED = 'service:';

const ACCOUNT = `case when p.debit_account like 'gateway_clearing:%' then p.debit_account else p.credit_account end as account`;
const AMOUNT = `case when p.debit_account like 'gateway_clearing:%' then p.amount_millimes else -p.amount_millimes end as amount`;

/** At most this number of rows of each side is returned. */
export const BREAK_ROWS_MAX = 100;

const LINE = rowCodec({
  lineId: column.text('id'),
  statementId: column.text('statement_id'),
  account: column.text('account'),
  currency: column.text('currency'),
  bookingDate: column.businessDate('booking_date'),
  valueDate: column.optional(column.text('value_date')),
  amountMinor: column.number('amount_minor'),
  counterparty: column.text('counterparty'),
  remittance: column.text('remittance'),
  bankReference: column.text('bank_reference'),
});
const POSTED = rowCodec({
  itemId: column.text('reference'),
  account: column.text('account'),
  amount: column.millimes('amount'),
  occurredAt: column.number('occurred_at'),
});
const OF_AGENT = rowCodec({ transactionId: column.text('transaction_id'), agentId: column.text('agent_id') });
const HELD = rowCodec({ itemId: column.text('item_id'), lineId: column.text('line_id') });

/** A line of the bank that a break names. */
export type BreakLine = Decoded<typeof LINE>;

/** An item of the ledger that a break names. In millimes; refunds are negative. */
export interface BreakItem extends Omit<Decoded<typeof POSTED>, 'account'> {
  readonly channel: string;
  readonly agentId: string | undefined;
  /** The credit whose match holds it now. */
  readonly paidBy: string | undefined;
}

/** The rows of both sides of a break. */
export interface BreakRows {
  readonly lines: readonly BreakLine[];
  readonly items: readonly BreakItem[];
  /** The sum of all items in the ledger; undefined if they are too many to add up. */
  readonly itemsAmount: bigint | undefined;
}

/** Reads the rows that a break names: the first ones of each side, and the sum of at most 2,000 items. */
export async function breakRows(
  session: Session,
  { itemIds, lineIds }: { readonly itemIds: readonly string[]; readonly lineIds: readonly string[] },
): Promise<BreakRows> {
  const lines = session('bank_statement_lines as l')
    .select(LINE.columns('l'))
    .whereIn('l.id', lineIds.slice(0, BREAK_ROWS_MAX))
    .orderBy(['l.booking_date', 'l.id']);
  const posted = await postedItems(session, itemIds.slice(0, ROWS_EXAMINED_MAX));
  const isWhole = itemIds.length <= ROWS_EXAMINED_MAX;
  return {
    lines: lineIds.length === 0 ? [] : await LINE.all(lines),
    items: await withPlaces(session, posted.slice(0, BREAK_ROWS_MAX)),
    itemsAmount: isWhole ? posted.reduce((sum, { amount }) => sum + BigInt(amount), 0n) : undefined,
  };
}

/** Returns the items that the ledger has, with their clearing account and the sign of a claim on the gateway. */
async function postedItems(session: Session, itemIds: readonly string[]): Promise<Decoded<typeof POSTED>[]> {
  const found: Decoded<typeof POSTED>[] = [];
  for (const page of pagesOf(itemIds, ROWS_PER_STATEMENT)) {
    const rows = session('ledger_transactions as t')
      .join('postings as p', (on) => on.on('p.transaction_id', 't.id').andOnVal('p.position', 1))
      .select('t.reference', 't.occurred_at', session.fragment(ACCOUNT), session.fragment(AMOUNT))
      .whereIn('t.reference', page);
    found.push(...(await POSTED.all(rows)));
  }
  return found.sort((a, b) => a.occurredAt - b.occurredAt);
}

async function withPlaces(session: Session, posted: readonly Decoded<typeof POSTED>[]): Promise<BreakItem[]> {
  if (posted.length === 0) return [];
  const itemIds = posted.map(({ itemId }) => itemId);
  const confirmed = itemIds.filter((id) => id.startsWith(CONFIRMED)).map((id) => id.slice(CONFIRMED.length));
  const agents = await OF_AGENT.all(
    session('agent_confirmations as c').select(OF_AGENT.columns('c')).whereIn('c.transaction_id', confirmed),
  );
  const held = await HELD.all(
    session('payout_claimed_items as k')
      .join('payout_matches as m', 'm.id', 'k.match_id')
      .select('k.item_id', 'm.line_id')
      .whereIn('k.item_id', itemIds),
  );
  const agentOf = new Map(agents.map(({ transactionId, agentId }) => [`${CONFIRMED}${transactionId}`, agentId]));
  const paidBy = new Map(held.map(({ itemId, lineId }) => [itemId, lineId]));
  return posted.map(({ account, ...item }) => ({
    ...item,
    channel: account.startsWith(CLEARING) ? account.slice(CLEARING.length) : account,
    agentId: agentOf.get(item.itemId),
    paidBy: paidBy.get(item.itemId),
  }));
}
