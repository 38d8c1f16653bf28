import type { Instant } from '../../kernel';

/** A planned event at an instant of the simulated time. Plain data, so that it can be saved. */
export interface TimelineEvent {
  readonly at: Instant;
  /** Of two events at one instant, the one that was planned first has the lower number. */
  readonly order: number;
  readonly kind: string;
  readonly data: Readonly<Record<string, string | number>>;
}

/** One traced fact, in order. The same seed and the same calls produce the same trace. */
export interface TraceEntry {
  readonly number: number;
  /** The simulated time in UTC, ISO 8601. */
  readonly at: string;
  readonly what: string;
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
}

/**
 * The saved part of the simulated gateway: plain data in one JSON file.
 *
 * These fields belong to no channel. Each channel declares its own state in its `*-state.ts`, by merging it into this
 * interface, and `composition/gateway-parts.ts` registers the state of a new world.
 */
export interface World {
  readonly seed: number;
  /** The current simulated time. */
  now: Instant;
  /** The last number of a counter for everything that needs an order. */
  lastNumber: number;
  randomState: string;
  timeline: readonly TimelineEvent[];
  trace: TraceEntry[];
}

/** The part of the world that the channels declare. */
export type ChannelStates = Omit<World, 'seed' | 'now' | 'lastNumber' | 'randomState' | 'timeline' | 'trace'>;

export function newWorld(seed: number, now: Instant, randomState: string, channels: ChannelStates): World {
  return { seed, now, lastNumber: 0, randomState, timeline: [], trace: [], ...channels };
}
