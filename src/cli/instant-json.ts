import { formatInstant, type Instant } from '../kernel';

/** Returns an instant as `--json` prints it; null for undefined. */
export function instantJson(instant: Instant | undefined): string | null {
  return instant === undefined ? null : formatInstant(instant);
}
