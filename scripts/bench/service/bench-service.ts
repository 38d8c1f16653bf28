import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { counted } from '../../../src/kernel';
import { type BenchServer, benchServer } from '../bench-server';
import { requireWrk } from './measure';
import { QUESTIONS } from './questions';
import type { ServiceArguments } from './service-arguments';
import type { DatabaseKind, ServiceDatabase } from './service-database';
import { createSite } from './site';

/** Holds the pages of the agents in books of 10 million postings; the books are larger. */
const FLAGS = ['--innodb-buffer-pool-size=6G'];
const TMPFS_MAGIC = 0x01021994;

/**
 * Measures checks and confirms of the compiled program under load, on private databases. Prints each table as soon as it
 * is measured.
 *
 * @throws Error when wrk or MariaDB is not installed, a server does not answer, or filled books violate an invariant.
 */
export async function benchService(
  options: ServiceArguments,
  tell: (text: string) => void,
  print: (text: string) => void,
): Promise<void> {
  requireWrk();
  // The tests keep their databases in memory. Here a commit must wait for a disk.
  process.env['TMPDIR'] = tmpdir();
  for (const kind of options.databases) {
    const server = kind === 'mariadb' ? await benchServer(undefined, FLAGS) : undefined;
    const folder = mkdtempSync(join(server?.folder ?? tmpdir(), 'millime-bench-'));
    const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
    process.once('exit', removeFolder); // after an interrupt nothing below runs
    try {
      await measureOn(server, folder, options, tell, print);
    } finally {
      removeFolder();
      await server?.remove();
    }
  }
}

async function measureOn(
  server: BenchServer | undefined,
  folder: string,
  { agents, parts, ...options }: ServiceArguments,
  tell: (text: string) => void,
  print: (text: string) => void,
): Promise<void> {
  const kind: DatabaseKind = server === undefined ? 'sqlite' : 'mariadb';
  tell(`creating a database on ${kind} with ${counted(agents, 'agent')}`);
  const site = await createSite({ folder, name: 'empty', server, agents, postings: 0 });
  try {
    print(`## ${await describe(site.database, folder)}\n`);
    for (const part of parts) {
      const answers = await QUESTIONS[part]({ ...options, site, server, folder, tell });
      for (const { heading, table } of answers) print(`### ${heading}\n\n${table}\n`);
    }
  } finally {
    site.database.close();
  }
}

/** Returns what the figures depend on. */
async function describe(database: ServiceDatabase, folder: string): Promise<string> {
  const place = statfsSync(folder).type === TMPFS_MAGIC ? 'in memory: commits wait for no disk' : 'on a disk';
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores, data ${place}`;
  if (database.kind === 'sqlite') {
    const [row] = await database.rows('select sqlite_version() as version');
    return `SQLite ${String(row?.['version'])}, synchronous=FULL, ${machine}`;
  }
  const [row] = await database.rows('select @@version as version, @@innodb_flush_log_at_trx_commit as flush');
  return `MariaDB ${String(row?.['version'])}, innodb_flush_log_at_trx_commit=${String(row?.['flush'])}, ${machine}`;
}
