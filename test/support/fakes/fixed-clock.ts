import { type Clock, type Instant } from '../../../src/kernel';

export interface FixedClock extends Clock {
  set(instant: Instant | string): void;
  advance(ms: number): void;
}

/** A business clock that stands still until it is told to move, also backwards. Takes ISO text or milliseconds. */
export function fixedClock(start: Instant | string): FixedClock {
  let now = instantOf(start);
  return {
    now: () => now,
    set: (instant) => {
      now = instantOf(instant);
    },
    advance: (ms) => {
      now += ms;
    },
  };
}

function instantOf(value: Instant | string): Instant {
  const instant = typeof value === 'string' ? Date.parse(value) : value;
  if (Number.isNaN(instant)) throw new Error(`not an ISO instant with an offset: ${value}`);
  return instant;
}
