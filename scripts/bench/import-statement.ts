import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchServer, benchServer, withDatabase } from './bench-server';
import { type BenchCurrency, makeCamt053 } from './make-camt053';
import { measuredCommand } from './measured-command';
import { countRows, plainInserts } from './plain-inserts';

/** One import alone is subject to chance. The two ways of writing alternate, so that a slow machine affects both. */
const ROUNDS = 2;
const BYTES_PER_MEGABYTE = 1_000_000;

export interface StatementBenchOptions {
  readonly megabytes: number;
  readonly currency: BenchCurrency;
  /** A server on which databases may be created and dropped; undefined: a private server. */
  readonly url: string | undefined;
}

/** The measurements of one round. All of them use the same file and the same rows. */
export interface StatementRound {
  readonly fileBytes: number;
  /** In all tables to which the import adds. */
  readonly rows: number;
  readonly importMs: number;
  readonly plainMs: number;
  readonly peakBytes: number;
}

/**
 * Imports a large camt.053 into a new database, with the compiled program as its own process. Then inserts the same
 * rows as plain inserts. Returns undefined if an import failed; its output is on stderr.
 */
export async function benchStatements(
  options: StatementBenchOptions,
  tell: (text: string) => void,
): Promise<readonly StatementRound[] | undefined> {
  const server = await benchServer(options.url);
  const folder = mkdtempSync(join(server.folder ?? tmpdir(), 'millime-bench-'));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder); // after an interrupt nothing below runs
  try {
    const rounds: StatementRound[] = [];
    for (let seed = 1; seed <= ROUNDS; seed += 1) {
      const round = await oneRound({ ...options, server, folder, seed }, tell);
      if (round === undefined) return undefined;
      rounds.push(round);
    }
    return rounds;
  } finally {
    removeFolder();
    await server.remove();
  }
}

interface RoundOptions extends StatementBenchOptions {
  readonly server: BenchServer;
  readonly folder: string;
  readonly seed: number;
}

async function oneRound(
  { megabytes, currency, server, folder, seed }: RoundOptions,
  tell: (text: string) => void,
): Promise<StatementRound | undefined> {
  const file = join(folder, `statement-${seed}.xml`);
  const { entries } = await makeCamt053(file, { bytes: megabytes * BYTES_PER_MEGABYTE, currency, seed });
  tell(`round ${seed} of ${ROUNDS}: a camt.053 with ${entries} entries in ${currency}`);
  return withDatabase(server, async (databaseUrl) => {
    const migrated = await measuredCommand(['migrate'], { databaseUrl, folder });
    if (migrated.exitCode !== 0) return undefined;
    const before = await countRows(databaseUrl);
    tell('importing');
    const imported = await measuredCommand(['statements', 'import', file], { databaseUrl, folder });
    if (imported.peakBytes === undefined) return undefined;
    const after = await countRows(databaseUrl);
    const grown = [...after].filter(([table, rows]) => rows > (before.get(table) ?? 0)).map(([table]) => table);
    tell(`inserting the same rows plainly: ${grown.join(', ')}`);
    const plain = await plainInserts(databaseUrl, grown);
    return {
      fileBytes: statSync(file).size,
      rows: plain.rows,
      importMs: imported.tookMs,
      plainMs: plain.tookMs,
      peakBytes: imported.peakBytes,
    };
  });
}
