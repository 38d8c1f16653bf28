import { column, rowCodec, ROWS_PER_STATEMENT, rowsOf, type Session } from '../db';
import { type Instant, newId, pagesOf, ZERO_MILLIMES } from '../kernel';
import {
  type Channel,
  GATEWAY_FEES,
  GATEWAY_FEES_TVA,
  gatewayClearing,
  moved,
  type NewLedgerTransaction,
  openLedger,
} from '../ledger';
import { feeRow } from './item-store';
import { type FeeAmounts, feeDifference, feeReference, type PostedBy } from './post-item';

/** The fee and the TVA of an item of any channel, including agent payments. */
export interface FoundFee extends FeeAmounts {
  readonly itemId: string;
  readonly channel: Channel;
  readonly occurredAt: Instant;
}

/** The difference to a fee that was posted with another amount. */
export interface FeeCorrection extends FeeAmounts {
  readonly itemId: string;
  /** The ledger reference of this difference. */
  readonly reference: string;
}

const ITEM_ID = rowCodec({ itemId: column.text('item_id') });
const KNOWN_FEE = rowCodec({
  itemId: column.text('item_id'),
  fee: column.millimes('fee_millimes'),
  tva: column.millimes('tva_millimes'),
});

/**
 * Posts the fees of many items to the ledger, by the rules of `postFee`: once per item, and the difference when a later
 * fee differs. A fee of 0 needs no row if none was posted before.
 *
 * @returns the corrections of fees that were posted with another amount: the caller opens `fee_unexplained`.
 * @throws AppError `fee_too_large`; `duplicate_key` in a race.
 */
export async function postFees(session: Session, found: readonly FoundFee[], by: PostedBy): Promise<FeeCorrection[]> {
  const known = await knownFees(
    session,
    found.map(({ itemId }) => itemId),
  );
  const corrected: FeeCorrection[] = [];
  const rows: Record<string, unknown>[] = [];
  const transactions: NewLedgerTransaction[] = [];
  for (const each of found) {
    const { itemId, channel, occurredAt } = each;
    const before = known.get(itemId) ?? [];
    const { fee, tva } = feeDifference(each, before);
    if (fee === 0 && tva === 0) continue;
    const id = newId();
    const reference = feeReference(itemId, before.length);
    const clearing = gatewayClearing(channel);
    if (before.length > 0) corrected.push({ itemId, reference, fee, tva });
    const origin = { ledgerTransactionId: id, recordedAt: by.recordedAt };
    rows.push(feeRow({ reference, itemId, channel, fee, tva }, origin));
    transactions.push({
      id,
      reference,
      code: before.length === 0 ? 'fee' : 'fee_correction',
      occurredAt,
      ...by,
      postings: [
        ...(fee === ZERO_MILLIMES ? [] : [moved(GATEWAY_FEES, clearing, fee)]),
        ...(tva === ZERO_MILLIMES ? [] : [moved(GATEWAY_FEES_TVA, clearing, tva)]),
      ],
    });
  }
  await session.insert([{ table: 'gateway_item_fees', rows }]);
  await openLedger(session).post(transactions);
  return corrected;
}

async function knownFees(session: Session, itemIds: readonly string[]): Promise<Map<string, FeeAmounts[]>> {
  const known = new Map<string, FeeAmounts[]>();
  for (const page of pagesOf(await withFees(session, itemIds), ROWS_PER_STATEMENT)) {
    const query = session('gateway_item_fees as f').select(KNOWN_FEE.columns('f')).whereIn('f.item_id', page);
    for (const { itemId, ...fee } of await KNOWN_FEE.all(query)) {
      const others = known.get(itemId);
      if (others === undefined) known.set(itemId, [fee]);
      else others.push(fee);
    }
  }
  return known;
}

/**
 * Returns the items that have a posted first fee. The query uses the primary key. If a table has grown by thousands of
 * rows since its last statistics, a server would scan it rather than search five hundred items by another index.
 */
async function withFees(session: Session, itemIds: readonly string[]): Promise<string[]> {
  if (!(await isAnyKnown(session))) return [];
  const found: string[] = [];
  for (const page of pagesOf(itemIds, ROWS_PER_STATEMENT)) {
    const firsts = page.map((itemId) => feeReference(itemId, 0));
    const query = session('gateway_item_fees as f').select(ITEM_ID.columns('f')).whereIn('f.reference', firsts);
    found.push(...(await ITEM_ID.all(query)).map(({ itemId }) => itemId));
  }
  return found;
}

/**
 * Returns whether the table has any row. A gateway that charges no fee leaves it empty, and this query then saves one
 * per five hundred items.
 */
async function isAnyKnown(session: Session): Promise<boolean> {
  const rows = await rowsOf(session('gateway_item_fees as f').select('f.reference').limit(1));
  return rows.length > 0;
}
