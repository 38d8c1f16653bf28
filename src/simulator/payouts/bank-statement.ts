import { addMillimes, assert, type BusinessDate, type Millimes } from '../../kernel';
import { type BankLine, inBookingOrder } from './bank-line';
import { sumMillimes } from './payable-item';

/** A statement of whole days whose balances agree with its lines. */
export interface BankStatement {
  readonly account: string;
  /** The first and the last day, both complete. */
  readonly from: BusinessDate;
  readonly through: BusinessDate;
  readonly openingMillimes: Millimes;
  readonly closingMillimes: Millimes;
  /** In booking order. */
  readonly lines: readonly BankLine[];
}

export interface BankStatementRequest {
  readonly account: string;
  /** The balance before the first line of the account, not before `from`. */
  readonly accountOpeningMillimes: Millimes;
  /** Every line of the account so far; lines outside the requested days only change the balance. */
  readonly lines: readonly BankLine[];
  readonly from: BusinessDate;
  readonly through: BusinessDate;
}

/**
 * Creates the statement of some days. Statements of one account continue each other: the opening balance includes all
 * earlier lines. Ask only for days whose cuts have passed, because a later cut of the last day may add a line to it.
 */
export function bankStatement(request: BankStatementRequest): BankStatement {
  const { account, accountOpeningMillimes, from, through } = request;
  assert(from <= through, 'a statement ends where it begins, or later');
  const balanceAfter = (lines: readonly BankLine[]): Millimes =>
    addMillimes(accountOpeningMillimes, sumMillimes(lines.map(({ amountMillimes }) => amountMillimes)));
  return {
    account,
    from,
    through,
    openingMillimes: balanceAfter(request.lines.filter(({ bookingDate }) => bookingDate < from)),
    closingMillimes: balanceAfter(request.lines.filter(({ bookingDate }) => bookingDate <= through)),
    lines: inBookingOrder(request.lines.filter(({ bookingDate }) => from <= bookingDate && bookingDate <= through)),
  };
}
