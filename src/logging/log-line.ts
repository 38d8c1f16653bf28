import { redact } from './redact';

// Beside what JSON escapes by itself: what a terminal obeys, what other programs take for the end of a line, what turns
// the direction of writing, and what cannot be seen.
const UNSAFE = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

export interface LogRecord {
  readonly timestamp: unknown;
  readonly level: string;
  readonly message: string;
  readonly fields: unknown;
}

/** One line of JSON for a record, redacted, whatever it holds. Reading the line gives the redacted texts back. */
export function logLine({ timestamp, level, message, fields }: LogRecord): string {
  const clean = redact(fields);
  const head = { timestamp, level, message: redact(message) };
  // The head stands first and wins: a field called `level` changes nothing.
  const line = JSON.stringify({ ...head, ...(typeof clean === 'object' ? clean : {}), ...head });
  return line.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
