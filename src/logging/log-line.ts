import { escapeUnseen, isJsonObject } from '../kernel';
import { redact } from './redact';

export interface LogRecord {
  readonly timestamp: unknown;
  readonly level: string;
  readonly message: string;
  readonly fields: unknown;
}

/** Returns one line of redacted JSON for any record. Parsing the line returns the redacted texts. */
export function logLine({ timestamp, level, message, fields }: LogRecord): string {
  const head = { timestamp, level, message: redact(message) };
  const clean = redact(fields);
  const line = JSON.stringify(head);
  if (!isJsonObject(clean)) return escapeUnseen(line);
  // The head comes first in the line and overrides the fields: a field named `level` changes nothing.
  const others = Object.keys(clean).some((name) => Object.hasOwn(head, name)) ? withoutNamesOf(head, clean) : clean;
  const rest = JSON.stringify(others);
  // Joined as text, because one object of both takes several times as long to create.
  return escapeUnseen(rest === '{}' ? line : `${line.slice(0, -1)},${rest.slice(1)}`);
}

function withoutNamesOf(head: object, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(head, name)));
}
