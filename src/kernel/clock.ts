import { readFileSync } from 'node:fs';
import { AppError } from './app-error';

/** Milliseconds since 1970 UTC. */
export type Instant = number;

/** The business clock, which decides dates, token expiry and cut-offs. Never used for timeouts. */
export interface Clock {
  now(): Instant;
}

/** `2026-03-02T09:00`. */
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
 * The clock of development and tests: reads the ISO instant in a file at every call, so that a month can be replayed
 * in minutes. The last readable instant counts while the file is being rewritten.
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
    // The file may be between two writes; the caller keeps the last instant, and the first read reports the absence.
    return undefined;
  }
}

/**
 * Reads an ISO 8601 instant with an offset (`2026-03-02T09:00:00.000+01:00`, `…Z`). A day or an hour that does not exist,
 * such as 30 February or 24:00, is refused.
 */
export function parseInstant(text: string): Instant | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/.test(text)) return undefined;
  const minute = text.slice(0, MINUTE_CHARACTERS);
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) return undefined;
  // Date.parse reads 30 February as 2 March, and 24:00 as the next day: an existing instant keeps its form.
  return new Date(Date.parse(`${minute}Z`)).toISOString().startsWith(minute) ? instant : undefined;
}

/** Formats the instant in UTC, as JSON and logs show it. */
export function formatInstant(instant: Instant): string {
  return new Date(instant).toISOString();
}
