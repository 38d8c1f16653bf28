import type { Instant } from '../../../src/kernel';
import type { FeeRule } from '../../../src/payout-inference';
import type { KnownTimes } from './known-times';

/** One item that a credit may have paid. */
export interface Candidate extends KnownTimes {
  readonly itemId: string;
  /** The amount that it adds to a payout at the true cut, after its own fee. */
  readonly netMillimes: number;
  /** The amount and the rule, if the fee is on the payout as a whole. */
  readonly payoutFee: { readonly amountMillimes: number; readonly rule: FeeRule } | undefined;
  readonly isPaid: boolean;
  /** When it happened according to files that may state it too late; undefined if these never do. */
  readonly recordedAt: Instant | undefined;
  readonly recordedLate: boolean;
}

/** A credit with everything that the ideal reader knows, except the cut and the items on its two sides. */
export interface PayoutCase {
  readonly lineId: string;
  /** The items that no neighbor is known to have paid: those of this credit and of the next one. */
  readonly candidates: readonly Candidate[];
  readonly cutAt: Instant;
  /** Where the cut may be, according to the bank's day and the cuts before and after. */
  readonly window: { readonly after: Instant; readonly until: Instant };
  /** The cut that takes the items that this one leaves. */
  readonly nextCutAt: Instant;
  /** The credits of that cut if they are whole payouts: an item that one of the two loses is in the other. */
  readonly nextLineIds: readonly string[];
}
