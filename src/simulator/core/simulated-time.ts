import { type Instant, parseInstant } from '../../kernel';

/**
 * The range stays a day after the first business date and years before the last, so local days and planned events
 * remain valid.
 */
const FIRST_INSTANT = parseInstant('1970-01-02T00:00:00Z') ?? 0;
const LAST_INSTANT = parseInstant('2190-01-01T00:00:00Z') ?? 0;

export const SIMULATED_TIME_RANGE = 'from 1970-01-02 to 2190-01-01';

/** Returns whether the simulated time can reach an instant. */
export function isSimulatedInstant(instant: Instant): boolean {
  return instant >= FIRST_INSTANT && instant <= LAST_INSTANT;
}
