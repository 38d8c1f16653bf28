import type { BusinessDate, Instant } from '../../src/kernel';
import type { BankLine, Channel, FeeRule, Item, Observation, PayoutModel } from '../../src/payout-inference';

/** The whole input of the engine. */
export interface WorldFiles {
  readonly items: readonly Item[];
  readonly observations: readonly Observation[];
  readonly lines: readonly BankLine[];
  /** Undefined: the engine must learn them. */
  readonly fees: readonly FeeRule[] | undefined;
  readonly holidays: readonly BusinessDate[];
}

/** The truth about one line of the statement. */
export interface TrueLine {
  readonly lineId: string;
  /**
   * - `payout`: the whole of one payout.
   * - `merged`: two payouts in one credit.
   * - `split`: a part of a payout.
   * - `returned_credit`, `return_debit`, `paid_again`: the three lines of a returned payout.
   * - `unrelated`: another payer's money, including look-alikes.
   */
  readonly kind: 'payout' | 'merged' | 'split' | 'returned_credit' | 'return_debit' | 'paid_again' | 'unrelated';
  /** Known items that it paid, without pairs of a payment and its own refund. */
  readonly itemIds: readonly string[];
  /** The part of its amount that no item or fee of the files explains: an unknown item, a surprise fee. */
  readonly unknownMillimes: number;
  readonly feeMillimes: number;
  readonly tvaMillimes: number;
  readonly cuts: readonly TrueCut[];
}

/** The name of what one transfer pays: `all`, `item`, or its channels. */
export type TrueStream = string;

export interface TrueCut {
  readonly stream: TrueStream;
  /** On the gateway's clock. */
  readonly cutAt: Instant;
}

export interface TrueItem {
  readonly itemId: string;
  /** When the gateway could first take it, on the gateway's clock. */
  readonly availableAt: Instant;
  readonly paidByLineIds: readonly string[];
  /** It left with its own refund before any payout. */
  readonly cancelled: boolean;
  /** The files state it hours too late, after the cut that took it. */
  readonly recordedLate: boolean;
}

/** A break that the files justify, by the classes of `breaks`. */
export interface TrueBreak {
  readonly breakClass: string;
  readonly amountMillimes: number;
  readonly itemIds: readonly string[];
  readonly lineIds: readonly string[];
}

/** Never passed to the engine. */
export interface WorldTruth {
  /** `groups`: each group of channels in a transfer of its own. Undefined: nothing is paid to this account. */
  readonly model: PayoutModel | 'groups' | undefined;
  /** Channels without a stream are never paid to this account. */
  readonly streams: ReadonlyMap<Channel, TrueStream>;
  readonly fees: readonly FeeRule[];
  readonly clawbackFee: 'kept' | 'returned';
  readonly lines: readonly TrueLine[];
  readonly items: readonly TrueItem[];
  /** Every cut, including those whose line is missing. */
  readonly cuts: readonly TrueCut[];
  readonly breaks: readonly TrueBreak[];
  /** The most by which Millime's clock is late (positive) compared with the gateway's. */
  readonly clockSkewMaxMs: number;
  /** By how much the batch of cards begins later each day. */
  readonly cardDriftMsPerDay: number;
}

export interface World {
  readonly scenario: string;
  readonly seed: number;
  /** Only wrong answers and claimed errors are judged: no reader may be able to explain these files. */
  readonly isGuard: boolean;
  readonly files: WorldFiles;
  readonly truth: WorldTruth;
}

export interface WorldSize {
  /** The approximate number of items. */
  readonly items: number;
  /** Calendar days of business. */
  readonly days: number;
}

export interface Scenario {
  readonly name: string;
  /** One sentence about the difference from the clean plan. */
  readonly about: string;
  readonly size: WorldSize;
  readonly isGuard: boolean;
  readonly generate: (seed: number, size: WorldSize) => World;
}
