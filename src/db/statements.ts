import { assert, pagesOf } from '../kernel';
import type { RawConnection } from './raw';
import type { Row } from './raw';
import type { QuestionLock } from './row-lock';

type Value = string | number | bigint | boolean | Buffer | null | undefined;

/**
 * A SELECT with a constant text, and how its rows are read. For reads that many requests repeat: nothing is built per
 * request, and several questions take one round trip.
 */
export interface Question<Answer> {
  /** `?` stands for a value and `(?)` for a list of values. */
  readonly sql: string;
  readonly values: readonly (Value | readonly Value[])[];
  /** Locks the rows until the transaction ends. SQLite has one writer at a time and needs no row lock. */
  readonly lock?: QuestionLock | undefined;
  readonly read: (rows: readonly Row[]) => Answer;
}

/** New rows of one table. They all have the columns of the first one. */
export interface NewRows {
  readonly table: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /**
   * What happens to a row whose key is taken: the new number is added to that of the column `add`; without `add` the
   * stored row stays. On a server the stored row is locked in both cases. Undefined: the insert fails.
   */
  readonly whenTaken?: { readonly key: string; readonly add?: string };
}

/**
 * The number of rows or keys in one statement: for up to thirty columns far below SQLite's variable limit and a
 * server's packet.
 */
export const ROWS_PER_STATEMENT = 500;

const LOCKS: Readonly<Record<QuestionLock, string>> = {
  update: ' for update',
  update_if_free: ' for update skip locked',
  share: ' lock in share mode',
};

/** Returns whether a question must be asked. No row has a key in an empty list. */
export function mayHaveRows({ values }: Question<unknown>): boolean {
  return !values.some((value) => Array.isArray(value) && value.length === 0);
}

/** Writes a question for the server. */
export function questionText(connection: RawConnection, { sql, values, lock }: Question<unknown>): string {
  const parts = sql.split('?');
  assert(parts.length === values.length + 1, 'every place of a statement has its value');
  let text = parts[0] ?? '';
  for (const [index, value] of values.entries()) text += escaped(connection, value) + (parts[index + 1] ?? '');
  return lock === undefined ? text : text + LOCKS[lock];
}

/** Writes inserts for the server, one text for each page of rows. */
export function insertTexts(connection: RawConnection, { table, rows, whenTaken }: NewRows): string[] {
  const columns = Object.keys(rows[0] ?? {});
  const head = `insert into ${named(table)} (${columns.map(named).join(', ')}) values `;
  return Array.from(pagesOf(rows, ROWS_PER_STATEMENT), (page) => {
    const values = page.map((row) => columns.map((column) => row[column]));
    return head + escaped(connection, values) + taken(whenTaken);
  });

  function taken(rule: NewRows['whenTaken']): string {
    if (rule === undefined) return '';
    const column = named(rule.add ?? rule.key);
    const change = rule.add === undefined ? '' : ` + values(${column})`;
    return ` on duplicate key update ${column} = ${column}${change}`;
  }
}

/** Asks an embedded database. Its list is one JSON value, so that the text is the same for every length. */
export function askFile(connection: RawConnection, { sql, values }: Question<unknown>): Row[] {
  const given = values.map((value) => (Array.isArray(value) ? JSON.stringify(value) : bound(value)));
  return prepared(connection, sql.replaceAll('(?)', '(select value from json_each(?))')).all(...given) as Row[];
}

/** Inserts into an embedded database, row by row: a call costs no round trip there. */
export function insertIntoFile(connection: RawConnection, { table, rows, whenTaken }: NewRows): void {
  const columns = Object.keys(rows[0] ?? {});
  const places = columns.map(() => '?').join(', ');
  const insert = prepared(
    connection,
    `insert into ${named(table)} (${columns.map(named).join(', ')}) values (${places})${taken(whenTaken)}`,
  );
  for (const row of rows) insert.run(...columns.map((column) => bound(row[column])));

  function taken(rule: NewRows['whenTaken']): string {
    if (rule === undefined) return '';
    const conflict = ` on conflict (${named(rule.key)}) do `;
    if (rule.add === undefined) return `${conflict}nothing`;
    return `${conflict}update set ${named(rule.add)} = ${named(rule.add)} + excluded.${named(rule.add)}`;
  }
}

/** Writes values into a text. The driver's own function for that searches the whole text for their places. */
function escaped(connection: RawConnection, value: unknown): string {
  assert(connection.escape !== undefined, 'the driver of a server writes values');
  return connection.escape(value);
}

/** Table and column names are constants of the source. */
function named(name: string): string {
  return `\`${name}\``;
}

function bound(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : (value ?? null);
}

interface Prepared {
  all(...values: readonly unknown[]): unknown[];
  run(...values: readonly unknown[]): unknown;
}

const preparedOf = new WeakMap<RawConnection, Map<string, Prepared>>();

/** Returns the statement of a constant text on an embedded database, prepared once for each connection. */
export function prepared(connection: RawConnection, sql: string): Prepared {
  const known = preparedOf.get(connection) ?? new Map<string, Prepared>();
  preparedOf.set(connection, known);
  const found = known.get(sql);
  if (found !== undefined) return found;
  assert(connection.prepare !== undefined, 'the driver of a file prepares statements');
  const statement = connection.prepare(sql) as Prepared;
  known.set(sql, statement);
  return statement;
}
