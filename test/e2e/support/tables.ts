import { createHash } from 'node:crypto';
import { sqliteDriver } from '../../../src/db';
import { rawConnection } from '../../support/db';

export type Row = Readonly<Record<string, unknown>>;

/** Reads a database past the program, with the driver alone. */
export async function selectRows(url: string, sql: string): Promise<Row[]> {
  if (url.startsWith('sqlite:')) {
    const db = new (sqliteDriver())(url.slice('sqlite:'.length), { timeout: 5_000 });
    try {
      return db.prepare(sql).all() as Row[];
    } finally {
      db.close();
    }
  }
  const connection = await rawConnection(url);
  try {
    const [rows] = await connection.query(sql);
    return rows as Row[];
  } finally {
    await connection.end();
  }
}

/** Changes a database past the program, as somebody with the database's password could. */
export async function changeRows(url: string, sql: string): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const db = new (sqliteDriver())(url.slice('sqlite:'.length), { timeout: 5_000 });
    try {
      db.exec(sql);
    } finally {
      db.close();
    }
    return;
  }
  const connection = await rawConnection(url);
  try {
    await connection.query(sql);
  } finally {
    await connection.end();
  }
}

export async function countRows(url: string, table: string, where = '1 = 1'): Promise<number> {
  const [row] = await selectRows(url, `select count(*) as n from ${table} where ${where}`);
  return Number(row?.['n']);
}

/** Each table with the number of its rows and a digest of all they hold: equal when nothing at all has changed. */
export async function contentsOf(url: string): Promise<Record<string, string>> {
  const names = url.startsWith('sqlite:')
    ? await selectRows(url, "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    : await selectRows(
        url,
        "select table_name as name from information_schema.tables where table_schema = database() and table_type = 'BASE TABLE'",
      );
  const contents: Record<string, string> = {};
  for (const name of names.map((row) => String(row['name'])).sort()) {
    if (name === 'exclusive_turns') continue; // whose turn it was is no fact that a repetition must leave alone
    const rows = (await selectRows(url, `select * from ${name}`)).map((row) => JSON.stringify(row)).sort();
    contents[name] = `${rows.length} rows, ${createHash('sha256').update(rows.join('\n')).digest('hex')}`;
  }
  return contents;
}
