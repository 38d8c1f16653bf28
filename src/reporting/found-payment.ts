import type { Session } from '../db';
import { assert, type Instant } from '../kernel';
import { findPayment } from './find-payment-read-model';
import { type ListedPayment, paymentsNamed } from './payment-list-read-model';
import { type ItemMoney, moneyOfItems } from './payment-money-read-model';

/** A payment of any channel, and where its money is. */
export interface FoundPayment extends ListedPayment {
  /** Undefined until its money is in the ledger. */
  readonly money: (ItemMoney & { readonly confirmedAt: Instant }) | undefined;
}

/** Reads the payment that a text names. @throws AppError `not_found`, `ambiguous_id`. */
export async function foundPayment(session: Session, text: string): Promise<FoundPayment> {
  const { source, id } = await findPayment(session, text);
  const [found] = await withMoney(session, await paymentsNamed(session, source, [id]));
  assert(found !== undefined, 'a payment that was found in the snapshot exists');
  return found;
}

/** Adds to each payment where its money is. */
export async function withMoney(session: Session, rows: readonly ListedPayment[]): Promise<FoundPayment[]> {
  const itemIds = rows.flatMap(({ itemId }) => (itemId === undefined ? [] : [itemId]));
  const money = await moneyOfItems(session, itemIds);
  return rows.map((row) => {
    const place = row.itemId === undefined ? undefined : money.get(row.itemId);
    const confirmedAt = place?.occurredAt ?? row.at;
    return { ...row, money: place === undefined ? undefined : { ...place, confirmedAt } };
  });
}
