import { column, type Decoded, rowCodec, type Session } from '../db';
import { AppError, type Page, pageOf } from '../kernel';

/** A payout may have a million items, so its pages are large. */
const ITEMS_PER_PAGE = 2_000;

const ITEM = rowCodec({
  itemId: column.text('item_id'),
  channel: column.text('channel'),
  amount: column.millimes('amount_millimes'),
  fee: column.millimes('fee_millimes'),
  tva: column.millimes('tva_millimes'),
  evidence: column.text('evidence'),
});
const DATED_ITEM = rowCodec({
  ...ITEM.fields,
  /** The instant of its ledger transaction; undefined for an item without one. */
  occurredAt: column.optional(column.number('occurred_at')),
});

/** An item of a match. In millimes; refunds are negative. */
export type PayoutItem = Decoded<typeof DATED_ITEM>;

/** Yields the items of one match, in pages, by the bytes of their ids. */
export async function* payoutItemPages(session: Session, matchId: string): AsyncGenerator<readonly PayoutItem[]> {
  for (let after = ''; ;) {
    const items = await itemsAfter(session, { matchId, after, limit: ITEMS_PER_PAGE });
    const last = items.at(-1);
    if (last === undefined) return;
    yield items;
    if (items.length < ITEMS_PER_PAGE) return;
    after = last.itemId;
  }
}

/** Returns the first items of one match, by the bytes of their ids. */
export function firstPayoutItems(session: Session, matchId: string, limit: number): Promise<readonly PayoutItem[]> {
  return itemsAfter(session, { matchId, after: '', limit });
}

const HOLDER = rowCodec({ matchId: column.optional(column.text('match_id')) });

export type PayoutItemKey = readonly [itemId: string];

export interface PayoutItemsQuery {
  readonly after?: PayoutItemKey | undefined;
  readonly limit: number;
}

/**
 * Returns a page of the items of the match that holds a bank line, by the bytes of their ids; none if no match holds it.
 *
 * @throws AppError `not_found` if no line has that id.
 */
export async function creditItems(
  session: Session,
  lineId: string,
  { after: [after] = [''], limit }: PayoutItemsQuery,
): Promise<Page<PayoutItem, PayoutItemKey>> {
  const line = await HOLDER.first(
    session('bank_statement_lines as l')
      .leftJoin('payout_claimed_lines as k', 'k.line_id', 'l.id')
      .select('k.match_id')
      .where('l.id', lineId),
  );
  if (line === undefined) throw new AppError('not_found', { thing: 'credit', id: lineId });
  const { matchId } = line;
  if (matchId === undefined) return { rows: [], next: undefined };
  const found = await itemsAfter(session, { matchId, after, limit: limit + 1 });
  return pageOf(found, limit, ({ itemId }) => [itemId] as const);
}

function itemsAfter(
  session: Session,
  { matchId, after, limit }: { readonly matchId: string; readonly after: string; readonly limit: number },
): Promise<PayoutItem[]> {
  return DATED_ITEM.all(
    session('payout_match_items as i')
      .leftJoin('ledger_transactions as t', 't.reference', 'i.item_id')
      .select(...ITEM.columns('i'), 't.occurred_at')
      .where('i.match_id', matchId)
      .where('i.item_id', '>', after)
      .orderBy('i.item_id')
      .limit(limit),
  );
}
