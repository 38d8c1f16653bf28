import type { Database } from '../db';
import { filteredPage, type Page, ROWS_EXAMINED_MAX } from '../kernel';
import { withMoney } from './found-payment';
import {
  isWanted,
  type ListedPayment,
  listPayments,
  type PaymentFilter,
  type PaymentKey,
  paymentKey,
} from './payment-list-read-model';
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
export async function placedPayments(
  database: Database,
  { state, after, limit, ...filter }: PaymentQuery,
  readDue: ReadDue,
): Promise<Page<PlacedPayment, PaymentKey>> {
  const list = {
    ...{ after, limit, examinedMax: ROWS_EXAMINED_MAX, keyOf: paymentKey },
    read: (key: PaymentKey | undefined, count: number) =>
      database.read((session) => listPayments(session, filter, key, count)),
  };
  const wanted = (found: readonly ListedPayment[]): ListedPayment[] => found.filter((row) => isWanted(row, filter));
  const place = async (rows: readonly ListedPayment[]): Promise<PlacedPayment[]> =>
    placePayments(await database.read((session) => withMoney(session, rows), { snapshot: true }), readDue);
  if (state !== undefined) {
    const keep = async (found: readonly ListedPayment[]): Promise<PlacedPayment[]> =>
      (await place(wanted(found))).filter((row) => row.state === state);
    return filteredPage({ ...list, keep });
  }
  const { rows, next } = await filteredPage({ ...list, keep: (found) => Promise.resolve(wanted(found)) });
  return { rows: await place(rows), next };
}
