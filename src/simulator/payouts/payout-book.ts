import { assert } from '../../kernel';
import type { BankLine } from './bank-line';
import { bookPayouts } from './book-payouts';
import type { Fee } from './fee-of';
import { formPayouts } from './form-payouts';
import type { PayableItem } from './payable-item';
import type { Payout } from './payout';
import type { CutRequest } from './payout-dates';
import { unrelatedLines } from './unrelated-lines';

/** The history of all payouts. Plain data, so that it can be saved and loaded as JSON. */
export interface PayoutBook {
  /** Items that no cut has taken, including those not yet available. */
  readonly open: readonly PayableItem[];
  readonly payouts: readonly Payout[];
  readonly cancelled: readonly PayableItem[];
  /** Formed, but booked with the next payout of their stream. */
  readonly waiting: readonly Payout[];
  /** Lines of the bank, including those of future days. */
  readonly lines: readonly BankLine[];
}

export const EMPTY_PAYOUT_BOOK: PayoutBook = { open: [], payouts: [], cancelled: [], waiting: [], lines: [] };

/** Returns the history after a cut, with its payouts and all lines that the bank will write for them. */
export function takeCut(book: PayoutBook, request: CutRequest): PayoutBook {
  const charged = new Map<string, Fee>(book.payouts.flatMap(({ lines }) => lines.map((line) => [line.itemId, line])));
  assert(!book.open.some(({ itemId }) => charged.has(itemId)), 'an item is paid once');
  const outcome = formPayouts(book.open, { ...request, feeCharged: (itemId) => charged.get(itemId) });
  const booked = bookPayouts(outcome.payouts, book.waiting, request);
  const unrelated = unrelatedLines({ ...request, linesBefore: book.lines.length });
  return {
    open: outcome.left,
    payouts: [...book.payouts, ...outcome.payouts],
    cancelled: [...book.cancelled, ...outcome.cancelled],
    waiting: booked.waiting,
    lines: [...book.lines, ...booked.lines, ...unrelated],
  };
}
