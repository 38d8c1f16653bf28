// What grows with the books: their size, and the work that reads all of them.
import { join } from 'node:path';
import { MILLIME, runChild } from './children';
import { numberOf, type ServiceDatabase } from './service-database';
import type { Site } from './site';

const MS_PER_SECOND = 1_000;
const BYTES_PER_MEGABYTE = 1_000_000;
const CONFIRM_TABLES = "'agent_confirmations', 'ledger_transactions', 'postings'";
const SECONDS_DIGITS = 1;

export const SIZE_HEAD = ['', 'confirms', 'MB', 'bytes a confirm'];
export const WHOLE_BOOKS_HEAD = ['', '`ledger verify`', '`ledger export --format csv`', 'a new index'];

/** Returns the cells of SIZE_HEAD: the tables and indexes of a confirm as they are on the disk. */
export async function sizeOf(database: ServiceDatabase): Promise<string[]> {
  const confirms = await numberOf(database, 'select count(*) from agent_confirmations');
  const bytes = await numberOf(
    database,
    database.kind === 'mariadb'
      ? `select sum(file_size) from information_schema.innodb_sys_tablespaces
         where substring_index(name, '/', 1) = database() and substring_index(name, '/', -1) in (${CONFIRM_TABLES})`
      : `select sum(pgsize) from dbstat where name in (select name from sqlite_schema where tbl_name in (${CONFIRM_TABLES}))`,
  );
  return [confirms, bytes / BYTES_PER_MEGABYTE, bytes / confirms].map((value) => String(Math.round(value)));
}

/**
 * Returns the cells of WHOLE_BOOKS_HEAD, in seconds.
 *
 * @throws Error when the books violate an invariant.
 */
export async function timeWholeBooks(site: Site, tell: (text: string) => void): Promise<string[]> {
  const { folder, env } = site;
  const millime = async (...args: readonly string[]): Promise<void> => {
    tell((await runChild(process.execPath, [MILLIME, ...args], { folder, env })).trim());
  };
  const seconds = [
    await secondsOf(() => millime('ledger', 'verify')),
    await secondsOf(() => millime('ledger', 'export', '--format', 'csv', '--output', join(folder, 'ledger.csv'))),
    await secondsOfNewIndex(site),
  ];
  return seconds.map((each) => each.toFixed(SECONDS_DIGITS));
}

/** Creates an index over all rows of a table, as a migration may, and drops it again. Returns how long the former took. */
export async function secondsOfNewIndex({ database }: Site): Promise<number> {
  const seconds = await secondsOf(() =>
    database.rows('create index bench_whole_books on ledger_transactions (code, recorded_at)'),
  );
  await database.rows(`drop index bench_whole_books${database.kind === 'mariadb' ? ' on ledger_transactions' : ''}`);
  return seconds;
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / MS_PER_SECOND;
}
