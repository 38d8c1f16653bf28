import { addMillimes, assert, type BusinessDate, type Millimes } from '../../kernel';
import { type BankLine, inBookingOrder } from './bank-line';
import { sumMillimes } from './payable-item';

/** A statement of whole days, with balances that close. */
export interface BankStatement {
  readonly account: string;
  /** The first and the last day that it covers, both with all of their lines. */
  readonly from: BusinessDate;
  readonly through: BusinessDate;
  readonly openingMillimes: Millimes;
  readonly closingMillimes: Millimes;
  /** In the order of booking. */
  readonly lines: readonly BankLine[];
}

export interface BankStatementRequest {
  readonly account: string;
  /** The balance before the account's first line of all, not before `from`. */
  readonly accountOpeningMillimes: Millimes;
  /** Every line of the account so far; those outside the days asked for only move the balance. */
  readonly lines: readonly BankLine[];
  readonly from: BusinessDate;
  readonly through: BusinessDate;
}

/**
 * The statement of some days. Statements of one account continue each other: the opening balance is what all earlier
 * lines left. Ask only for days whose cuts are over, since a later cut of the last day may still add a line to it.
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
