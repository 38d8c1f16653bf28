import type { Clock, Instant } from '../kernel';
import { GatewayError } from './gateway-error';

/** The last instant that a Date can represent, in milliseconds since 1970 UTC. */
const INSTANT_MAX = 8_640_000_000_000_000;

/**
 * Wraps the integrator's clock. A clock that throws, or returns a value that is not an instant, is reported as a wrong
 * option.
 */
export function safeClock(clock: Clock, operation: string): Clock {
  return {
    now() {
      const now = readClock(clock);
      if (now !== undefined) return now;
      const fields = { clock: ['expected milliseconds since 1970'] };
      throw new GatewayError('validation', 'clock: expected milliseconds since 1970', { operation, fields });
    },
  };
}

function readClock(clock: Clock): Instant | undefined {
  try {
    const now: unknown = clock.now();
    return typeof now === 'number' && Math.abs(now) <= INSTANT_MAX ? now : undefined;
  } catch {
    // The thrown value may contain anything, so no part of it is shown.
    return undefined;
  }
}
