import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, pendingMigrations } from '../../../src/db';
import { silentLogger } from '../../../src/logging';
import { MigratingProcess } from '../../migrations/migrating-process';
import { dumpSchema } from '../../migrations/schema-dump';
import { freshDatabase, parsedUrl } from '../../support/db';
import { describeOnGalera } from '../../support/describe-on-galera';
import { FAULT_LENGTH, recordFault, sized } from '../../support/faults';
import { GaleraCluster, type GaleraNode } from '../../support/galera-cluster';
import { testRun } from '../../support/test-run';
import { audit } from '../support/audit';
import { asCamt, financeMonth, payMonth } from '../support/finance-month';
import { Installation } from '../support/installation';
import { confirmsFor, Journal, sendConfirms } from '../support/journal';
import { SignalledCommand } from '../support/signalled-command';
import { booksOf, ImportProcess } from '../support/statement-import';
import { changeRows, selectRows } from '../support/tables';
import { faultsInTurn, type LeaderFault, ThreeSchedulers } from '../support/three-schedulers';
import { until } from '../support/until';

// Goal: what may be done once is done once, also where each process writes on another node of a cluster. Nodes do not
// know each other's row locks.
// Method: three processes, each with one node in its DATABASE_URL, do the same at once.

const LIMIT_MS = 600_000;
const MONTH = financeMonth();
const APRIL = '2026-04-01T08:00:00+01:00';
const CLOSED_DAYS = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'];
const LATE_CONFIRMS = 960;
const CLIENTS = 6;
/** `reconcile` ends with 3 because one payout is short. */
const DIFFERENCES = 3;
const TURN: readonly LeaderFault[] = ['stopped', 'cut off', 'killed', 'killed after writing'];
const WINDOWS = sized({ short: 4, full: 20 * FAULT_LENGTH });
const CHANGES = sized({ short: 2, full: 10 * FAULT_LENGTH });
const MIGRATIONS = sized({ short: 1, full: 3 * FAULT_LENGTH });

