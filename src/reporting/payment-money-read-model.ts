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
  id: column.text('id'),
  breakClass: column.text('class'),
  itemIds: column.json('subject', (value) => (value as { readonly itemIds: readonly string[] }).itemIds),
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

/**
 * Returns where the money of each item is. With classes, it reads open breaks of these only, and only if an item
 * is not in the bank; otherwise all open breaks.
 */
export async function moneyOfItems(
  session: Session,
  itemIds: readonly string[],
  breakClasses?: readonly string[],
): Promise<Map<string, ItemMoney>> {
  const banked = new Map<string, ItemMoney['bank']>();
  const returned = new Map<string, BusinessDate>();
  const refunded = new Map<string, bigint>();
  const occurred = new Map<string, Instant>();
  for (const page of pagesOf([...new Set(itemIds)], ROWS_PER_STATEMENT)) {
    for (const { itemId, ...bank } of await BANKED.all(bankedQuery(session, page))) banked.set(itemId, bank);
    for (const { itemId, returnedOn } of await RETURNED.all(returnedQuery(session, page))) {
      returned.set(itemId, returnedOn);
    }
    for (const { itemId, occurredAt } of await OCCURRED.all(occurredQuery(session, page))) {
      occurred.set(itemId, occurredAt);
    }
    for (const { itemId, total } of await REFUNDED.all(refundedQuery(session, page))) refunded.set(itemId, -total);
  }
  const wanted = breakClasses === undefined ? itemIds : itemIds.filter((itemId) => !banked.has(itemId));
  const breaks = await breaksOf(session, new Set(wanted), breakClasses);
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

/** The rows of a break are stored as JSON, so the open breaks are read and searched here. */
async function breaksOf(
  session: Session,
  wanted: ReadonlySet<string>,
  breakClasses: readonly string[] | undefined,
): Promise<Map<string, { readonly id: string; readonly breakClass: string }[]>> {
  const found = new Map<string, { readonly id: string; readonly breakClass: string }[]>();
  if (wanted.size === 0) return found;
  const query = session('recon_breaks as b').select(OPEN_BREAK.columns('b')).orderBy(['b.since', 'b.id']);
  const open = await OPEN_BREAK.all(
    breakClasses === undefined
      ? query.whereNot('b.status', 'resolved')
      : query.whereIn('b.class', breakClasses).whereIn('b.status', ['open', 'assigned', 'proposed']),
  );
  for (const { id, breakClass, itemIds } of open) {
    for (const itemId of itemIds) if (wanted.has(itemId)) addToGroup(found, itemId, { id, breakClass });
  }
  return found;
}
