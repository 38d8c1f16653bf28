import { readFileSync } from 'node:fs';
import { AppError } from './app-error';

/** Milliseconds since 1970 UTC. */
export type Instant = number;

/** The business clock, which decides dates, token expiry and cut-offs. Do not use it for timeouts. */
export interface Clock {
  now(): Instant;
}

/** The length of `2026-03-02T09:00`. */
const MINUTE_CHARACTERS = 16;

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that never goes back or stops: for timeouts and deadlines only. */
export const monotonicClock: Clock = { now: () => performance.now() };

/** A clock that follows a file, and reports when it cannot. */
export interface FileClock extends Clock {
  /** The fault of the file at the last reading; `undefined` when its instant was read. */
  readonly problem: string | undefined;
}

/**
 * Creates the clock of development and tests. It reads the ISO instant in a file at every call, so that a month can be
 * replayed in minutes. It repeats the last readable instant while the file is rewritten.
 */
export function fileClock(path: string): FileClock {
  const first = readInstant(path);
  if (first === undefined) {
    throw new AppError('misconfigured', { field: 'CLOCK_FILE', fault: `${path} holds no ISO instant` });
  }
  let last = first;
  let problem: string | undefined;
  return {
    get problem() {
      return problem;
    },
    now() {
      const read = readInstant(path);
      problem = read === undefined ? `CLOCK_FILE: ${path} holds no ISO instant` : undefined;
      last = read ?? last;
      return last;
    },
  };
}

function readInstant(path: string): Instant | undefined {
  try {
    return parseInstant(readFileSync(path, 'utf8').trim());
  } catch {
    // The file may be between two writes, so the caller repeats the last instant. A missing file is reported by the
    // first read.
    return undefined;
  }
}

/** The business calendar covers 1970 to 2199. One day less on either side is valid in every time zone. */
const FIRST_INSTANT = Date.UTC(1970, 0, 2);
const END_INSTANT = Date.UTC(2199, 11, 31);

/**
 * Reads an ISO 8601 instant with an offset (`2026-03-02T09:00:00.000+01:00`, `…Z`) from 1970 to 2199. Refuses a day or
 * an hour that does not exist, such as 30 February or 24:00.
 */
export function parseInstant(text: string): Instant | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/.test(text)) return undefined;
  const minute = text.slice(0, MINUTE_CHARACTERS);
  const instant = Date.parse(text);
  if (!(instant >= FIRST_INSTANT && instant < END_INSTANT)) return undefined;
  // Date.parse reads 30 February as 2 March, and 24:00 as the next day. Only an existing instant formats to the same
  // text.
  return new Date(Date.parse(`${minute}Z`)).toISOString().startsWith(minute) ? instant : undefined;
}

/** Formats an instant in UTC, as in JSON and logs. */
export function formatInstant(instant: Instant): string {
  return new Date(instant).toISOString();
}
