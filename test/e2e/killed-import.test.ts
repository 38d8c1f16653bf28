// Goal: kill -9 at any moment of an import leaves nothing visible, or a file whose postings are completed later;
// importing the same file again ends exactly like an undisturbed import.
// Method: the command of the built program, which kills itself at a point of a transaction that the seed chooses, and a
// server process, a reconciliation or another import after it; compared with the rows of an unharmed import.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createConnection } from 'mysql2/promise';
import { compose, type Millime } from '../../src/compose';
import { loadConfig } from '../../src/config';
import { migrate } from '../../src/db';
import { businessDate } from '../../src/kernel';
import { silentLogger } from '../../src/logging';
import { openStatements } from '../../src/statements';
import { aCamtStatement } from '../support/camt-statement';
import { describeOnOneDatabase, describeWithOwnMariaDb } from '../support/db';
import { FAULT_LENGTH, FAULT_SEED } from '../support/faults';
import { MariaDbServer } from '../support/mariadb-server';
import { randomFrom } from '../support/random';
import { Installation } from './support/installation';
import { booksOf, imported, ImportProcess } from './support/statement-import';
import { changeRows, countRows, type Row, selectRows } from './support/tables';
import { until } from './support/until';

const DAYS = 20;
const ROUNDS = 2 * FAULT_LENGTH;
const LIMIT_MS = 60_000;
const BANK_FILE = aCamtStatement({ days: DAYS });
const WAYS = ['another import', 'a server that starts', 'a reconciliation'] as const;
const KILLED = { code: null, signal: 'SIGKILL' };

async function bankBalance(url: string): Promise<number> {
  const account = `bank:${BANK_FILE.account}`;
  const [row] = await selectRows(
    url,
    `select sum(case when debit_account = '${account}' then amount_millimes else -amount_millimes end) as total
     from postings where debit_account = '${account}' or credit_account = '${account}'`,
  );
  return Number(row?.['total'] ?? 0);
}

async function stateOf(url: string): Promise<unknown> {
  const [row] = await selectRows(url, 'select state from statement_loads');
  return row?.['state'];
}

/** As if 15 seconds had passed on the database's clock since the import died. */
const endLease = (url: string): Promise<void> =>
  changeRows(url, "update statement_loads set lease_until = 1 where state = 'loading'");

async function expectNothingVisible(millime: Millime, installation: Installation): Promise<void> {
  expect((await millime.statements.list({ limit: 100 })).rows).toEqual([]);
  const candidates = await millime.database.read((session) =>
    openStatements(session).payoutCandidates({ through: businessDate('2030-01-01') }),
  );
  expect(candidates).toEqual([]);
  expect(await countRows(installation.url, 'ledger_transactions')).toBe(0);
  expect(await millime.reporting.verifyBooks()).toEqual([]);
}

