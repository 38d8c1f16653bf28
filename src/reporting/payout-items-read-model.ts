import { rowsOf, type Session } from '../db';
import { toMillimes, type Instant, type Millimes } from '../kernel';

/** An item of a payout, as the match has it. In millimes; refunds are negative. */
export interface PayoutItem {
  readonly matchId: string;
  readonly itemId: string;
  readonly channel: string;
  readonly amount: Millimes;
  readonly fee: Millimes;
  readonly tva: Millimes;
  readonly evidence: string;
  /** When the money came, as the ledger has it; undefined for an item that is not in it. */
  readonly occurredAt: Instant | undefined;
}

const ITEMS_PER_PAGE = 2_000;

/** The items of one match, page by page, in the order of the bytes of their ids. */
export async function* payoutItemPages(session: Session, matchId: string): AsyncGenerator<readonly PayoutItem[]> {
  for (let after = ''; ;) {
    const rows = await rowsOf(
      session('payout_match_items as i')
        .leftJoin('ledger_transactions as t', 't.reference', 'i.item_id')
        .select('i.match_id', 'i.item_id', 'i.channel', 'i.amount_millimes', 'i.fee_millimes', 'i.tva_millimes')
        .select('i.evidence', 't.occurred_at')
        .where('i.match_id', matchId)
        .where('i.item_id', '>', after)
        .orderBy('i.item_id')
        .limit(ITEMS_PER_PAGE),
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => ({
      matchId,
      itemId: String(row['item_id']),
      channel: String(row['channel']),
      amount: toMillimes(row['amount_millimes']),
      fee: toMillimes(row['fee_millimes']),
      tva: toMillimes(row['tva_millimes']),
      evidence: String(row['evidence']),
      occurredAt: row['occurred_at'] === null ? undefined : Number(row['occurred_at']),
    }));
    if (rows.length < ITEMS_PER_PAGE) return;
    after = String(last['item_id']);
  }
}
