import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose, type Millime } from '../../../src/compose';
import { loadConfig } from '../../../src/config';
import { PAGES } from '../../../src/console';
import { type Role, ROLES } from '../../../src/identity';
import { counted, formatInstant } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { idText } from '../api/book-sql';
import { type BooksSize, fillBooks } from '../api/fill-books';
import { onLocalServer } from '../api/local-server';
import { atShare, rowsReadBy, timesOf } from '../api/rows-read';
import { benchServer, withDatabase } from '../bench-server';
import { numberOf, openMariaDb, openSqlite, type ServiceDatabase } from '../service/service-database';
import { fillDesk } from './fill-desk';
import { PAGE_CASES, type PageCase } from './page-cases';
import { signIn, type Visitor } from './visitors';

/** A measured page: its times, the size of the answer, and the rows that the database read. */
export interface MeasuredPage {
  readonly page: PageCase;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly bytes: number;
  /** Undefined on SQLite, which counts no rows. */
  readonly rowsRead: number | undefined;
  /** The rows that may be read, with the open breaks of the database. */
  readonly rowsMax: number;
}

export interface PagesOptions {
  readonly size: BooksSize;
  /** The number of times that each page is asked for its times. */
  readonly repeats: number;
  readonly report: (text: string) => void;
}

/** The morning after the filled year. */
const NOW = Date.UTC(2026, 2, 2, 7);
/** A role that only looks up agents may do so 30 times a minute. */
const LOOK_UP_PAUSE_MS = 10_000;
const PASSWORD_COST = 4;
const WAITING = 40;

/**
 * Asks for every page of the console and counts the rows that the database reads for it. Fills a database without
 * books, and keeps it.
 *
 * @throws Error if the list of pages has one without a bound.
 */
export async function benchPages(url: string, { size, repeats, report }: PagesOptions): Promise<MeasuredPage[]> {
  requireEveryPage();
  const folder = mkdtempSync(join(tmpdir(), 'millime-pages-'));
  const clockFile = join(folder, 'clock');
  let now = NOW;
  const advance = (): void => writeFileSync(clockFile, formatInstant((now += LOOK_UP_PAUSE_MS)));
  advance();
  const environment = { DATABASE_URL: url, CLOCK_FILE: clockFile, API_REQUESTS_PER_MINUTE: '9999999' };
  const limits = { API_UPLOADS_PER_ACTOR: '1000,1000', API_UPLOADS_TOTAL: '1000,1000' };
  const millime = compose(loadConfig({ ...environment, ...limits }), silentLogger, { passwordCost: PASSWORD_COST });
  let database: ServiceDatabase | undefined;
  try {
    await millime.migrate();
    database = await openDatabaseAt(url);
    await fillOnce(millime, database, size, report);
    return await askAll(millime, database, { repeats, report, advance });
  } finally {
    database?.close();
    await millime.close();
    rmSync(folder, { recursive: true });
  }
}

/** Does the same on a private MariaDB server, which ends with the run. */
export async function benchNewPages(options: PagesOptions): Promise<MeasuredPage[]> {
  const server = await benchServer(undefined, ['--innodb-buffer-pool-size=2G']);
  try {
    return await withDatabase(server, (url) => benchPages(url, options));
  } finally {
    await server.remove();
  }
}

function openDatabaseAt(url: string): Promise<ServiceDatabase> {
  const file = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined;
  return file === undefined ? openMariaDb(url) : Promise.resolve(openSqlite(file));
}

/** Returns the pages of the console without a bound. */
export function pagesWithoutBound(): readonly string[] {
  return PAGES.map(({ path }) => path).filter((path) => !PAGE_CASES.some(({ page }) => page === path));
}

function requireEveryPage(): void {
  const missing = pagesWithoutBound();
  if (missing.length > 0) throw new Error(`page-cases.ts has no bound of ${missing.join(', ')}`);
}

async function fillOnce(
  millime: Millime,
  database: ServiceDatabase,
  size: BooksSize,
  report: PagesOptions['report'],
): Promise<void> {
  // Filled last.
  if ((await numberOf(database, 'select count(*) from api_keys')) > 0) return;
  report(`filling ${counted(size.agents, 'agent')} and ${counted(size.payments, 'payment')}`);
  await fillBooks(millime, database, size);
  await fillDesk(database, size);
}

async function askAll(
  millime: Millime,
  database: ServiceDatabase,
  { repeats, report, advance }: Omit<PagesOptions, 'size'> & { readonly advance: () => void },
): Promise<MeasuredPage[]> {
  return onLocalServer(millime, async (baseUrl) => {
    // The clock of each run begins at the same time, so a kept database would count the tries of all runs.
    await database.rows('delete from sign_in_tries');
    const visitors = new Map<Role, Visitor>();
    for (const role of ROLES) visitors.set(role, await signIn(millime, baseUrl, role));
    const ofRole = (role: Role): Visitor => {
      const visitor = visitors.get(role);
      if (visitor === undefined) throw new Error(`no visitor has the role ${role}`);
      return visitor;
    };
    const names = await makeSubjects(millime, database, ofRole('finance'));
    const openBreaks = await numberOf(database, "select count(*) from recon_breaks where status <> 'resolved'");
    const measured: MeasuredPage[] = [];
    for (const page of PAGE_CASES) {
      const address = page.address.replace(/\{(\w+)\}/g, (_whole, name: string) => names[name] ?? '');
      const ask = (): Promise<string> => {
        if (page.role === 'field') advance();
        return ofRole(page.role).get(address);
      };
      const content = await ask();
      const rowsRead = await rowsReadBy(database, ask);
      const times = await timesOf(repeats, ask);
      const [medianMs, p95Ms] = [atShare(times, 0.5), atShare(times, 0.95)];
      const rowsMax = page.rowsMax + (page.perOpenBreak ?? 0) * openBreaks;
      measured.push({ page, medianMs, p95Ms, bytes: Buffer.byteLength(content), rowsRead, rowsMax });
      report(`${page.address || '/'}: ${medianMs.toFixed(1)} ms, read ${rowsRead ?? 'not counted'}`);
    }
    return measured;
  });
}

/** Makes what pages show by the use cases: a bank file, and proposals that wait. */
async function makeSubjects(
  { statements, breakWorkflow }: Millime,
  database: ServiceDatabase,
  { actor, name }: Visitor,
): Promise<Readonly<Record<string, string>>> {
  const pieces = (async function* () {
    yield await Promise.resolve(Buffer.from('date;label;amount\n2026-03-02;VIR;12.500\n'));
  })();
  const upload = await statements.uploads.receive({ name: 'bank.csv', bytesMax: 1_000, pieces, actor });
  const waiting = "select count(*) from recon_breaks where status = 'proposed'";
  for (let number = await numberOf(database, waiting); number < WAITING; number += 1) {
    await breakWorkflow.propose({
      about: { breakId: idText('R', 5 * (number + 10)) },
      action: { kind: 'accept', payload: {} },
      ...{ reason: 'checked with the bank', actor, dryRun: false },
    });
  }
  const [proposal = {}] = await database.rows("select max(id) as id from break_proposals where id < '0L'");
  return { upload: upload.id, proposal: String(proposal['id']), user: name };
}
