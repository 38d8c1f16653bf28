import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { describeOnEachDatabase, freshDatabase } from '../support/db';
import { audit } from './support/audit';
import { call, checkPath } from './support/call';
import { Installation } from './support/installation';
import { confirmsFor, Journal, sendConfirms } from './support/journal';
import { countRows, selectRows } from './support/tables';
import { until } from './support/until';

// Goal: processes come and go, tokens are taken back, and jobs run once, over several processes on one database.
// Method: real processes, signals and the clock file.

const LIMIT_MS = 60_000;
/** A process whose callers are all answered stops at once, one with a silent caller after 10 s; the rest is for a busy machine. */
const STOP_MS = 5_000;
const STOP_WITH_SILENT_CALLER_MS = 13_000;
const AGENTS = ['AG-1', 'AG-2', 'AG-3'];

describeOnEachDatabase('a server process', (harness) => {
  test(
    'F21: SIGTERM under load lets running requests end, loses nothing, and exits with 0',
    async () => {
      const millime = new Installation(harness.url);
      const opening = await millime.seedAgents(AGENTS, 10_000_000);
      const token = await millime.token();
      const service = await millime.serve();
      const journal = new Journal();
      const confirms = confirmsFor(AGENTS, 600, 'T');
      const load = sendConfirms({ confirms, clients: 16, baseUrl: () => service.baseUrl, token, journal });
      await until('some answers', () => journal.attempts.length > 100);

      const startedAt = performance.now();
      const ended = await service.stop();
      expect(performance.now() - startedAt).toBeLessThan(STOP_MS);
      expect(ended).toEqual({ code: 0, signal: null });
      await load;
      expect(service.output).toContain('"server.stopped"');
      expect(journal.count('503')).toBe(0);
      expect(journal.count('none')).toBeGreaterThan(0);
      expect(journal.attempts).toHaveLength(journal.count('0', 'none'));
      // Whatever was stored was also answered: callers without an answer were never let in.
      expect(await countRows(millime.url, 'agent_confirmations')).toBe(journal.count('0'));
      expect(await audit(millime, journal, { opening, settled: false })).toEqual([]);

      const next = await millime.serve();
      await sendConfirms({ confirms, clients: 16, baseUrl: () => next.baseUrl, token, journal });
      expect(await audit(millime, journal, { opening, settled: true })).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'a revoked token is refused by every process within a second, and other tokens are not',
    async () => {
      const millime = new Installation(harness.url);
      await millime.seedAgents(AGENTS, 10_000);
      const kept = await millime.json<{ token: string }>(['token', 'mint', '--subject', 'kept']);
      const revoked = await millime.json<{ token: string; jti: string }>(['token', 'mint', '--subject', 'revoked']);
      const services = await Promise.all([1, 2].map(() => millime.serve({ role: 'http' })));
      const statuses = (token: string): Promise<number[]> =>
        Promise.all(
          services.map(
            async ({ baseUrl }) => (await call(baseUrl, { method: 'GET', path: checkPath('AG-1'), token })).status,
          ),
        );
      expect(await statuses(revoked.token)).toEqual([200, 200]);

      expect(await millime.json(['token', 'revoke', revoked.jti])).toMatchObject({ outcome: 'revoked', known: true });
      const refused = async (): Promise<boolean> => (await statuses(revoked.token)).every((status) => status === 403);
      await until('both refuse the token', refused, 1_000);
      expect(await statuses(kept.token)).toEqual([200, 200]);
      expect(await statuses(revoked.token)).toEqual([403, 403]);
    },
    LIMIT_MS,
  );

  test(
    'the reconcile job runs once a day over two processes, whoever gets to it',
    async () => {
      const millime = new Installation(harness.url, { clock: '2026-03-02T06:29:00+01:00' });
      const services = [await millime.serve(), await millime.serve()];
      const windows = async (): Promise<unknown[]> =>
        (await selectRows(millime.url, 'select name, window_at, status from job_runs order by window_at')).map(
          (row) => [row['name'], new Date(Number(row['window_at'])).toISOString(), row['status']],
        );
      const runs = async (count: number): Promise<boolean> =>
        (await countRows(millime.url, 'job_runs', "status = 'done'")) === count;
      expect(await windows()).toEqual([]);

      millime.setClock('2026-03-02T06:30:01+01:00');
      await until('the first window', () => runs(1));
      millime.setClock('2026-03-04T07:00:00+01:00');
      await until('two more windows', () => runs(3));
      expect(await windows()).toEqual([
        ['reconcile', '2026-03-02T05:30:00.000Z', 'done'],
        ['reconcile', '2026-03-03T05:30:00.000Z', 'done'],
        ['reconcile', '2026-03-04T05:30:00.000Z', 'done'],
      ]);
      const through = await selectRows(millime.url, 'select through, recorded_by from recon_runs order by through');
      expect(through.map((row) => [row['through'], row['recorded_by']])).toEqual([
        ['2026-03-01', 'job:reconcile'],
        ['2026-03-02', 'job:reconcile'],
        ['2026-03-03', 'job:reconcile'],
      ]);
      const doctor = await millime.cli('doctor', '--json');
      expect(JSON.parse(doctor.stdout)).toMatchObject({ jobs: { reconcile: '2026-03-04T05:30:00.000Z' } });
      for (const service of services) {
        expect(await service.stop()).toEqual({ code: 0, signal: null });
        expect(service.output).not.toMatch(/jobs\.(failed|unavailable|lease_lost)/);
      }
    },
    LIMIT_MS,
  );

  test(
    'after a job process was killed, the other one runs the windows that follow',
    async () => {
      const millime = new Installation(harness.url, { clock: '2026-03-02T06:00:00+01:00' });
      const [first] = [await millime.serve(), await millime.serve()];
      await first.kill9();
      millime.setClock('2026-03-02T06:30:00+01:00');
      await until('the window', async () => (await countRows(millime.url, 'job_runs', "status = 'done'")) === 1);
    },
    LIMIT_MS,
  );
});

test(
  'F21: SIGTERM ends a server in bounded time although a caller holds a connection open and says nothing',
  async () => {
    const millime = new Installation((await freshDatabase('sqlite')).url);
    const service = await millime.serve();
    const { hostname, port } = new URL(service.baseUrl);
    const silent = connect({ host: hostname, port: Number(port) });
    const idle = connect({ host: hostname, port: Number(port) });
    await Promise.all([silent, idle].map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    for (const socket of [silent, idle]) socket.on('error', () => undefined); // the server may cut it, as intended
    silent.write('POST /service/confirm HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n');
    expect((await call(service.baseUrl, { method: 'GET', path: '/healthz' })).status).toBe(200);

    const startedAt = performance.now();
    service.signal('SIGTERM');
    await until('the stop', () => service.output.includes('stopping'));
    // A second signal, as npm and terminals send it, does not cut the first one short.
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(service.output).toContain('"message":"stopped"');
    expect(performance.now() - startedAt).toBeLessThan(STOP_WITH_SILENT_CALLER_MS);
    silent.destroy();
    idle.destroy();
  },
  LIMIT_MS,
);
