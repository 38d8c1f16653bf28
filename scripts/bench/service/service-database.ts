import { sqliteDriver } from '../../../src/db';
import { type BenchServer, openConnection, run } from '../bench-server';
import { addFunctions } from './sqlite-functions';

export type DatabaseKind = 'mariadb' | 'sqlite';

type Row = Readonly<Record<string, unknown>>;

/** A database to measure, and a connection to it for filling and counting. */
export interface ServiceDatabase {
  readonly kind: DatabaseKind;
  readonly url: string;
  /** Runs one statement. Returns its rows; none if it returns none. */
  rows(sql: string): Promise<readonly Row[]>;
  close(): void;
}

/** Creates an empty database on the server. Its default character set holds for the tables of the plain app. */
export async function createMariaDb(server: BenchServer, name: string): Promise<ServiceDatabase> {
  const creating = await openConnection(server.url('mysql'));
  await run(creating, `create database \`${name}\` character set utf8mb4 collate utf8mb4_bin`);
  creating.destroy();
  return openMariaDb(server.url(name));
}

/** Opens a database that exists. */
export async function openMariaDb(url: string): Promise<ServiceDatabase> {
  const connection = await openConnection(url);
  await run(connection, "set session sql_mode = concat(@@sql_mode, ',PIPES_AS_CONCAT')");
  return {
    kind: 'mariadb',
    url,
    rows: async (sql) => {
      const rows = await run(connection, sql);
      return Array.isArray(rows) ? (rows as Row[]) : [];
    },
    close: () => connection.destroy(),
  };
}

/** Opens the file of an embedded database. The program must have created it, because only its owner may read it. */
export function openSqlite(file: string): ServiceDatabase {
  const connection = new (sqliteDriver())(file);
  connection.pragma('synchronous = NORMAL'); // of the filling alone
  connection.pragma('cache_size = -400000'); // KiB
  addFunctions(connection);
  return {
    kind: 'sqlite',
    url: `sqlite:${file}`,
    rows: async (sql) => {
      const statement = connection.prepare(sql);
      if (statement.reader) return statement.all() as Row[];
      statement.run();
      return [];
    },
    close: () => connection.close(),
  };
}

/** Returns the first column of the first row as a number. */
export async function numberOf(database: ServiceDatabase, sql: string): Promise<number> {
  const [row = {}] = await database.rows(sql);
  return Number(Object.values(row)[0]);
}
