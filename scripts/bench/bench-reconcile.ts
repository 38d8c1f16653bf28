import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDatabaseUrl } from '../../src/config';
import { type Database, openDatabase } from '../../src/db';
import { counted, millimes } from '../../src/kernel';
import { silentLogger } from '../../src/logging';
import { type BankLine, type Item, type Observation, readMatchFiles } from '../../src/payout-inference';
import { statementBytes } from '../../test/fixtures/statements/statement-bytes';
import { type BenchServer, benchServer, openConnection, run, withDatabase } from './bench-server';
import { makeMatchFiles } from './make-match-files';
import { type MeasuredCommand, measuredCommand } from './measured-command';
import { countRows, plainInserts } from './plain-inserts';
import { putOpenItems } from './put-open-items';

const SEED = 1;
/** `millime reconcile` exits with this code if it found breaks, which is no failure. */
const BREAKS_FOUND = 3;
const OPENING_MILLIMES = 1_000_000;
/** The sender by which the shipped profile recognizes a payout. */
const PAYOUT_TEXT = 'VIR RECU SERVICE DE PAIEMENT SA';
/** The gateway's fee on an item, and the TVA on the fee, if a fee is charged. */
const FEE_PPM = 15_000;
const TVA_PPM = 190_000;
const PPM = 1_000_000;
const MS_PER_SECOND = 1_000;
const BYTES_PER_MEGABYTE = 1_000_000;

export interface ReconcileBenchOptions {
  /** On all days except the last. */
  readonly items: number;
  /** One a day. The run of one further day has all of this as history. */
  readonly credits: number;
  /** A server on which databases may be created and dropped; undefined: a private server. */
  readonly url: string | undefined;
}

export interface ReconcileRound {
  /** Whether each item has a fee, which the run then learns and posts item by item. */
  readonly hasFees: boolean;
  readonly items: number;
  readonly credits: number;
  readonly matched: number;
  /** The first run, with everything open, from the start of the process to its end. */
  readonly firstMs: number;
  readonly firstPeakBytes: number;
  /** The same rows as plain inserts. */
  readonly rows: number;
  readonly plainMs: number;
  /** A run that finds nothing new. */
  readonly againMs: number;
  /** The run of one further day, and its number of items. */
  readonly dayItems: number;
  readonly dayMs: number;
  /** A run of the same day on a database without other days. */
  readonly aloneMs: number;
}

interface Day {
  readonly items: readonly Item[];
  readonly line: BankLine;
}

/**
 * Runs `millime reconcile` on MariaDB as its own process, and inserts its rows again as plain inserts. Returns
 * undefined if a command failed; its output is on stderr.
 */
export async function benchReconcile(
  { items, credits, url }: ReconcileBenchOptions,
  tell: (text: string) => void,
): Promise<readonly ReconcileRound[] | undefined> {
  const server = await benchServer(url);
  const folder = mkdtempSync(join(server.folder ?? tmpdir(), 'millime-bench-'));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder); // after an interrupt nothing below runs
  try {
    const perDay = Math.ceil(items / credits);
    tell(`making ${counted(items, 'item')} and ${counted(credits, 'credit')}, and one day more`);
    const plain = makeDays(folder, items + perDay, credits + 1);
    const rounds: ReconcileRound[] = [];
    for (const hasFees of [false, true]) {
      const world = hasFees ? { ...plain, days: plain.days.map(lessFees) } : plain;
      const runs = await oneRound({ server, folder, world, tell });
      if (runs === undefined) return undefined;
      rounds.push({ hasFees, items, credits, ...runs });
    }
    return rounds;
  } finally {
    removeFolder();
    await server.remove();
  }
}

type Runs = Omit<ReconcileRound, 'hasFees' | 'items' | 'credits'>;

async function oneRound(bench: Bench): Promise<Runs | undefined> {
  const last = bench.world.days.at(-1);
  if (last === undefined) return undefined;
  const runs = await manyDays(bench, bench.world.days.slice(0, -1), last);
  bench.tell('the last day alone');
  const aloneMs = await oneDayAlone(bench, last);
  if (runs === undefined || aloneMs === undefined) return undefined;
  return { ...runs, dayItems: last.items.length, aloneMs };
}

export function reconcileTable(rounds: readonly ReconcileRound[]): string {
  return rounds.map(roundText).join('\n\n');
}

function roundText(round: ReconcileRound): string {
  const seconds = (ms: number): string => (ms / MS_PER_SECOND).toFixed(1).padStart(6);
  const share = (round.firstMs / round.plainMs).toFixed(2);
  return [
    round.hasFees ? 'with a fee of each item' : 'without fees',
    `first run      ${seconds(round.firstMs)} s  ${counted(round.items, 'item')}, ${round.matched} of ${counted(round.credits, 'credit')} matched`,
    `plain inserts  ${seconds(round.plainMs)} s  ${counted(round.rows, 'row')}; the run took ${share} times as long`,
    `run again      ${seconds(round.againMs)} s`,
    `one day more   ${seconds(round.dayMs)} s  ${counted(round.dayItems, 'item')}`,
    `that day alone ${seconds(round.aloneMs)} s`,
    `peak memory    ${Math.round(round.firstPeakBytes / BYTES_PER_MEGABYTE)} MB`,
  ].join('\n');
}

interface World {
  readonly days: readonly Day[];
  readonly observations: readonly Observation[];
}

