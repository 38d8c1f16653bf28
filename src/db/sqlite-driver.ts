import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import { AppError } from '../kernel';

const requireHere = createRequire(__filename);

/** The first version of Node-API for which the binaries of version 13 are built; Node has it from 22.14 on. */
const NODE_API_MIN = 10;

/**
 * Returns SQLite's driver: version 13, or 12 where Node cannot load it (ADR 41).
 *
 * @throws AppError `misconfigured` if it is not installed.
 */
export function sqliteDriver(): typeof BetterSqlite3 {
  const name = Number(process.versions['napi']) >= NODE_API_MIN ? 'better-sqlite3' : 'better-sqlite3-12';
  try {
    return requireHere(name) as typeof BetterSqlite3;
  } catch (error) {
    const fault = `the driver of SQLite is not installed (${name})`;
    const command =
      'run "npm ci" on Node 22.14 or newer, or with g++, make and python3 on an older one; or name a MariaDB server';
    throw new AppError('misconfigured', { field: 'DATABASE_URL', fault, command }, { cause: error });
  }
}
