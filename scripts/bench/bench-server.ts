import { randomBytes } from 'node:crypto';
import { type Connection, type ConnectionOptions, createConnection } from 'mysql2';
import { parseDatabaseUrl } from '../../src/config';
import { MariaDbServer } from '../../test/support/mariadb-server';

// Large enough that neither side waits for a flush of the log. Durability is MariaDB's default, which the tests lower.
const FLAGS = ['--innodb-log-file-size=256M', '--innodb-buffer-pool-size=256M', '--innodb-flush-log-at-trx-commit=1'];

/** A MariaDB server on which a benchmark creates and drops its own databases. */
export interface BenchServer {
  /** A folder for files, removed with the server. Undefined for an external server. */
  readonly folder: string | undefined;
  url(database: string): string;
  remove(): Promise<void>;
}

/**
 * Returns the server at the address, whose own database stays unchanged; without one, starts a private server that ends
 * with the run.
 *
 * @param flags more flags of the private server.
 */
export async function benchServer(url: string | undefined, flags: readonly string[] = []): Promise<BenchServer> {
  if (url !== undefined) {
    return { folder: undefined, url: (name) => url.replace(/\/[^/]*$/, `/${name}`), remove: async () => undefined };
  }
  if (!MariaDbServer.isInstalled()) throw new Error('MariaDB is not installed: install mariadb-server, or give --url');
  const server = await MariaDbServer.create({ flags: [...FLAGS, ...flags] });
  try {
    await server.start();
  } catch (error) {
    await server.remove();
    throw error;
  }
  return { folder: server.folder, url: (name) => server.url(name), remove: () => server.remove() };
}

/** Runs the work on a new, empty database, and then drops it, even after a fault. */
export async function withDatabase<T>(server: BenchServer, work: (url: string) => Promise<T>): Promise<T> {
  const name = `millime_bench_${randomBytes(6).toString('hex')}`;
  const connection = createConnection(connectionOptions(server.url(name), { withDatabase: false }));
  try {
    await run(connection, `create database \`${name}\``);
    try {
      return await work(server.url(name));
    } finally {
      await run(connection, `drop database \`${name}\``);
    }
  } finally {
    connection.end();
  }
}

/** Returns the options with which the program itself connects (src/db/connect.ts). */
export function connectionOptions(
  url: string,
  { withDatabase: isNamed = true }: { readonly withDatabase?: boolean } = {},
): ConnectionOptions {
  const parsed = parseDatabaseUrl(url);
  if (parsed?.kind !== 'mariadb') throw new Error('--url must be the mysql:// address of a MariaDB server');
  const { user, password, database } = parsed;
  return {
    ...parsed.hosts[0],
    user,
    password,
    ...(isNamed ? { database } : {}),
    charset: 'utf8mb4',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
  };
}

/** Opens a connection with the session settings of the program. */
export async function openConnection(url: string): Promise<Connection> {
  const connection = createConnection(connectionOptions(url));
  await run(
    connection,
    "set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,ERROR_FOR_DIVISION_BY_ZERO,NO_ZERO_DATE', " +
      "collation_connection = 'utf8mb4_bin', time_zone = '+00:00'",
  );
  await run(connection, 'set session transaction isolation level read committed');
  return connection;
}

/** Runs one statement and returns its rows. */
export function run(connection: Connection, sql: string, values: unknown[] = []): Promise<unknown> {
  return new Promise((resolve, reject) => {
    connection.query(sql, values, (error, rows) => {
      if (error === null) resolve(rows);
      else reject(error);
    });
  });
}
