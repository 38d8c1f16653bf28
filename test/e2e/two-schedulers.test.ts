import { afterEach, expect, test } from '@jest/globals';
import { type Database, databaseNow } from '../../src/db';
import { MINUTE_MS } from '../../src/kernel';
import { describeOnMariaDb, freshDatabase } from '../support/db';
import { FAULT_LENGTH, recordFault } from '../support/faults';
import { SchedulerReplica } from './support/scheduler-replica';
import { changeRows, type Row, selectRows } from './support/tables';
import { until } from './support/until';

// Goal: over three replicas each window has its effect once, whichever replica is killed or stopped during it.
// Method: the test starts every step of a window. One replica begins a window and is killed before or after its write,
// or stopped for twice its lease; the others must take over by the database's clock, and later writes of the stopped
// one must be refused. On a server: an embedded database has one process that runs jobs.

const WINDOWS = FAULT_LENGTH === 1 ? 10 : 20 * FAULT_LENGTH;
const EVERY = 10;
const FAULTS: Readonly<Record<number, 'killed' | 'killed after writing' | 'stopped'>> = {
  2: 'killed',
  5: 'stopped',
  8: 'killed after writing',
};
const LEASE_MS = 2_000;
/** For a busy machine: what is promised is a tick of 50 ms after the lease. */
const TAKEOVER_SLACK_MS = 20_000;
const STARTED = Date.parse('2026-03-02T08:00:00+01:00');
const LIMIT_MS = 60_000;
const TEST_LIMIT_MS = 120_000 + WINDOWS * 10_000;

describeOnMariaDb('three replicas with one job', () => {
  let replicas: SchedulerReplica[] = [];
  let started = 0;
  let longestMs = 0;
  let url = '';

  afterEach(() => Promise.all(replicas.map((replica) => replica.kill9())));

  const startReplica = async (now: number): Promise<void> => {
    started += 1;
    replicas.push(await SchedulerReplica.start(url, `replica-${started}`, now, LEASE_MS));
  };
  const tellAll = (word: string): void => replicas.forEach((replica) => replica.tell(word));
  const begunBy = (window: number, others: readonly SchedulerReplica[]): Promise<SchedulerReplica> =>
    until(`window ${window} is begun`, () => others.find((replica) => replica.says(`begun ${window}`)), LIMIT_MS);
  const runOf = async (window: number): Promise<Row> =>
    (await selectRows(url, `select * from job_runs where window_at = ${window}`))[0] ?? {};
  const untilDone = (window: number): Promise<boolean> =>
    until(`window ${window} is done`, async () => (await runOf(window))['status'] === 'done', LIMIT_MS);
  const nowOf = (database: Database): Promise<number> => database.read((session) => databaseNow(session));

  /** Another replica goes on, not before the lease has ended and soon after it. */
  async function takenOver(window: number, from: SchedulerReplica): Promise<void> {
    const leaseUntil = Number((await runOf(window))['lease_until']);
    await begunBy(
      window,
      replicas.filter((replica) => replica !== from),
    );
    const { fencing, started_at: startedAt } = await runOf(window);
    expect(Number(fencing)).toBeGreaterThan(1);
    const waitedMs = Number(startedAt) - leaseUntil;
    expect(waitedMs).toBeGreaterThan(0);
    expect(waitedMs).toBeLessThan(TAKEOVER_SLACK_MS);
    longestMs = Math.max(longestMs, waitedMs);
  }

  async function killDuring(window: number, leader: SchedulerReplica): Promise<void> {
    await leader.kill9();
    await takenOver(window, leader);
    tellAll(`write ${window}`);
    tellAll(`end ${window}`);
    await untilDone(window);
    replicas = replicas.filter((replica) => replica !== leader);
    await startReplica(window);
  }

  async function stopDuring(window: number, leader: SchedulerReplica, database: Database): Promise<void> {
    await leader.pause();
    const stoppedAt = await nowOf(database);
    await takenOver(window, leader);
    tellAll(`write ${window}`);
    tellAll(`end ${window}`);
    await untilDone(window);
    await until('twice the lease', async () => (await nowOf(database)) > stoppedAt + 2 * LEASE_MS, LIMIT_MS);
    const ended = await runOf(window);
    leader.goOn();
    await leader.saying(`refused ${window}`);
    expect(await runOf(window)).toEqual(ended);
    expect(leader.says(`wrote ${window}`)).toBe(false);
  }

  test(
    `F14: run ${WINDOWS} windows, each with its effect once`,
    async () => {
      const fresh = await freshDatabase('mariadb');
      url = fresh.url;
      const database = fresh.open();
      await changeRows(url, 'create table effects (window_at bigint not null, replica varchar(20) not null)');
      for (let count = 0; count < 3; count += 1) await startReplica(STARTED);

      for (let round = 1; round <= WINDOWS; round += 1) {
        const window = STARTED + round * MINUTE_MS;
        const fault = FAULTS[round % EVERY];
        for (const replica of replicas) replica.setClock(window);
        const leader = await begunBy(window, replicas);
        if (fault === 'stopped') await stopDuring(window, leader, database);
        else if (fault === 'killed') await killDuring(window, leader);
        else {
          tellAll(`write ${window}`);
          await until('its effect', () => replicas.some((replica) => replica.says(`wrote ${window}`)), LIMIT_MS);
          if (fault === 'killed after writing') await killDuring(window, leader);
          else tellAll(`end ${window}`);
        }
        await untilDone(window);
      }

      const windows = Array.from({ length: WINDOWS }, (_, index) => STARTED + (index + 1) * MINUTE_MS);
      const effects = await selectRows(url, 'select window_at from effects order by window_at');
      expect(effects.map((row) => Number(row['window_at']))).toEqual(windows);
      const runs = await selectRows(url, "select window_at from job_runs where status = 'done' order by window_at");
      expect(runs.map((row) => Number(row['window_at']))).toEqual(windows);
      recordFault({
        fault: 'F14',
        what: 'the leader of three schedulers is killed or stands still',
        database: 'mariadb',
        rounds: WINDOWS,
        acknowledged: WINDOWS,
        lost: WINDOWS - new Set(effects.map((row) => Number(row['window_at']))).size,
        doubled: effects.length - WINDOWS,
        longestMs,
      });
    },
    TEST_LIMIT_MS,
  );
});
