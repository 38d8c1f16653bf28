import type { BusinessDate, Instant } from '../../src/kernel';
import type { BankLine, FeeRule, Item, Observation, PayoutModel, Stream } from '../../src/payout-inference';

/** What the engine is given, and nothing else. */
export interface WorldFiles {
  readonly items: readonly Item[];
  readonly observations: readonly Observation[];
  readonly lines: readonly BankLine[];
  /** Undefined: to be learned. */
  readonly fees: readonly FeeRule[] | undefined;
  readonly holidays: readonly BusinessDate[];
}

/** What really happened to one line of the statement. */
export interface TrueLine {
  readonly lineId: string;
  /**
   * `payout`: the whole of one payout. `merged`: two payouts in one credit. `split`: a part of a payout.
   * `returned_credit`, `return_debit`, `paid_again`: the three lines of a returned payout.
   * `unrelated`: another payer's money, look-alikes too.
   */
  readonly kind: 'payout' | 'merged' | 'split' | 'returned_credit' | 'return_debit' | 'paid_again' | 'unrelated';
  /** Known items that it paid, pairs of a payment and its own refund left out. */
  readonly itemIds: readonly string[];
  /** In its amount, though no item or fee of the files explains it: an unknown item, a surprise fee. */
  readonly unknownMillimes: number;
  readonly feeMillimes: number;
  readonly tvaMillimes: number;
  readonly cuts: readonly TrueCut[];
}

export interface TrueCut {
  readonly stream: Stream;
  /** On the gateway's clock. */
  readonly cutAt: Instant;
}

export interface TrueItem {
  readonly itemId: string;
  /** When the gateway could first take it, on the gateway's clock. */
  readonly availableAt: Instant;
  readonly paidByLineIds: readonly string[];
  /** Left with its own refund before any payout. */
  readonly cancelled: boolean;
}

/** A break that the files justify, by the classes of `breaks`. */
export interface TrueBreak {
  readonly breakClass: string;
  readonly amountMillimes: number;
  readonly itemIds: readonly string[];
  readonly lineIds: readonly string[];
}

/** Never given to the engine. */
export interface WorldTruth {
  readonly model: PayoutModel | undefined;
  readonly fees: readonly FeeRule[];
  readonly clawbackFee: 'kept' | 'returned';
  readonly lines: readonly TrueLine[];
  readonly items: readonly TrueItem[];
  /** Every cut that was made, also those whose line is missing. */
  readonly cuts: readonly TrueCut[];
  readonly breaks: readonly TrueBreak[];
  /** How late (positive) our clock is beside the gateway's, at most. */
  readonly clockSkewMaxMs: number;
}

export interface World {
  readonly scenario: string;
  readonly seed: number;
  readonly files: WorldFiles;
  readonly truth: WorldTruth;
}

export interface WorldSize {
  /** About as many items. */
  readonly items: number;
  /** Calendar days of business. */
  readonly days: number;
}

export interface Scenario {
  readonly name: string;
  /** One sentence: what is different here. */
  readonly about: string;
  readonly size: WorldSize;
  readonly generate: (seed: number, size: WorldSize) => World;
}
