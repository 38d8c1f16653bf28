import type { PayableItem } from './payable-item';
import { EMPTY_PAYOUT_BOOK, type PayoutBook } from './payout-book';

/**
 * The money that the gateway owes and has paid. Earned money is added in place, because a month has too many payments
 * to copy the list each time.
 */
export interface PayoutState {
  payoutBook: PayoutBook & { readonly open: PayableItem[] };
  /** All money ever earned, in order. The payout book has the instants of open items only. */
  earned: PayableItem[];
}

export function emptyPayoutState(): PayoutState {
  return { payoutBook: { ...EMPTY_PAYOUT_BOOK, open: [] }, earned: [] };
}

declare module '../core/world' {
  interface World {
    payoutBook: PayoutState['payoutBook'];
    earned: PayoutState['earned'];
  }
}
