import { formatInstant, type Instant } from '../kernel';

/** An instant as `--json` shows it; null when there is none. */
export function instantJson(instant: Instant | undefined): string | null {
  return instant === undefined ? null : formatInstant(instant);
}
