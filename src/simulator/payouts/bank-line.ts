import { type BusinessDate, compareBytes, type Millimes } from '../../kernel';

/** Why a line stands on the statement. Nothing of it is on the statement itself. */
export type BankLineCause =
  /** `part` of `parts`: a payout may come in two credits. Two payout ids: they came together. */
  | { readonly kind: 'payout'; readonly payoutIds: readonly string[]; readonly part: number; readonly parts: number }
  | { readonly kind: 'payout_returned'; readonly payoutIds: readonly string[]; readonly returnsLineId: string }
  | { readonly kind: 'payout_paid_again'; readonly payoutIds: readonly string[]; readonly returnsLineId: string }
  | { readonly kind: 'unrelated' };

/** One line of the simulated bank. Plain data: it is saved with the simulator's state. */
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

/** As the bank books them: by day, and of one day by id. */
export function inBookingOrder(lines: readonly BankLine[]): BankLine[] {
  return [...lines].sort((a, b) => compareBytes(a.bookingDate, b.bookingDate) || compareBytes(a.lineId, b.lineId));
}