interface Bench {
  readonly server: BenchServer;
  readonly folder: string;
  readonly world: World;
  readonly tell: (text: string) => void;
}

function makeDays(folder: string, items: number, credits: number): World {
  const paths = makeMatchFiles(folder, { items, credits, seed: SEED });
  const file = (path: string) => ({ name: path, bytes: readFileSync(path) });
  const read = readMatchFiles({
    items: file(paths.items),
    observations: file(paths.observations),
    statement: file(paths.statement),
    fees: undefined,
    holidays: undefined,
  });
  let from = 0;
  const days = read.lines.map((line, index) => {
    const until = Math.floor(((index + 1) * items) / credits);
    const day = { items: read.items.slice(from, until), line };
    from = until;
    return day;
  });
  return { days, observations: read.observations };
}

/** Returns the same day with the fees deducted from its credit. */
function lessFees({ items, line }: Day): Day {
  const share = (amount: number, ppm: number): number => Math.floor((amount * ppm + PPM / 2) / PPM);
  const kept = items.reduce((sum, { amount }) => {
    const fee = share(amount, FEE_PPM);
    return sum + fee + share(fee, TVA_PPM);
  }, 0);
  return { items, line: { ...line, amount: millimes(line.amount - kept) } };
}

async function manyDays(
  bench: Bench,
  days: readonly Day[],
  next: Day,
): Promise<Omit<Runs, 'dayItems' | 'aloneMs'> | undefined> {
  const { server, tell } = bench;
  return withDatabase(server, async (databaseUrl) => {
    tell('filling the books');
    if (!(await fill(bench, databaseUrl, days))) return undefined;
    const newestBefore = await newestTransaction(databaseUrl);
    const before = await countRows(databaseUrl);
    tell('reconciling');
    const first = await reconcile(bench, databaseUrl, days);
    if (first?.peakBytes === undefined) return undefined;
    const after = await countRows(databaseUrl);
    const grown = [...after].filter(([table, rows]) => rows > (before.get(table) ?? 0)).map(([table]) => table);
    tell(`inserting the same rows plainly: ${grown.join(', ')}`);
    const plain = await plainInserts(databaseUrl, grown, {
      ledger_transactions: `id > '${newestBefore}'`,
      postings: `transaction_id > '${newestBefore}'`,
    });
    tell('reconciling again, and one day more');
    const again = await reconcile(bench, databaseUrl, days);
    if (!(await fill(bench, databaseUrl, [next], openingOf(days)))) return undefined;
    const day = await reconcile(bench, databaseUrl, [next]);
    if (again === undefined || day === undefined) return undefined;
    return {
      firstMs: first.tookMs,
      firstPeakBytes: first.peakBytes,
      rows: plain.rows,
      plainMs: plain.tookMs,
      matched: after.get('payout_matches') ?? 0,
      againMs: again.tookMs,
      dayMs: day.tookMs,
    };
  });
}

async function oneDayAlone(bench: Bench, day: Day): Promise<number | undefined> {
  return withDatabase(bench.server, async (databaseUrl) => {
    if (!(await fill(bench, databaseUrl, [day]))) return undefined;
    return (await reconcile(bench, databaseUrl, [day]))?.tookMs;
  });
}

/** Returns the account's balance before the days. */
function openingOf(days: readonly Day[]): number {
  return days.reduce((sum, { line }) => sum + line.amount, OPENING_MILLIMES);
}

async function fill(
  { folder, world }: Bench,
  databaseUrl: string,
  days: readonly Day[],
  opening = OPENING_MILLIMES,
): Promise<boolean> {
  const migrated = await measuredCommand(['migrate'], { databaseUrl, folder });
  if (migrated.exitCode !== 0) return false;
  await withBooks(databaseUrl, (database) =>
    putOpenItems(
      database,
      days.flatMap(({ items }) => items),
      world.observations,
    ),
  );
  const statement = join(folder, 'bank.csv');
  const lines = days.map(
    ({ line }) => [line.bookingDate.split('-').reverse().join('/'), PAYOUT_TEXT, line.amount] as const,
  );
  writeFileSync(statement, statementBytes({ opening, lines }));
  const imported = await measuredCommand(['statements', 'import', statement], { databaseUrl, folder });
  return imported.exitCode === 0;
}

async function reconcile(
  { folder }: Bench,
  databaseUrl: string,
  days: readonly Day[],
): Promise<MeasuredCommand | undefined> {
  const through = days.at(-1)?.line.bookingDate ?? '';
  const done = await measuredCommand(['reconcile', '--through', through], {
    databaseUrl,
    folder,
    accepted: [0, BREAKS_FOUND],
  });
  return done.peakBytes === undefined ? undefined : done;
}

async function withBooks<T>(databaseUrl: string, work: (database: Database) => Promise<T>): Promise<T> {
  const url = parseDatabaseUrl(databaseUrl);
  if (url === undefined) throw new Error('the server gave an address');
  const database = openDatabase(url, silentLogger);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Returns the latest transaction id. Later postings have higher ids. */
async function newestTransaction(databaseUrl: string): Promise<string> {
  const connection = await openConnection(databaseUrl);
  try {
    const [row] = (await run(connection, 'select max(id) as id from ledger_transactions')) as { id: string }[];
    return row?.id ?? '';
  } finally {
    connection.end();
  }
}
