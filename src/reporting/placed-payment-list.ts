import type { Database } from '../db';
import { filteredPage, type Page, ROWS_EXAMINED_MAX } from '../kernel';
import { withMoney } from './found-payment';
import { isWanted, listPayments, type PaymentFilter, type PaymentKey, paymentKey } from './payment-list-read-model';
import { type MoneyState, type PlacedPayment, placePayments, type ReadDue } from './place-payments';

export interface PaymentQuery extends PaymentFilter {
  /** Only payments whose money is there. */
  readonly state?: MoneyState | undefined;
  readonly after?: PaymentKey | undefined;
  readonly limit: number;
}

/**
 * Returns a page of the payments of all channels and where their money is, newest first. It examines a bounded number of
 * payments, so it may be short and have a next one.
 */
export function placedPayments(
  database: Database,
  { state, after, limit, ...filter }: PaymentQuery,
  readDue: ReadDue,
): Promise<Page<PlacedPayment, PaymentKey>> {
  return filteredPage({
    ...{ after, limit, examinedMax: ROWS_EXAMINED_MAX, keyOf: paymentKey },
    read: (key, count) => database.read((session) => listPayments(session, filter, key, count)),
    async keep(found) {
      const wanted = found.filter((row) => isWanted(row, filter));
      const rows = await database.read((session) => withMoney(session, wanted), { snapshot: true });
      const placed = await placePayments(rows, readDue);
      return placed.filter((row) => state === undefined || row.state === state);
    },
  });
}
