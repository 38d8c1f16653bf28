import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { describeOnEachDatabase, describeOnMariaDb, freshDatabase, rawConnection } from '../support/db';
import { call, checkPath } from './support/call';
import { Installation } from './support/installation';
import { countRows, selectRows } from './support/tables';
import { until } from './support/until';

// Goal: processes start and stop, tokens are revoked, and jobs run once, over several processes on one database.
// Method: real processes, signals and the clock file.

const LIMIT_MS = 60_000;
/** A request that has only begun is waited for 2 s; the rest is for a busy machine. */
const STOP_MS = 6_000;
/** The promise of every stop. A job that hangs takes about 4.5 s of it. */
const STOP_MAX_MS = 10_000;
const RECONCILED = "name = 'reconcile' and status = 'done'";
const GIVEN_BACK = "select status, fencing, lease_until from job_runs where name = 'reconcile'";
const AGENTS = ['AG-1', 'AG-2', 'AG-3'];

describeOnEachDatabase('a server process', (harness) => {
  test(
    'every process refuses a revoked token within a second, and no other token',
    async () => {
      const millime = new Installation(harness.url);
      await millime.seedAgents(AGENTS, 10_000);
      const kept = await millime.json<{ token: string }>(['token', 'mint', '--subject', 'kept']);
      const revoked = await millime.json<{ token: string; jti: string }>(['token', 'mint', '--subject', 'revoked']);
      const services = await Promise.all([1, 2, 3, 4].map(() => millime.serve({ role: 'http' })));
      const all = (status: number): number[] => services.map(() => status);
      const statuses = (token: string): Promise<number[]> =>
        Promise.all(
          services.map(
            async ({ baseUrl }) => (await call(baseUrl, { method: 'GET', path: checkPath('AG-1'), token })).status,
          ),
        );
      expect(await statuses(revoked.token)).toEqual(all(200));

      expect(await millime.json(['token', 'revoke', revoked.jti])).toMatchObject({ outcome: 'revoked', known: true });
      const refused = async (): Promise<boolean> => (await statuses(revoked.token)).every((status) => status === 403);
      await until('all refuse the token', refused, 1_000);
      expect(await statuses(kept.token)).toEqual(all(200));
      expect(await statuses(revoked.token)).toEqual(all(403));
    },
    LIMIT_MS,
  );

  test(
    'the reconcile job runs once a day over two processes',
    async () => {
      const millime = new Installation(harness.url, { clock: '2026-03-02T06:29:00+01:00' });
      const services = [await millime.serve(), await millime.serve()];
      const windows = async (): Promise<unknown[]> =>
        (
          await selectRows(
            millime.url,
            "select name, window_at, status from job_runs where name = 'reconcile' order by window_at",
          )
        ).map((row) => [row['name'], new Date(Number(row['window_at'])).toISOString(), row['status']]);
      const runs = async (count: number): Promise<boolean> =>
        (await countRows(millime.url, 'job_runs', RECONCILED)) === count;
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
    'a second job process runs the windows after the first is killed',
    async () => {
      const millime = new Installation(harness.url, { clock: '2026-03-02T06:00:00+01:00' });
      const [first] = [await millime.serve(), await millime.serve()];
      await first.kill9();
      millime.setClock('2026-03-02T06:30:00+01:00');
      await until('the window', async () => (await countRows(millime.url, 'job_runs', RECONCILED)) === 1);
    },
    LIMIT_MS,
  );
});

test(
  'F21: SIGTERM ends a server in seconds despite half a request and an idle connection',
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
    expect(service.output).toContain('"server.stopped"');
    expect(performance.now() - startedAt).toBeLessThan(STOP_MS);
    silent.destroy();
    idle.destroy();
  },
  LIMIT_MS,
);

test(
  'F21: after SIGTERM readyz reports draining, and new connections are answered with Connection: close',
  async () => {
    const env = { DRAIN_DELAY_MS: '2000' };
    const millime = new Installation((await freshDatabase('sqlite')).url, { env });
    const service = await millime.serve({ role: 'http' });
    const get = async (path: string): Promise<unknown[]> => {
      const { status, headers, body } = await call(service.baseUrl, { method: 'GET', path });
      return [status, headers.connection, body];
    };
    expect(await get('/readyz')).toEqual([200, 'keep-alive', { status: 'ready' }]);
    service.signal('SIGTERM');
    await until('the stop', () => service.output.includes('server.stopping'));
    expect(await Promise.all(['/readyz', '/healthz', checkPath('AG-1'), '/nowhere'].map(get))).toEqual([
      [503, 'close', { error: 'draining' }],
      [200, 'close', { status: 'ok' }],
      [403, 'close', expect.anything()],
      [404, 'close', { error: 'not_found' }],
    ]);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  },
  LIMIT_MS,
);

describeOnMariaDb('a stop while a job hangs', () => {
  test(
    'F21: the window is released within 10 s of the stop, and another process runs it at once',
    async () => {
      const millime = new Installation((await freshDatabase('mariadb')).url, { clock: '2026-03-02T06:29:00+01:00' });
      const service = await millime.serve();
      const admin = await rawConnection(millime.url);
      // A run begins with what is matched already.
      await admin.query('lock tables payout_matches write, payout_match_items write');
      const isRunning = async (): Promise<boolean> =>
        (await countRows(millime.url, 'job_runs', "name = 'reconcile' and status = 'running' and lease_until > 0")) ===
        1;
      millime.setClock('2026-03-02T06:30:01+01:00');
      await until('the job', isRunning);

      const startedAt = performance.now();
      expect(await service.stop()).toEqual({ code: 0, signal: null });
      expect(performance.now() - startedAt).toBeLessThan(STOP_MAX_MS);
      expect(service.output).toContain('jobs.given_back');
      expect(await selectRows(millime.url, GIVEN_BACK)).toEqual([{ status: 'running', fencing: 2, lease_until: 0 }]);

      await admin.query('unlock tables');
      await admin.end();
      await millime.serve();
      await until('the window', async () => (await countRows(millime.url, 'job_runs', RECONCILED)) === 1);
      expect(await countRows(millime.url, 'recon_runs')).toBe(1);
    },
    LIMIT_MS,
  );
});
