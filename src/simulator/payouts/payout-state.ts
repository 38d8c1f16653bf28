import type { PayableItem } from './payable-item';
import { EMPTY_PAYOUT_BOOK, type PayoutBook } from './payout-book';

/** The money that the gateway owes and has paid. Earned money is added in place: a month has too many payments to copy each time. */
export interface PayoutState {
  payoutBook: PayoutBook & { readonly open: PayableItem[] };
  /** Everything that was ever earned, in order; of the payout book only what is open keeps its instants. */
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
