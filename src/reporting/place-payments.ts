import type { BusinessDate } from '../kernel';
import type { FoundPayment } from './found-payment';

/** Where the money of a payment is; `none`: nothing is in the ledger. */
export const MONEY_STATES = ['expected', 'late', 'break', 'banked', 'returned', 'refunded'] as const;
export type MoneyState = (typeof MONEY_STATES)[number] | 'none';

/** An item that no credit paid, and by when the bank should book it. */
export interface DueItem {
  readonly itemId: string;
  readonly dueOn: BusinessDate | undefined;
  readonly isLate: boolean;
}

/** A payment with the day by which runs expect its money at the bank. */
export interface PlacedPayment extends FoundPayment {
  readonly state: MoneyState;
  /** Undefined if it is paid out, or not owed. */
  readonly dueOn: BusinessDate | undefined;
}

export interface PlacedPage {
  readonly rows: readonly PlacedPayment[];
  /** The cursor of the next page; undefined after the last one. */
  readonly next: string | undefined;
}

export interface PlacedQuery {
  readonly limit: number;
  readonly state: MoneyState | undefined;
  readonly after: string | undefined;
}

/** A state of the money is computed from several tables, so one page examines at most this number of payments. */
const EXAMINED_MAX = 2_000;
/** The number of payments that a page with a state reads at a time, at least. */
const READ_MIN = 200;

/** Returns payments with the state of their money. `readDue` returns those of the given items that no credit paid. */
export async function placePayments(
  found: readonly FoundPayment[],
  readDue: (itemIds: readonly string[]) => Promise<readonly DueItem[]>,
): Promise<PlacedPayment[]> {
  const open = found.flatMap(({ itemId, money }) =>
    itemId === undefined || money === undefined || money.bank !== undefined ? [] : [itemId],
  );
  const due = new Map((open.length === 0 ? [] : await readDue(open)).map((item) => [item.itemId, item]));
  return found.map((each) => placed(each, due.get(each.itemId ?? '')));
}

/**
 * Reads a page of placed payments. With a state of the money it goes on until the page is full or enough payments were
 * examined, so the page may be short and have a next one.
 */
export async function placedPage(
  read: (after: string | undefined, limit: number) => Promise<readonly FoundPayment[]>,
  readDue: (itemIds: readonly string[]) => Promise<readonly DueItem[]>,
  { limit, state, after: from }: PlacedQuery,
): Promise<PlacedPage> {
  const rows: PlacedPayment[] = [];
  // Without a state one more row tells whether another page follows.
  const batch = state === undefined ? limit + 1 : Math.max(limit + 1, READ_MIN);
  let after = from;
  for (let examined = 0; examined < EXAMINED_MAX; examined += batch) {
    const found = await placePayments(await read(after, batch), readDue);
    for (const row of found) {
      if (rows.length === limit) return { rows, next: after };
      after = row.cursor;
      if (state === undefined || row.state === state) rows.push(row);
    }
    if (found.length < batch) return { rows, next: undefined };
  }
  return { rows, next: after };
}

function placed(found: FoundPayment, due: DueItem | undefined): PlacedPayment {
  return { ...found, state: stateOf(found, due), dueOn: found.money?.bank === undefined ? due?.dueOn : undefined };
}

/** A refund in full ends a payment, wherever its money was. */
function stateOf({ money, amount }: FoundPayment, due: DueItem | undefined): MoneyState {
  if (money === undefined) return 'none';
  if (money.refunded > 0n && money.refunded >= BigInt(amount)) return 'refunded';
  if (money.bank !== undefined) return 'banked';
  if (money.returnedOn !== undefined) return 'returned';
  if (money.breaks.length > 0) return 'break';
  return due?.isLate === true ? 'late' : 'expected';
}
