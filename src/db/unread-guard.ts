const ER_PARSE_ERROR = 1064;
// The names of guards: `row-guards.ts`.
const UNREAD_GUARD = /^(?:Trigger '(\w+)_no_(?:update|delete)'|Unknown trigger) has an error in its body/;
const CHANGED_TABLE = /^(?:insert (?:ignore )?into|update|delete from) `?(\w+)/gm;

/**
 * Returns the tables whose guards a server may not have read when it opened them; none for any other error. The guard may
 * have no name in the error; then it is a guard of a table that the statement changes.
 *
 * A member of a cluster that aborts a transaction for a conflict while it reads the guards keeps that copy of the opened
 * table. Every statement that happens to change rows through it fails until the table is opened anew (MariaDB 10.11).
 */
export function tablesWithUnreadGuard(error: unknown): readonly string[] {
  const { errno, sqlMessage, sql } = (error ?? {}) as Readonly<Record<string, unknown>>;
  const unread = errno === ER_PARSE_ERROR ? UNREAD_GUARD.exec(String(sqlMessage)) : null;
  if (unread === null) return [];
  const [, table] = unread;
  if (table !== undefined) return [table];
  return [...new Set(Array.from(String(sql).matchAll(CHANGED_TABLE), ([, changed = '']) => changed))];
}

/**
 * The statement that makes a server open a table anew. Unlike FLUSH TABLES it needs no right but SELECT and INSERT. InnoDB
 * repairs nothing, the other members of a cluster do not see it, and it waits for no transaction longer than a second.
 */
export function reopenStatement(table: string): string {
  return `set statement lock_wait_timeout = 1 for repair no_write_to_binlog table ${table}`;
}
