// The upper limit of the database: inserts the rows of an import again, as plain inserts.
import type { Connection } from 'mysql2';
import { openConnection, run } from './bench-server';

const ROWS_PER_INSERT = 500;
/** An insert must stay below max_allowed_packet, whatever its rows contain. */
const BYTES_PER_INSERT_MAX = 4 * 1024 * 1024;
const ROWS_PER_TRANSACTION = 5_000;
const COPY_PREFIX = 'plain_';
const KNEX_TABLE = /^schema_migrations(_lock)?$/;
/** The approximate length of a number or an instant in an insert. */
const SMALL_VALUE_BYTES = 20;

export interface PlainRun {
  readonly rows: number;
  /** The time of the inserts and their commits, without reading the rows. */
  readonly tookMs: number;
}

type Values = readonly unknown[];

/** Returns the number of rows of each table. */
export async function countRows(url: string): Promise<ReadonlyMap<string, number>> {
  const connection = await openConnection(url);
  try {
    const tables = (await run(
      connection,
      `select table_name as name from information_schema.tables where table_schema = database()
       and table_type = 'BASE TABLE' order by table_name`,
    )) as { name: string }[];
    const counts = new Map<string, number>();
    for (const { name } of tables.filter((table) => !KNEX_TABLE.test(table.name))) {
      const [row] = (await run(connection, `select count(*) as count from \`${name}\``)) as { count: number }[];
      counts.set(name, row?.count ?? 0);
    }
    return counts;
  } finally {
    connection.end();
  }
}

/**
 * Inserts the rows of each table into an empty copy of it, with its indexes, one table after the other.
 * @param only the rows of a table, as SQL; all rows by default.
 */
export async function plainInserts(
  url: string,
  tables: readonly string[],
  only: Readonly<Record<string, string>> = {},
): Promise<PlainRun> {
  const [reader, writer] = [await openConnection(url), await openConnection(url)];
  try {
    let all: PlainRun = { rows: 0, tookMs: 0 };
    for (const table of tables) {
      const { rows, tookMs } = await insertTable(reader, writer, table, only[table] ?? 'true');
      all = { rows: all.rows + rows, tookMs: all.tookMs + tookMs };
    }
    return all;
  } finally {
    reader.destroy(); // the only way to end a select that was not read to its end
    writer.destroy();
  }
}

async function insertTable(reader: Connection, writer: Connection, table: string, only: string): Promise<PlainRun> {
  const copy = `${COPY_PREFIX}${table}`;
  await run(writer, `create table \`${copy}\` like \`${table}\``);
  const columns = await storedColumns(writer, table);
  const names = columns.map((name) => `\`${name}\``).join(', ');
  const insert = `insert into \`${copy}\` (${names}) values ?`;
  let done: PlainRun = { rows: 0, tookMs: 0 };
  let waiting: Values[] = [];
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const startedAt = performance.now();
    await run(writer, 'start transaction');
    for (const batch of batchesOf(waiting)) await run(writer, insert, [batch]);
    await run(writer, 'commit');
    done = { rows: done.rows + waiting.length, tookMs: done.tookMs + performance.now() - startedAt };
    waiting = [];
  };
  let bytes = 0;
  for await (const row of rowsOf(reader, `select ${names} from \`${table}\` where ${only}`)) {
    waiting.push(row);
    bytes += sizeOf(row);
    // Large rows, such as the pieces of the file, are not collected by the thousand.
    if (waiting.length < ROWS_PER_TRANSACTION && bytes < ROWS_PER_TRANSACTION * 4_096) continue;
    await flush();
    bytes = 0;
  }
  await flush();
  return done;
}

/** Returns the columns that an insert may name. The database computes the others. */
async function storedColumns(connection: Connection, table: string): Promise<string[]> {
  const columns = (await run(
    connection,
    `select column_name as name from information_schema.columns where table_schema = database() and table_name = ?
     and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  )) as { name: string }[];
  return columns.map(({ name }) => name);
}

function rowsOf(connection: Connection, sql: string): AsyncIterable<Values> {
  return connection.query({ sql, rowsAsArray: true }).stream({ highWaterMark: ROWS_PER_INSERT });
}

function* batchesOf(rows: readonly Values[]): Generator<Values[]> {
  let batch: Values[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = sizeOf(row);
    if (batch.length === ROWS_PER_INSERT || (batch.length > 0 && bytes + size > BYTES_PER_INSERT_MAX)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(row);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** Bytes are written as two digits each. */
function sizeOf(row: Values): number {
  return row.reduce<number>((sum, value) => {
    if (typeof value === 'string') return sum + 2 * value.length;
    return sum + (Buffer.isBuffer(value) ? 2 * value.length : SMALL_VALUE_BYTES);
  }, 0);
}
