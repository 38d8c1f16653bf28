import type { Clock, Instant } from '../kernel';
import { GatewayError } from './gateway-error';

/** The last instant that a date can show, in milliseconds since 1970 UTC. */
const INSTANT_MAX = 8_640_000_000_000_000;

/**
 * The integrator's clock. What it throws, or gives instead of an instant, is told as what it is: an option that is
 * wrong.
 */
export function safeClock(clock: Clock, operation: string): Clock {
  return {
    now() {
      const now = readClock(clock);
      if (now !== undefined) return now;
      const fields = { clock: ['must give milliseconds since 1970'] };
      throw new GatewayError('validation', 'clock must give milliseconds since 1970', { operation, fields });
    },
  };
}

function readClock(clock: Clock): Instant | undefined {
  try {
    const now: unknown = clock.now();
    return typeof now === 'number' && Math.abs(now) <= INSTANT_MAX ? now : undefined;
  } catch {
    // Whatever it threw may hold anything, so nothing of it is shown.
    return undefined;
  }
}