describeOnGalera('three writers on three nodes', () => {
  let cluster: GaleraCluster;
  let count = 0;

  beforeAll(async () => {
    cluster = await GaleraCluster.start();
  }, LIMIT_MS);

  afterAll(() => cluster.remove(), LIMIT_MS);

  /** Creates a database, and returns its URLs: one for each node. */
  async function createdDatabase(): Promise<string[]> {
    count += 1;
    await (cluster.nodes[0] as GaleraNode).query(`create database millime_${count}`);
    await cluster.synced();
    return cluster.nodes.map(({ address }) => `mysql://root@${address}/millime_${count}`);
  }

  async function migratedDatabase(): Promise<string[]> {
    const urls = await createdDatabase();
    expect(await new Installation(urls[0] as string).cli('migrate')).toMatchObject({ code: 0 });
    await cluster.synced();
    return urls;
  }

  /** Confirms through a service of each installation, the same ones in each call, until it is over. */
  async function pay(millimes: readonly Installation[], journal: Journal, isOver: () => boolean): Promise<void> {
    const { env } = millimes[0] as Installation;
    const token = await (millimes[0] as Installation).token();
    const keys = { SERVICE_JWT_KEYS_FILE: env['SERVICE_JWT_KEYS_FILE'] as string };
    const services = await Promise.all(millimes.map((millime) => millime.serve({ role: 'http', env: keys })));
    const baseUrl = (client: number): string => services[client % services.length]?.baseUrl ?? '';
    for (let sent = 0; !isOver(); sent += 1) {
      const confirms = confirmsFor(MONTH.agentIds, 2 * CLIENTS, `LATE-${sent}`);
      await sendConfirms({ confirms, clients: CLIENTS, baseUrl, token, journal });
    }
    await Promise.all(services.map((service) => service.stop()));
    // Their logs say why a confirm was refused.
    if (journal.count('503') > 0) for (const { output } of services) process.stderr.write(output.slice(-2_000));
  }

  async function schemaOf(url: string): Promise<{ schema: string; pending: string[] }> {
    const database = openDatabase(parsedUrl(url), silentLogger);
    try {
      return { schema: await dumpSchema(database), pending: await pendingMigrations(database, silentLogger) };
    } finally {
      await database.close();
    }
  }

  test.each(Array.from({ length: MIGRATIONS }, (_, index) => index + 1))(
    'F26: migrate an empty database at once: one works and the others wait, also when one is killed (round %i)',
    async (round) => {
      const expected = (await schemaOf((await freshDatabase('mariadb')).url)).schema;
      const urls = await createdDatabase();
      const markerFile = join(testRun.folder, `galera-migration-${process.pid}-${round}`);
      const task = { markerFile, statement: 'create table' as const, count: 20 + round };
      const processes = urls.map((databaseUrl) => new MigratingProcess({ ...task, databaseUrl }));
      for (const each of processes) expect(await each.line()).toBe('ready');
      for (const each of processes) each.go();
      const first = await Promise.race(processes.map(({ ended }) => ended));
      expect({ first, isMarked: existsSync(markerFile) }).toEqual({ first: 'SIGKILL', isMarked: true });
      // Instead of the two minutes for which the dead one may have migrated.
      await changeRows(urls[0] as string, 'update schema_migrations_lock set is_locked = 1 where `index` = 2');
      const endings = await Promise.all(processes.map(({ ended }) => ended));
      expect(endings.sort()).toEqual([0, 0, 'SIGKILL']);
      await cluster.synced();
      for (const url of urls) expect(await schemaOf(url)).toEqual({ schema: expected, pending: [] });
      recordFault({
        fault: 'F26',
        what: 'three processes migrate on three nodes, and one is killed',
        ...{ database: 'mariadb', rounds: 1, acknowledged: 1, lost: 0, doubled: 0, longestMs: 0 },
      });
    },
    LIMIT_MS,
  );

  test(
    'F26: answer every confirm while tables of the database change, as in an upgrade of a running service',
    async () => {
      const urls = await migratedDatabase();
      const [first, second] = urls as [string, string];
      const millimes = urls.map((url) => new Installation(url));
      const opening = await (millimes[0] as Installation).seedAgents(MONTH.agentIds, 5_000_000_000);
      const journal = new Journal();
      let isOver = false;
      const paying = pay(millimes, journal, () => isOver);
      for (let round = 1; round <= CHANGES; round += 1) {
        for (const table of ['agents', 'agent_confirmations', 'ledger_balances', 'postings']) {
          const before = journal.attempts.length;
          await changeRows(
            round % 2 === 0 ? first : second,
            `alter table ${table} add column of_next_version int null`,
          );
          await until('confirms are answered', () => journal.attempts.length > before + CLIENTS);
          await changeRows(second, `alter table ${table} drop column of_next_version`);
        }
      }
      isOver = true;
      await paying;
      await cluster.synced();
      const refused = journal.attempts.filter(({ reply }) => reply !== '0');
      recordFault({
        ...{ fault: 'F26', what: 'tables change under confirm load on three nodes', database: 'mariadb' as const },
        ...{ rounds: CHANGES, acknowledged: journal.count('0'), lost: refused.length, doubled: 0 },
        longestMs: journal.longestAnswerMs,
      });
      expect(refused).toEqual([]);
      for (const url of urls) {
        expect(await audit(new Installation(url), journal, { opening, settled: true })).toEqual([]);
      }
    },
    LIMIT_MS,
  );

  test(
    'F14: take over the window of a scheduler that is stopped, cut off or killed, each with its effect once',
    async () => {
      const urls = await migratedDatabase();
      const what = 'the leader of three schedulers on three nodes fails';
      const schedulers = new ThreeSchedulers({ urls, faults: faultsInTurn(TURN, WINDOWS), what });
      try {
        await schedulers.play();
      } finally {
        await schedulers.end();
      }
    },
    LIMIT_MS,
  );

  /** Runs one command in several installations at once. Returns what each printed, if it ended with `code`. */
  async function everywhere(millimes: readonly Installation[], args: readonly string[], code = 0): Promise<string[]> {
    const commands = millimes.map((millime) => new SignalledCommand(millime, args));
    const endings = await Promise.all(commands.map(({ ended }) => ended));
    expect({ args, endings, errors: commands.map(({ stderr }) => stderr) }).toMatchObject({
      endings: endings.map(() => ({ code, signal: null })),
    });
    return commands.map(({ stdout }) => stdout);
  }

  /** Confirms of a day that stays open. Every one is answered `0` at its first attempt. */
  async function payLate(millimes: readonly Installation[]): Promise<void> {
    const journal = new Journal();
    await pay(millimes, journal, () => journal.attempts.length >= LATE_CONFIRMS);
    expect(journal.attempts.filter(({ reply }) => reply !== '0')).toEqual([]);
  }

  async function resultOf(url: string): Promise<Record<string, unknown>> {
    return {
      ...(await booksOf(url)),
      matches: await selectRows(url, 'select count(*) as n from payout_matches'),
      items: await selectRows(url, 'select count(*) as n, count(distinct item_id) as items from payout_match_items'),
      closed: await selectRows(url, 'select number, kind, business_date from day_seals order by number'),
    };
  }

  test(
    'F8: import, reconcile and close days at once while confirms come, like one writer does',
    async () => {
      const urls = await migratedDatabase();
      const clock = '2026-03-01T08:00:00+01:00';
      const millimes = urls.map((url) => new Installation(url, { clock }));
      const alone = new Installation((await freshDatabase('mariadb')).url, { clock });
      const [first] = millimes as [Installation];
      const file = asCamt(MONTH);
      const args = {
        reconcile: ['reconcile', '--through', '2026-03-31', '--json'],
        close: (day: string) => ['close-day', day, '--reason', 'the bank sends no statement of it', '--json'],
      };
      for (const millime of [first, alone]) {
        await payMonth(millime, MONTH);
      }
      alone.setClock(APRIL);
      await alone.json(['statements', 'import', alone.file('march.xml', file)]);
      await everywhere([alone], args.reconcile, DIFFERENCES);
      for (const day of CLOSED_DAYS) await everywhere([alone], args.close(day));
      await payLate([alone]);

      for (const millime of millimes) millime.setClock(APRIL);
      const paying = payLate(millimes);
      const imports = millimes.map((millime) => new ImportProcess(millime, millime.file('march.xml', file)));
      const outcomes = await Promise.all(imports.map((each) => each.outcome()));
      expect(outcomes.sort()).toEqual(['already_imported', 'already_imported', 'imported']);
      await everywhere(millimes, args.reconcile, DIFFERENCES);
      for (const day of CLOSED_DAYS) {
        const printed = await everywhere(millimes, args.close(day));
        const digests = printed.map((text) => (JSON.parse(text) as { digest: string }).digest);
        expect(new Set(digests).size).toBe(1);
      }
      await paying;
      await cluster.synced();
      const expected = await resultOf(alone.url);
      for (const url of urls) {
        expect(await resultOf(url)).toEqual(expected);
        expect(await new Installation(url).brokenInvariants()).toEqual([]);
      }
    },
    LIMIT_MS,
  );
});
