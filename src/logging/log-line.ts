import { escapeUnseen } from '../kernel';
import { redact } from './redact';

export interface LogRecord {
  readonly timestamp: unknown;
  readonly level: string;
  readonly message: string;
  readonly fields: unknown;
}

/** Returns one line of redacted JSON for any record. Parsing the line returns the redacted texts. */
export function logLine({ timestamp, level, message, fields }: LogRecord): string {
  const clean = redact(fields);
  const head = { timestamp, level, message: redact(message) };
  // The head comes first in the line and overrides the fields: a field named `level` changes nothing.
  const line = JSON.stringify({ ...head, ...(typeof clean === 'object' ? clean : {}), ...head });
  return escapeUnseen(line);
}
