import { escapeUnseen, isJsonObject } from '../kernel';
import type { LogLevel } from './logger';
import { redact } from './redact';

export interface LogRecord {
  /** An instant as `formatInstant` writes it. */
  readonly timestamp: string;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: unknown;
}

const HEAD: readonly string[] = ['timestamp', 'level', 'message'] satisfies (keyof LogRecord)[];

/** Returns one line of redacted JSON for any record. Parsing the line returns the redacted texts. */
export function logLine({ timestamp, level, message, fields }: LogRecord): string {
  const clean = redact(fields);
  // Joined as text, because one object of head and fields takes several times as long to create.
  const head = `{"timestamp":"${timestamp}","level":"${level}","message":${JSON.stringify(redact(message))}`;
  const rest = isJsonObject(clean) ? JSON.stringify(withoutHead(clean)) : '{}';
  return escapeUnseen(rest === '{}' ? `${head}}` : `${head},${rest.slice(1)}`);
}

/** The head comes first in the line and overrides the fields: a field named `level` changes nothing. */
function withoutHead(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!HEAD.some((name) => Object.hasOwn(fields, name))) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !HEAD.includes(name)));
}
