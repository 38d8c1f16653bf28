import type { Availability } from './item-availability';
import type { CardRule } from './learn-card-rule';
import type { PayoutModel, Stream } from './match-request';
import type { StreamItems } from './order-stream';
import type { FeeHypothesis, Priced } from './price-stream';
import type { FoundLinks } from './search-links';
import type { WeighedStream } from './weigh-links';

export interface Hypothesis {
  readonly model: PayoutModel;
  readonly cardRule: CardRule | undefined;
  readonly fees: FeeHypothesis;
}

export interface StreamAnswer {
  readonly sequence: StreamItems;
  readonly priced: readonly Priced[];
  readonly found: FoundLinks;
  readonly weighed: WeighedStream;
}

/** One explanation of a credit; ways that pay the same items are one. */
export interface Explanation {
  readonly stream: Stream;
  /** Indexes of the items in ascending order, without payments that were refunded inside the run. */
  readonly items: readonly number[];
  /** Payments that were refunded inside the run, with their refunds: they left together. */
  readonly pairs?: readonly number[] | undefined;
  /** How likely it is. */
  readonly share: number;
  /** How likely it is something else in disguise, beyond what its share says. */
  readonly nearError: number;
  /** Indexes of its items that may lie on the other side of the cut. */
  readonly unsure?: readonly number[] | undefined;
  readonly cutFrom: number;
  readonly cutTo: number;
  /** What was available by then was in, as observations show. */
  readonly tracedFrom?: number | undefined;
  /**
   * `run`: all items between two cuts. `sum`: some of them were chosen by what they add up to. `part`: the run was paid
   * in more than one credit, and this is one of them.
   */
  readonly kind: 'run' | 'sum' | 'part';
}

/** The answer of one hypothesis to a file. */
export interface ModelAnswer {
  readonly hypothesis: Hypothesis;
  readonly availability: Availability;
  readonly cancelled: readonly number[];
  readonly streams: readonly StreamAnswer[];
  readonly logEvidence: number;
  /** The sum of the shares of all links: about how many credits are explained. */
  readonly explained: number;
  /** By the credit's index, the likeliest first. */
  readonly explanations: ReadonlyMap<number, readonly Explanation[]>;
  /** Credits for which a bound on the search was hit. */
  readonly cutShort: ReadonlySet<number>;
}
