import { insertRows, rowsOf, type Session } from '../../db';
import { newId, pagesOf, toMillimes, ZERO_MILLIMES, type Instant, type Millimes } from '../../kernel';
import {
  GATEWAY_FEES,
  GATEWAY_FEES_TVA,
  gatewayClearing,
  moved,
  openLedger,
  type Channel,
  type NewLedgerTransaction,
} from '../../ledger';
import { feeDifference, feeReference, type PostedBy } from './post-item';

/** What was found to be the fee and the TVA of an item of any channel, the agents' too. */
export interface FoundFee {
  readonly itemId: string;
  readonly channel: Channel;
  readonly fee: Millimes;
  readonly tva: Millimes;
  readonly occurredAt: Instant;
}

/** What a fee that was known with another amount was corrected by. */
export interface FeeCorrection {
  readonly itemId: string;
  /** That of the difference in the books; each has its own. */
  readonly reference: string;
  readonly fee: Millimes;
  readonly tva: Millimes;
}

const IDS_PER_STATEMENT = 500;

interface KnownFee {
  readonly fees: Millimes[];
  readonly tvas: Millimes[];
}

/**
 * Puts the fees of many items in the books at once, by the rules of `postFee`: once per item, and what is found later
 * posts the difference. An item without a fee, of which none was posted before, needs no row.
 *
 * @returns what was corrected, for the fee was known with another amount: the caller opens `fee_unexplained`.
 * @throws AppError `conflict` when a difference is larger than can be counted; `duplicate_key` in a race.
 */
export async function postFees(session: Session, found: readonly FoundFee[], by: PostedBy): Promise<FeeCorrection[]> {
  const known = await knownFees(
    session,
    found.map(({ itemId }) => itemId),
  );
  const corrected: FeeCorrection[] = [];
  const rows: Record<string, unknown>[] = [];
  const transactions: NewLedgerTransaction[] = [];
  for (const { itemId, channel, occurredAt, ...now } of found) {
    const { fees, tvas } = known.get(itemId) ?? { fees: [], tvas: [] };
    const fee = feeDifference(now.fee, fees);
    const tva = feeDifference(now.tva, tvas);
    if (fee === 0 && tva === 0) continue;
    const id = newId();
    const reference = feeReference(itemId, fees.length);
    const clearing = gatewayClearing(channel);
    if (fees.length > 0) corrected.push({ itemId, reference, fee, tva });
    rows.push({
      reference,
      item_id: itemId,
      channel,
      fee_millimes: fee,
      tva_millimes: tva,
      recorded_at: by.recordedAt,
      ledger_transaction_id: id,
    });
    transactions.push({
      id,
      reference,
      code: fees.length === 0 ? 'fee' : 'fee_correction',
      occurredAt,
      ...by,
      postings: [
        ...(fee === ZERO_MILLIMES ? [] : [moved(GATEWAY_FEES, clearing, fee)]),
        ...(tva === ZERO_MILLIMES ? [] : [moved(GATEWAY_FEES_TVA, clearing, tva)]),
      ],
    });
  }
  await insertRows(session, 'gateway_item_fees', rows);
  await openLedger(session).post(transactions);
  return corrected;
}

async function knownFees(session: Session, itemIds: readonly string[]): Promise<Map<string, KnownFee>> {
  const known = new Map<string, KnownFee>();
  for (const page of pagesOf(await withFees(session, itemIds), IDS_PER_STATEMENT)) {
    const rows = await rowsOf(
      session('gateway_item_fees as f')
        .select('f.item_id', 'f.fee_millimes', 'f.tva_millimes')
        .whereIn('f.item_id', page),
    );
    for (const row of rows) {
      const itemId = row['item_id'] as string;
      const of = known.get(itemId) ?? { fees: [], tvas: [] };
      of.fees.push(toMillimes(row['fee_millimes']));
      of.tvas.push(toMillimes(row['tva_millimes']));
      known.set(itemId, of);
    }
  }
  return known;
}

/**
 * The items of which a fee is known: they have a first one. Asked by the primary key, for a server that sees a table
 * grow by thousands of rows since it counted them last reads all of it rather than look five hundred items up by
 * another key.
 */
async function withFees(session: Session, itemIds: readonly string[]): Promise<string[]> {
  if (!(await isAnyKnown(session))) return [];
  const found: string[] = [];
  for (const page of pagesOf(itemIds, IDS_PER_STATEMENT)) {
    const firsts = page.map((itemId) => feeReference(itemId, 0));
    const rows = await rowsOf(session('gateway_item_fees as f').select('f.item_id').whereIn('f.reference', firsts));
    found.push(...rows.map((row) => row['item_id'] as string));
  }
  return found;
}

/**
 * A gateway that keeps no fee leaves the table empty for ever: one query of it saves one for each five hundred items.
 */
async function isAnyKnown(session: Session): Promise<boolean> {
  const rows = await rowsOf(session('gateway_item_fees as f').select('f.reference').limit(1));
  return rows.length > 0;
}