describeOnOneDatabase('a killed import', (harness) => {
  let installation: Installation;
  let millime: Millime;
  let path: string;
  let unharmed: Record<string, Row[]>;
  let points: number;
  /** How many of them, the last ones, are of the posting. */
  let postingPoints: number;

  beforeAll(async () => {
    installation = new Installation(harness.url);
    millime = compose(loadConfig(installation.env), silentLogger);
    path = installation.file('bank.xml', BANK_FILE.bytes);
    const importing = new ImportProcess(installation, path);
    expect(await importing.outcome()).toBe('imported');
    unharmed = await booksOf(harness.url);
    points = importing.points;
    // It goes through all the lines again, in as many transactions, and finds them posted.
    await changeRows(harness.url, "update statement_loads set state = 'imported'");
    const again = new ImportProcess(installation, path);
    expect(await again.outcome()).toBe('already_imported');
    postingPoints = again.points;
    expect(await booksOf(harness.url)).toEqual(unharmed);
    expect(unharmed['lines']).toHaveLength(BANK_FILE.lines);
    expect(await bankBalance(harness.url)).toBe(BANK_FILE.closing);
  }, LIMIT_MS);
  afterAll(() => millime.close());

  async function expectUnharmed(): Promise<void> {
    expect(await booksOf(harness.url)).toEqual(unharmed);
    expect(await bankBalance(harness.url)).toBe(BANK_FILE.closing);
    expect(await millime.reporting.verifyBooks()).toEqual([]);
  }

  test.each(Array.from({ length: ROUNDS }, (_, index) => index + 1))(
    'is invisible if killed while loading, and its file can be imported again (round %d)',
    async (round) => {
      // The last point of the loading is after the COMMIT that makes it visible.
      const point = 3 + randomFrom(FAULT_SEED, round).below(points - postingPoints - 3);
      expect(await new ImportProcess(installation, path, { point, signal: 'SIGKILL' }).ended).toEqual(KILLED);
      expect({ point, state: await stateOf(harness.url) }).toEqual({ point, state: 'loading' });
      await expectNothingVisible(millime, installation);
      await endLease(harness.url);
      expect(await imported(installation, path)).toBe('imported');
      await expectUnharmed();
    },
    LIMIT_MS,
  );

  test.each(WAYS.flatMap((way) => Array.from({ length: FAULT_LENGTH }, (_, index) => [way, index + 1] as const)))(
    'is completed by %s if killed after its lines became visible (round %d)',
    async (way, round) => {
      const point = points - postingPoints + randomFrom(FAULT_SEED, round, WAYS.indexOf(way)).below(postingPoints - 1);
      expect(await new ImportProcess(installation, path, { point, signal: 'SIGKILL' }).ended).toEqual(KILLED);
      expect({ point, state: await stateOf(harness.url) }).toEqual({ point, state: 'imported' });
      expect((await millime.statements.list({ limit: 100 })).rows).toMatchObject([
        { statement: { entries: BANK_FILE.lines } },
      ]);
      expect(await millime.reporting.verifyBooks()).toEqual([]);
      if (way === 'another import') {
        expect(await imported(installation, path)).toBe('already_imported');
      } else if (way === 'a server that starts') {
        await installation.serve({ role: 'http' });
        await until('the file is posted', async () => (await stateOf(harness.url)) === 'posted', LIMIT_MS);
      } else {
        const { code, stderr } = await installation.cli('reconcile', '--through', '2025-03-31', '--json');
        expect({ stderr, known: code === 0 || code === 3 }).toEqual({ stderr, known: true });
      }
      expect({ ...(await booksOf(harness.url)), breaks: [] }).toEqual({ ...unharmed, breaks: [] });
      expect(await bankBalance(harness.url)).toBe(BANK_FILE.closing);
      expect(await millime.reporting.verifyBooks()).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'blocks others until its lease ends, and the waiting process removes its rows',
    async () => {
      const point = points - postingPoints - 4;
      expect(await new ImportProcess(installation, path, { point, signal: 'SIGKILL' }).ended).toEqual(KILLED);
      await changeRows(harness.url, 'update statement_loads set lease_until = 9000000000000');
      const waiting = new ImportProcess(installation, path);
      const early = await Promise.race([
        waiting.ended.then(({ code }) => `ended with ${code}: ${waiting.stderr}${waiting.stdout}`),
        until('it says that it waits', () => waiting.stderr.includes('waiting for it to end') && 'waits', LIMIT_MS),
      ]);
      expect(early).toBe('waits');
      await expectNothingVisible(millime, installation);
      await endLease(harness.url);
      expect(await waiting.outcome()).toBe('imported');
      await expectUnharmed();
    },
    LIMIT_MS,
  );

  test(
    'leaves rows that a starting server removes after the lease, not before',
    async () => {
      const point = points - postingPoints - 4;
      expect(await new ImportProcess(installation, path, { point, signal: 'SIGKILL' }).ended).toEqual(KILLED);
      await changeRows(harness.url, 'update statement_loads set lease_until = 9000000000000');
      const loaded = await countRows(harness.url, 'bank_statement_lines');
      expect(loaded).toBeGreaterThan(0);
      await (await installation.serve({ role: 'http' })).stop();
      expect(await countRows(harness.url, 'bank_statement_lines')).toBe(loaded);
      await endLease(harness.url);
      await installation.serve({ role: 'http' });
      await until('nothing is left', async () => (await countRows(harness.url, 'statement_files')) === 0, LIMIT_MS);
      for (const table of ['bank_statement_lines', 'bank_statements', 'statement_loads', 'statement_file_chunks']) {
        expect({ table, rows: await countRows(harness.url, table) }).toEqual({ table, rows: 0 });
      }
    },
    LIMIT_MS,
  );
});

describeWithOwnMariaDb('an import whose database server is killed', () => {
  let server: MariaDbServer;
  let installation: Installation;
  let millime: Millime;
  let path: string;
  /** The third transaction, after the slot and the statements, is the first batch. */
  const BEFORE_BATCH = 7;
  const BEFORE_ITS_COMMIT = 8;

  beforeAll(async () => {
    server = await MariaDbServer.create();
    await server.start();
    const admin = await createConnection({ host: '127.0.0.1', port: server.port, user: 'root' });
    await admin.query('create database killed');
    await admin.end();
    installation = new Installation(server.url('killed'));
    millime = compose(loadConfig(installation.env), silentLogger);
    await migrate(millime.database, silentLogger);
    path = installation.file('bank.xml', BANK_FILE.bytes);
  }, LIMIT_MS);
  afterAll(async () => {
    await millime.close();
    await server.remove();
  }, LIMIT_MS);

  test(
    'exits with 1 and one line, and the file can be imported later',
    async () => {
      const importing = new ImportProcess(installation, path, { point: BEFORE_BATCH, signal: 'SIGSTOP' });
      await importing.stopped();
      await server.kill9();
      importing.goOn();
      expect(await importing.ended).toEqual({ code: 1, signal: null });
      expect(importing.stderr).toMatch(/^millime: the database cannot answer now$/m);
      expect(importing.stderr).not.toMatch(/internal error|\n +at /);
      await server.start();
      await expectNothingVisible(millime, installation);
      await endLease(installation.url);
      expect(await imported(installation, path)).toBe('imported');
      expect(await bankBalance(installation.url)).toBe(BANK_FILE.closing);
      expect(await millime.reporting.verifyBooks()).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'continues if the server is back at once',
    async () => {
      const other = aCamtStatement({ account: '99', fromDay: 1, days: DAYS });
      const importing = new ImportProcess(installation, installation.file('other.xml', other.bytes), {
        point: BEFORE_ITS_COMMIT,
        signal: 'SIGSTOP',
      });
      await importing.stopped();
      await server.kill9();
      await server.start();
      importing.goOn();
      expect(await importing.outcome()).toBe('imported');
      expect(await countRows(installation.url, 'bank_statement_lines', "account = '99'")).toBe(other.lines);
      expect(await millime.reporting.verifyBooks()).toEqual([]);
    },
    LIMIT_MS,
  );
});
