import { column, rowCodec, ROWS_PER_STATEMENT, type Session } from '../db';
import { addToGroup, type BusinessDate, type Instant, pagesOf } from '../kernel';

const BANKED = rowCodec({
  itemId: column.text('item_id'),
  creditId: column.text('line_id'),
  bookedOn: column.businessDate('booking_date'),
  evidence: column.text('evidence'),
});
const RETURNED = rowCodec({ itemId: column.text('item_id'), returnedOn: column.businessDate('booking_date') });
const REFUNDED = rowCodec({ itemId: column.text('refund_of'), total: column.total('total') });
const OCCURRED = rowCodec({ itemId: column.text('item_id'), occurredAt: column.number('occurred_at') });
const OPEN_BREAK = rowCodec({
  itemId: column.text('item_id'),
  id: column.text('id'),
  breakClass: column.text('class'),
});

/** Where the money of an item is, from the rows of matches, refunds and breaks. */
export interface ItemMoney {
  /** When an item of the gateway happened; undefined for a confirm. */
  readonly occurredAt: Instant | undefined;
  /** The credit that paid it, its booking date, and how the match is known. */
  readonly bank: { readonly creditId: string; readonly bookedOn: BusinessDate; readonly evidence: string } | undefined;
  /** The day on which the bank took its last payout back; undefined if it never did. */
  readonly returnedOn: BusinessDate | undefined;
  /** In millimes, 0 or more. */
  readonly refunded: bigint;
  /** Open breaks that name the item. */
  readonly breaks: readonly { readonly id: string; readonly breakClass: string }[];
}

/** Returns where the money of each item is, with the open breaks that name it; with classes, those of these classes. */
export async function moneyOfItems(
  session: Session,
  itemIds: readonly string[],
  breakClasses?: readonly string[],
): Promise<Map<string, ItemMoney>> {
  const banked = new Map<string, ItemMoney['bank']>();
  const returned = new Map<string, BusinessDate>();
  const refunded = new Map<string, bigint>();
  const occurred = new Map<string, Instant>();
  const breaks = new Map<string, { readonly id: string; readonly breakClass: string }[]>();
  for (const page of pagesOf([...new Set(itemIds)], ROWS_PER_STATEMENT)) {
    for (const { itemId, ...bank } of await BANKED.all(bankedQuery(session, page))) banked.set(itemId, bank);
    for (const { itemId, returnedOn } of await RETURNED.all(returnedQuery(session, page))) {
      returned.set(itemId, returnedOn);
    }
    for (const { itemId, occurredAt } of await OCCURRED.all(occurredQuery(session, page))) {
      occurred.set(itemId, occurredAt);
    }
    for (const { itemId, total } of await REFUNDED.all(refundedQuery(session, page))) refunded.set(itemId, -total);
    for (const { itemId, ...open } of await OPEN_BREAK.all(breaksQuery(session, page, breakClasses))) {
      addToGroup(breaks, itemId, open);
    }
  }
  return new Map(
    itemIds.map((itemId) => [
      itemId,
      {
        occurredAt: occurred.get(itemId),
        bank: banked.get(itemId),
        returnedOn: returned.get(itemId),
        refunded: refunded.get(itemId) ?? 0n,
        breaks: breaks.get(itemId) ?? [],
      },
    ]),
  );
}

function bankedQuery(session: Session, itemIds: readonly string[]): ReturnType<Session> {
  return session('payout_claimed_items as k')
    .join('payout_matches as m', 'm.id', 'k.match_id')
    .join('bank_statement_lines as l', 'l.id', 'm.line_id')
    .select('k.item_id', 'm.line_id', 'm.evidence', 'l.booking_date')
    .whereIn('k.item_id', [...itemIds]);
}

function returnedQuery(session: Session, itemIds: readonly string[]): ReturnType<Session> {
  return session('payout_match_items as i')
    .join('payout_unmatches as u', 'u.match_id', 'i.match_id')
    .join('bank_statement_lines as l', 'l.id', 'u.debit_line_id')
    .select('i.item_id', 'l.booking_date')
    .whereIn('i.item_id', [...itemIds])
    .where('u.kind', 'returned')
    .orderBy(['l.booking_date', 'i.item_id']);
}

function occurredQuery(session: Session, itemIds: readonly string[]): ReturnType<Session> {
  return session('gateway_items as i')
    .select(OCCURRED.columns('i'))
    .whereIn('i.item_id', [...itemIds]);
}

function refundedQuery(session: Session, itemIds: readonly string[]): ReturnType<Session> {
  return session('gateway_items as r')
    .select('r.refund_of', session.fragment('cast(sum(r.amount_millimes) as char) as total'))
    .whereIn('r.refund_of', [...itemIds])
    .groupBy('r.refund_of');
}

function breaksQuery(
  session: Session,
  itemIds: readonly string[],
  breakClasses: readonly string[] | undefined,
): ReturnType<Session> {
  // SQLite keeps the order of a cross join; it would read all breaks first.
  const query = session('recon_break_items as k')
    .crossJoin('recon_breaks as b', 'b.id', 'k.break_id')
    .select('k.item_id', 'b.id', 'b.class')
    .whereIn('k.item_id', [...itemIds])
    .orderBy(['b.since', 'b.id']);
  return breakClasses === undefined ? query : query.whereIn('b.class', breakClasses);
}
