import type { Instant } from '../../../src/kernel';
import type { FeeRule } from '../../../src/payout-inference';
import type { KnownTimes } from './known-times';

/** One item that a credit may have paid. */
export interface Candidate extends KnownTimes {
  readonly itemId: string;
  /** What it adds to a payout at the true cut, after a fee of its own. */
  readonly netMillimes: number;
  /** The amount and the rule where a fee is taken of the payout as a whole. */
  readonly payoutFee: { readonly amountMillimes: number; readonly rule: FeeRule } | undefined;
  readonly isPaid: boolean;
}

/** A credit with all that the ideal reader knows: everything but the cut and what is on its two sides. */
export interface PayoutCase {
  readonly lineId: string;
  /** What no neighbor is known to have paid: what this credit paid, and what the next one did. */
  readonly candidates: readonly Candidate[];
  readonly cutAt: Instant;
  /** By the bank's day and the cuts before and after: where the cut can be at all. */
  readonly window: { readonly after: Instant; readonly until: Instant };
  /** The cut that takes what this one leaves. */
  readonly nextCutAt: Instant;
  /** The credits of that cut when they are whole: what one of the two gives up, the other holds. */
  readonly nextLineIds: readonly string[];
}
