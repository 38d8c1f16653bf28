import { type Instant, parseInstant } from '../../kernel';

/** A day after the first one of business dates, and years before the last: local days and plans ahead stay inside. */
const FIRST_INSTANT = parseInstant('1970-01-02T00:00:00Z') ?? 0;
const LAST_INSTANT = parseInstant('2190-01-01T00:00:00Z') ?? 0;

/** For messages. */
export const SIMULATED_TIME_RANGE = 'from 1970-01-02 to 2190-01-01';

/** Whether the simulated time can be at an instant. */
export function isSimulatedInstant(instant: Instant): boolean {
  return instant >= FIRST_INSTANT && instant <= LAST_INSTANT;
}
