const REDACTED = '[redacted]';
const DEPTH_MAX = 6;

// Named after what they hold, in any case and with any prefix: `databasePassword`, `x-api-key`.
const SECRET_KEY = /(authorization|password|secret|token|private.?key|api.?key|cookie|signature)$/i;

const SECRET_TEXT: readonly [RegExp, string][] = [
  [/\beyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*/g, REDACTED], // a JWT
  [/\b(Bearer|Api-Key)\s+[^\s"',;]+/gi, `$1 ${REDACTED}`],
  [/\b((?:mysql|mariadb):\/\/[^:@/\s]+):[^@\s]*@/gi, `$1:${REDACTED}@`],
];

/** A copy of a log record without secrets: by the name of a field, and by the look of a text. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) return '[deep]';
  if (value instanceof Error) return redactError(value, depth);
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, SECRET_KEY.test(key) ? REDACTED : redact(item, depth + 1)]),
  );
}

export function redactText(text: string): string {
  return SECRET_TEXT.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text);
}

/** Drivers hang SQL with its values, and configurations, on their errors: only these fields are ever logged. */
function redactError(error: Error, depth: number): unknown {
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  return {
    name: error.name,
    message: redactText(error.message),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof errno === 'number' ? { errno } : {}),
    stack: redactText(error.stack ?? ''),
    ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
  };
}
