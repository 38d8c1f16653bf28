import type { BusinessDate } from '../kernel';
import type { FoundPayment } from './found-payment';

/** Where the money of a payment is; `none`: nothing is in the ledger. */
export const MONEY_STATES = ['expected', 'late', 'break', 'banked', 'returned', 'refunded'] as const;
export type MoneyState = (typeof MONEY_STATES)[number] | 'none';

/** An item that no credit paid, and the days on which the bank should book it. */
export interface DueItem {
  readonly itemId: string;
  readonly usuallyOn: BusinessDate | undefined;
  /** The last day on which it is in time. */
  readonly dueOn: BusinessDate | undefined;
  readonly isLate: boolean;
}

/** Returns those of the given items that no credit paid. */
export type ReadDue = (itemIds: readonly string[]) => Promise<readonly DueItem[]>;

/** A payment with the day by which runs expect its money at the bank. */
export interface PlacedPayment extends FoundPayment {
  readonly state: MoneyState;
  /** Undefined if it is paid out, or not owed. */
  readonly dueOn: BusinessDate | undefined;
}

/** Returns payments with the state of their money. */
export async function placePayments(found: readonly FoundPayment[], readDue: ReadDue): Promise<PlacedPayment[]> {
  const open = found.flatMap(({ itemId, money }) =>
    itemId === undefined || money === undefined || money.bank !== undefined ? [] : [itemId],
  );
  const due = new Map((open.length === 0 ? [] : await readDue(open)).map((item) => [item.itemId, item]));
  return found.map((each) => placed(each, due.get(each.itemId ?? '')));
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
