import { readFileSync } from 'node:fs';
import { AppError } from './app-error';

/** Milliseconds since 1970 UTC. */
export type Instant = number;

/** The business clock: what it says decides dates, token expiry and cut-offs. Never used for time-outs. */
export interface Clock {
  now(): Instant;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that never goes back and stands still for nobody: for time-outs and deadlines only. */
export const monotonicClock: Clock = { now: () => performance.now() };

/**
 * The clock of development and tests: reads the ISO instant in a file at every call, so that a month can be replayed
 * in minutes. The last good instant is kept while the file is being rewritten.
 */
export function fileClock(path: string): Clock {
  let last = readInstant(path);
  if (last === undefined) throw new AppError('misconfigured', `CLOCK_FILE: ${path} holds no ISO instant`);
  return {
    now() {
      last = readInstant(path) ?? last;
      return last as Instant;
    },
  };
}

function readInstant(path: string): Instant | undefined {
  try {
    return parseInstant(readFileSync(path, 'utf8').trim());
  } catch {
    // The file may be between two writes; the caller keeps the last instant, and the first read reports the absence.
    return undefined;
  }
}

/** Reads an ISO 8601 instant with an offset (`2026-03-02T09:00:00.000+01:00`, `…Z`). */
export function parseInstant(text: string): Instant | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/.test(text)) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}

/** The instant in UTC, as JSON and logs show it. */
export function formatInstant(instant: Instant): string {
  return new Date(instant).toISOString();
}
