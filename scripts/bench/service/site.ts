import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchServer } from '../bench-server';
import { createPlainTables, fillBooks, putAgents } from './books';
import { MILLIME, runChild } from './children';
import { createMariaDb, openSqlite, type ServiceDatabase } from './service-database';

/** A database with agents, and everything that a server on it needs. */
export interface Site {
  readonly database: ServiceDatabase;
  /** The working directory of its servers, with their logs. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** A token of the gateway. */
  readonly token: string;
  readonly agents: number;
}

export interface SiteOptions {
  readonly folder: string;
  /** Of letters and digits: of the database, and of a folder of its own in the folder. */
  readonly name: string;
  /** The server for a MariaDB database; undefined: an SQLite file. */
  readonly server: BenchServer | undefined;
  readonly agents: number;
  /** The number of confirms in the books before the load. */
  readonly postings: number;
}

/** Creates a database with the compiled program, fills it, and mints a token. */
export async function createSite({ folder, name, server, agents, postings }: SiteOptions): Promise<Site> {
  const place = join(folder, name);
  mkdirSync(place);
  const file = join(place, 'millime.sqlite3');
  const created = server === undefined ? undefined : await createMariaDb(server, `millime_bench_${name}`);
  const env = {
    DATABASE_URL: created?.url ?? `sqlite:${file}`,
    SERVICE_JWT_KEYS_FILE: join(place, 'service-jwt-keys.json'),
  };
  await runChild(process.execPath, [MILLIME, 'migrate'], { folder: place, env });
  const database = created ?? openSqlite(file);
  await putAgents(database, agents);
  await fillBooks(database, agents, postings);
  await createPlainTables(database);
  const minted = await runChild(process.execPath, [MILLIME, 'token', 'mint', '--json'], {
    folder: place,
    env: { ...env, NODE_ENV: 'development' }, // production creates no keys
  });
  const { token } = JSON.parse(minted) as { token: string };
  return { database, folder: place, env, token, agents };
}
