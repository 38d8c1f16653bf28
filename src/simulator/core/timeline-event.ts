import type { Instant } from '../../kernel';

/** A planned event at an instant of the simulated time. Plain data, so that it can be saved. */
export interface TimelineEvent {
  readonly at: Instant;
  /** Of two events at one instant, the one that was planned first has the lower number. */
  readonly order: number;
  readonly kind: string;
  readonly data: Readonly<Record<string, string | number>>;
}
