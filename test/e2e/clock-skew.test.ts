import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Database, databaseNow } from '../../src/db';
import { MINUTE_MS } from '../../src/kernel';
import { describeOnMariaDb, freshDatabase } from '../support/db';
import { recordFault } from '../support/faults';
import { SchedulerReplica } from './support/scheduler-replica';
import { changeRows, type Row, selectRows } from './support/tables';
import { until } from './support/until';

// Goal: process clocks that are wrong by ten minutes, or that step back, run no window twice and end no lease.
// Method: three replicas whose clocks are right, ten minutes fast and ten minutes slow against the database's. (Tokens
// have their leeway in test/api/authentication.test.ts, signatures their 300 s in
// test/unit/gateway/webhooks-signature.test.ts.)

const SKEWS_MS = [0, 10 * MINUTE_MS, -10 * MINUTE_MS];
/** Renewed every 10 s; nothing here ends it, a busy machine neither. */
const LEASE_MS = 30_000;
const STEPS = 5;
const LIMIT_MS = 60_000;
const TEST_LIMIT_MS = 180_000;

describeOnMariaDb('replicas whose clocks differ', () => {
  let replicas: SchedulerReplica[] = [];
  let database: Database;
  let url = '';
  let start = 0;

  beforeEach(async () => {
    const fresh = await freshDatabase('mariadb');
    url = fresh.url;
    database = fresh.open();
    await changeRows(url, 'create table effects (window_at bigint not null, replica varchar(20) not null)');
    start = Math.floor((await now()) / MINUTE_MS) * MINUTE_MS;
    replicas = await Promise.all(
      SKEWS_MS.map((skewMs) => SchedulerReplica.start(url, `skew${skewMs / MINUTE_MS}`, start + skewMs, LEASE_MS)),
    );
  });
  afterEach(() => Promise.all(replicas.map((replica) => replica.kill9())));

  const now = (): Promise<number> => database.read((session) => databaseNow(session));
  /** Moves each clock to so many minutes after its own start. */
  const setClocks = (minutes: number): void =>
    replicas.forEach((replica, index) => replica.setClock(start + (SKEWS_MS[index] ?? 0) + minutes * MINUTE_MS));
  const tellAll = (word: string): void => replicas.forEach((replica) => replica.tell(word));
  const newestRun = async (): Promise<Row> =>
    (await selectRows(url, 'select * from job_runs order by window_at desc limit 1'))[0] ?? {};
  const done = (window: number): Promise<boolean> =>
    until(
      `window ${window} is done`,
      async () => {
        const { window_at: windowAt, status } = await newestRun();
        return Number(windowAt) === window && status === 'done';
      },
      LIMIT_MS,
    );
  const effects = async (): Promise<number[]> =>
    (await selectRows(url, 'select window_at from effects order by window_at')).map((row) => Number(row['window_at']));

  test(
    'F12: run each window once, as soon as the fastest clock reaches it',
    async () => {
      tellAll('write all');
      tellAll('end all');
      for (let step = 1; step <= STEPS; step += 1) {
        setClocks(step);
        await done(start + (10 + step) * MINUTE_MS);
      }
      const windows = await effects();
      expect(new Set(windows).size).toBe(windows.length);
      // Before the first one of the fastest, each process counts from its own start.
      expect(windows.filter((window) => window > start + 10 * MINUTE_MS)).toEqual(
        Array.from({ length: STEPS }, (_, index) => start + (11 + index) * MINUTE_MS),
      );

      // All step back by twenty minutes and come again: what ran is not run again.
      setClocks(STEPS - 20);
      setClocks(STEPS + 1);
      await done(start + (10 + STEPS + 1) * MINUTE_MS);
      expect(await effects()).toEqual([...windows, start + (10 + STEPS + 1) * MINUTE_MS]);
      recordFault({
        fault: 'F12',
        what: 'clocks ten minutes off, and stepping back',
        database: 'mariadb',
        rounds: windows.length + 1,
        acknowledged: windows.length + 1,
        lost: 0,
        doubled: 0,
        longestMs: 0,
      });
    },
    TEST_LIMIT_MS,
  );

  test(
    'F12: leave a window with its process while a clock is changed',
    async () => {
      const fast = replicas[1];
      if (fast === undefined) throw new Error('three were started');
      const window = start + 11 * MINUTE_MS;
      fast.setClock(window);
      await fast.saying(`begun ${window}`);
      const first = await newestRun();

      fast.setClock(start - 20 * MINUTE_MS);
      for (const other of replicas) if (other !== fast) other.setClock(start + 120 * MINUTE_MS);
      const renewed = await until(
        'a renewal',
        async () => {
          const run = await newestRun();
          // By the database's clock, which has gone on.
          return Number(run['lease_until']) > Number(first['lease_until']) + LEASE_MS / 4 && run;
        },
        LIMIT_MS,
      );
      expect(renewed).toMatchObject({ status: 'running', fencing: 1 });
      expect(Number(renewed['window_at'])).toBe(window);
      expect(Number(renewed['lease_until'])).toBeLessThanOrEqual((await now()) + LEASE_MS);
      expect(replicas.flatMap(({ lines }) => lines).filter((line) => line.startsWith('begun'))).toHaveLength(1);

      tellAll('write all');
      tellAll('end all');
      await done(start + 120 * MINUTE_MS);
      const windows = await effects();
      expect(windows).toContain(window);
      expect(new Set(windows).size).toBe(windows.length);
    },
    TEST_LIMIT_MS,
  );
});
