import { type BusinessDate, compareBytes, type Millimes } from '../../kernel';

/** The cause of a line. The statement itself does not show it. */
export type BankLineCause =
  /** `part` of `parts`: a payout may arrive in two credits. With two payout ids, the payouts arrived in one credit. */
  | { readonly kind: 'payout'; readonly payoutIds: readonly string[]; readonly part: number; readonly parts: number }
  | { readonly kind: 'payout_returned'; readonly payoutIds: readonly string[]; readonly returnsLineId: string }
  | { readonly kind: 'payout_paid_again'; readonly payoutIds: readonly string[]; readonly returnsLineId: string }
  | { readonly kind: 'unrelated' };

/** One line of the simulated bank. Plain data, saved with the simulator's state. */
export interface BankLine {
  readonly lineId: string;
  readonly bookingDate: BusinessDate;
  readonly valueDate: BusinessDate;
  /** Positive: credit. Never zero. */
  readonly amountMillimes: Millimes;
  readonly counterparty: string;
  readonly remittance: string;
  readonly bankReference: string;
  readonly cause: BankLineCause;
}

/** Sorts lines as the bank books them: by day, and within a day by id. */
export function inBookingOrder(lines: readonly BankLine[]): BankLine[] {
  return [...lines].sort((a, b) => compareBytes(a.bookingDate, b.bookingDate) || compareBytes(a.lineId, b.lineId));
}
