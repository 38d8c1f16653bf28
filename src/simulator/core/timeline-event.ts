import type { Instant } from '../../kernel';

/** Something that will happen at an instant of the simulated time. Plain data, so that it can be saved. */
export interface TimelineEvent {
  readonly at: Instant;
  /** Of two at once, the one that was planned first. */
  readonly order: number;
  readonly kind: string;
  readonly data: Readonly<Record<string, string | number>>;
}
