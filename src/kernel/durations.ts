export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Returns the pause after so many failures in a row: `firstMs`, then twice as long each time, at most `maxMs`. Pure. */
export function doubledPauseMs(firstMs: number, failures: number, maxMs: number): number {
  return Math.min(firstMs * 2 ** (failures - 1), maxMs);
}
