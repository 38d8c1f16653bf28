import type { Instant } from '../../kernel';

/** Something that will happen at an instant of the simulated time. Plain data, so that it can be saved. */
export interface TimelineEvent {
  readonly at: Instant;
  /** Of two events of one instant, the one planned first has the lower number. */
  readonly order: number;
  readonly kind: string;
  readonly data: Readonly<Record<string, string | number>>;
}
