import { SECOND_MS } from '../kernel';

const SECONDS_PER_MINUTE = 60;
const MINUTES_PER_HOUR = 60;

/** Formats a waiting time for people, rounded up. */
export function formatWait(waitMs: number): string {
  const seconds = Math.ceil(waitMs / SECOND_MS);
  if (seconds < 2 * SECONDS_PER_MINUTE) return `${seconds} s`;
  const minutes = Math.ceil(seconds / SECONDS_PER_MINUTE);
  if (minutes < 2 * MINUTES_PER_HOUR) return `${minutes} min`;
  return `${Math.ceil(minutes / MINUTES_PER_HOUR)} h`;
}
