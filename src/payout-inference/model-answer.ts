import type { CutFinder } from './cut-states';
import type { Availability } from './item-availability';
import type { CardRule } from './learn-card-rule';
import type { PayoutModel, Stream } from './match-request';
import type { StreamItems } from './order-stream';
import type { FeeHypothesis, Priced } from './price-stream';
import type { FoundLinks } from './search-links';
import type { WeighedStream } from './weigh-links';

export interface Hypothesis {
  readonly model: PayoutModel;
  /** The streams of `sweep-by-group`: each channel is in at most one. Undefined for other models. */
  readonly groups?: readonly Stream[] | undefined;
  readonly cardRule: CardRule | undefined;
  readonly fees: FeeHypothesis;
  /** Whether the gateway never takes a refund back, so that no stream holds one. */
  readonly withoutRefunds?: boolean | undefined;
}

export interface StreamAnswer {
  readonly sequence: StreamItems;
  readonly priced: readonly Priced[];
  readonly finder: CutFinder;
  readonly found: FoundLinks;
  readonly weighed: WeighedStream;
}

/** One explanation of a credit. Paths that pay the same items are one explanation. */
export interface Explanation {
  readonly stream: Stream;
  /** Indexes of the items in ascending order, without payments that were refunded inside the run. */
  readonly items: readonly number[];
  /** Payments that were refunded inside the run, with their refunds: they left together. */
  readonly pairs?: readonly number[] | undefined;
  /** The probability of the explanation. */
  readonly share: number;
  /** The probability of a similar explanation that looks the same, in addition to its share. */
  readonly nearError: number;
  readonly cutFrom: number;
  readonly cutTo: number;
  /** Items that were available by then are surely paid, according to observations. */
  readonly tracedFrom?: number | undefined;
  /**
   * - `run`: all items between two cuts.
   * - `sum`: some of the items were chosen by their sum.
   * - `lacking`: the run is clear, and the credit differs from it by a recurring amount.
   * - `part`: the run was paid in several credits, and this is one of them.
   */
  readonly kind: 'run' | 'sum' | 'lacking' | 'part';
  /** For `lacking`: what the credit lacks of the run, in millimes; negative if it holds more. */
  readonly lacks?: number | undefined;
}

/** The answer of one hypothesis to a file. */
export interface ModelAnswer {
  readonly hypothesis: Hypothesis;
  readonly availability: Availability;
  readonly cancelled: readonly number[];
  readonly streams: readonly StreamAnswer[];
  readonly logEvidence: number;
  /** The sum of the shares of all links: the approximate number of explained credits. */
  readonly explained: number;
  /** By the credit's index, the likeliest first. */
  readonly explanations: ReadonlyMap<number, readonly Explanation[]>;
  /** Credits whose search hit a bound. */
  readonly cutShort: ReadonlySet<number>;
}
