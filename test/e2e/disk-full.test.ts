// Goal: a full disk costs confirms their answer, never money. Checks are answered meanwhile, the metric of the alarm
// counts, and the service recovers automatically when there is space again.
// Method: the process that writes the database may write no file beyond a size (test/support/limit-files.ts): MariaDB, or
// the service itself on SQLite. The limit comes and goes under load.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Connection, createConnection } from 'mysql2/promise';
import { samplesOf } from '../integration/metrics/samples-of';
import { describeWithOwnMariaDb, freshDatabase } from '../support/db';
import { FAULT_LENGTH } from '../support/faults';
import { freePort } from '../support/free-port';
import { limitFiles } from '../support/limit-files';
import { MariaDbServer } from '../support/mariadb-server';
import type { ServerProcess } from '../support/server-process';
import { audit } from './support/audit';
import { call, checkPath } from './support/call';
import { type FaultTally, tallyFault } from './support/fault-tally';
import { Installation } from './support/installation';
import { confirmsFor, Journal, sendConfirms } from './support/journal';
import { until } from './support/until';

const CONFIRMS = 1_000 * Math.min(FAULT_LENGTH, 10);
const CLIENTS = 16;
/** Answered before the disk is full, and refused while it is. */
const ANSWERED = 100;
const REFUSED = 100;
const LIMIT_MS = 120_000;
const AGENTS = Array.from({ length: 20 }, (_, index) => `AG-${index + 1}`);

interface Disk {
  readonly url: string;
  fill(service: ServerProcess): Promise<void> | void;
  free(service: ServerProcess): void;
}

async function expectSurvival({ url, fill, free }: Disk, tally: FaultTally): Promise<void> {
  const metricsPort = await freePort();
  const millime = new Installation(url, { env: { METRICS_PORT: String(metricsPort) } });
  const opening = await millime.seedAgents(AGENTS, 100_000_000);
  const token = await millime.token();
  const service = await millime.serve({ role: 'http' });
  const confirms = confirmsFor(AGENTS, CONFIRMS, 'T');
  const journal = new Journal();
  const load = { confirms, clients: CLIENTS, baseUrl: () => service.baseUrl, token, journal };
  const unanswered = async (): Promise<number> => {
    const samples = samplesOf(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text());
    const counted = [...samples].filter(([name]) => name.startsWith('millime_confirms_total{outcome="unanswered"'));
    return counted.reduce((sum, [, value]) => sum + value, 0);
  };

  const sending = sendConfirms({ ...load, persistMs: LIMIT_MS });
  await until(`${ANSWERED} answers`, () => journal.attempts.length >= ANSWERED);
  await fill(service);
  try {
    await until(`${REFUSED} refusals`, () => journal.count('503') >= REFUSED);
    const checks = await Promise.all(
      AGENTS.map((id) => call(service.baseUrl, { method: 'GET', path: checkPath(id), token })),
    );
    expect(checks.map(({ status }) => status)).toEqual(AGENTS.map(() => 200));
    expect(await unanswered()).toBeGreaterThanOrEqual(REFUSED);
  } finally {
    free(service);
  }
  await sending;

  await tally.add(millime, journal);
  expect(journal.unexpected).toEqual([]);
  expect(journal.count('none')).toBe(0);
  expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
  const before = journal.count('3');
  await sendConfirms(load);
  expect(journal.count('3') - before).toBe(CONFIRMS);
  expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
  expect(service.output).not.toMatch(/unhandledRejection|uncaughtException/i);
  expect(await service.stop()).toEqual({ code: 0, signal: null });
}

describe('a full disk on sqlite', () => {
  const tally = tallyFault({ fault: 'F15', what: 'the disk is full', database: 'sqlite' });

  test(
    'F15: costs confirms their answer and loses none, and checks are answered',
    async () => {
      const { url } = await freshDatabase('sqlite');
      const log = `${url.slice('sqlite:'.length)}-wal`;
      await expectSurvival(
        { url, fill: ({ pid }) => limitFiles(pid, statSync(log).size), free: ({ pid }) => limitFiles(pid) },
        tally,
      );
    },
    LIMIT_MS,
  );
});

describeWithOwnMariaDb('a full disk on mariadb', () => {
  const tally = tallyFault({ fault: 'F15', what: 'the disk is full', database: 'mariadb' });
  const ER_RECORD_FILE_FULL = 1114;
  let mariadb: MariaDbServer;
  let admin: Connection;

  beforeAll(async () => {
    // One file for all tables, which grows by the megabyte: a limit of its size stops every table.
    mariadb = await MariaDbServer.create({ flags: ['--innodb-file-per-table=0', '--innodb-autoextend-increment=1'] });
    await mariadb.start();
    admin = await createConnection({ host: '127.0.0.1', port: mariadb.port, user: 'root' });
  });
  afterAll(async () => {
    await admin.end();
    await mariadb.remove();
  });

  /** Stops the growth, and uses up what is left of the file. */
  async function fill(): Promise<void> {
    await admin.query('create table filler.bytes (bytes longblob)');
    mariadb.limitFiles(statSync(join(mariadb.folder, 'data', 'ibdata1')).size);
    const full = async (): Promise<void> => {
      for (;;) await admin.query("insert into filler.bytes values (repeat('x', 100000))");
    };
    await expect(full()).rejects.toMatchObject({ errno: ER_RECORD_FILE_FULL });
  }

  test(
    'F15: costs confirms their answer and loses none, and checks are answered',
    async () => {
      await admin.query('create database filler');
      await admin.query('create database millime');
      const url = mariadb.url('millime');
      expect((await new Installation(url).cli('migrate')).code).toBe(0);
      await expectSurvival({ url, fill, free: () => mariadb.limitFiles() }, tally);
    },
    LIMIT_MS,
  );
});
