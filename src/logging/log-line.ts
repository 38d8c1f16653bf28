import { escapeUnseen } from '../kernel';
import { redact } from './redact';

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
  return escapeUnseen(line);
}
