import type { Dialect } from './session';

/** Returns the SQL of a prefix and the text of a column behind it, such as `line:` and a line's id. */
export function prefixedInSql(dialect: Dialect, prefix: string, column: string): string {
  return dialect === 'sqlite' ? `('${prefix}' || ${column})` : `concat('${prefix}', ${column})`;
}
