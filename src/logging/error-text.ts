const VALUE = '[value]';

/** The text that a driver appends after a value: names of keys and columns, and the position. It is useful and safe. */
const TAIL =
  /(?: for (?:key|column) (?:[`'][\w$-]{1,64}[`']|[`'][\w$-]{1,64}[`.\w$-]{1,130}[`'])| at line \d{1,9})(?: at row \d{1,9})?$/;

/** Errors whose quotes contain only names of tables, columns and users. */
const NAMES_ONLY: readonly string[] = [
  'ER_NO_SUCH_TABLE',
  'ER_BAD_FIELD_ERROR',
  'ER_BAD_DB_ERROR',
  'ER_TABLEACCESS_DENIED_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
  'ER_ACCESS_DENIED_ERROR',
];

/**
 * Removes the values from a driver's message. The driver does not escape the quotes around values, so everything from
 * the first quote to the last one counts as a value. Only the name of the key or column at the very end stays.
 */
export function hideValues(message: string): string {
  const tail = TAIL.exec(message)?.[0] ?? '';
  const head = message.slice(0, message.length - tail.length);
  const first = head.search(/['"]/);
  if (first < 0) return message;
  const last = Math.max(head.lastIndexOf("'"), head.lastIndexOf('"'));
  const rest = last === first ? '' : head.slice(last + 1); // after an unclosed quote everything is a value
  return `${head.slice(0, first)}'${VALUE}'${rest}${tail}`;
}

/** Returns whether a database driver created the error or one of its causes, whose text it may repeat. */
export function speaksForDriver(error: object): boolean {
  let link: unknown = error;
  for (let depth = 0; depth < 10 && typeof link === 'object' && link !== null; depth += 1) {
    const { code, sqlState, sqlMessage, cause } = link as Readonly<Record<string, unknown>>;
    if (typeof sqlState === 'string' || typeof sqlMessage === 'string') return true;
    if (typeof code === 'string' && /^(ER|SQLITE)_/.test(code)) return true;
    link = cause;
  }
  return false;
}

/** Returns an error's message without the values that drivers and the runtime quote in it. */
export function cleanMessage(error: object, message: string): string {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && NAMES_ONLY.includes(code)) return message;
  if (speaksForDriver(error)) return hideValues(message);
  const withoutJson = message
    .replace(/Unexpected token [\s\S]* is not valid JSON/, 'the text is not valid JSON')
    .replace(/^([^"]*)"[\s\S]*" is not valid JSON/, '$1the text is not valid JSON');
  return typeof code === 'string' && code.startsWith('ERR_')
    ? withoutJson.replace(/Received [\s\S]*$/, `Received ${VALUE}`)
    : withoutJson;
}
