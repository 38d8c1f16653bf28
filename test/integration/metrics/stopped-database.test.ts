// Goal: a scrape tells that the database does not answer, soon, and still shows everything else.
// Method: a server that is stopped in its tracks, and a file that is moved away.
import { renameSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createConnection } from 'mysql2/promise';
import { loadConfig } from '../../../src/config';
import { type Database, migrate, openDatabase } from '../../../src/db';
import { businessCalendar, WorkingDays } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { createMetrics, type Metrics } from '../../../src/metrics';
import { describeOnEachDialect, describeWithOwnMariaDb, freshDatabase, parsedUrl } from '../../support/db';
import { fixedClock, type RecordingLogger, recordingLogger } from '../../support/fakes';
import { MariaDbServer } from '../../support/mariadb-server';
import { samplesOf } from './samples-of';

/** Prometheus waits ten seconds. */
const ANSWER_MS = 4_000;

function metricsOf(database: Database, logger: RecordingLogger): Metrics {
  let now = 0;
  return createMetrics({
    ...{ database, logger, clock: fixedClock('2026-03-02T09:00:00+01:00'), calendar: businessCalendar('Africa/Tunis') },
    workingDays: new WorkingDays([]),
    urgency: loadConfig({}).breakUrgency,
    tokenExpiry: () => database.read((session) => session('service_tokens').then(() => ({ state: 'never_minted' }))),
    gateway: undefined,
    monotonic: { now: () => (now += 60_000) },
  });
}

async function expectDown(metrics: Metrics): Promise<void> {
  metrics.observeRequest({ route: '/service/confirm', method: 'POST', status: 503, seconds: 5 });
  const startedAt = performance.now();
  const found = samplesOf(await metrics.scrape());
  expect(performance.now() - startedAt).toBeLessThan(ANSWER_MS);
  expect(found.get('millime_database_up')).toBe(0);
  expect(found.get('millime_http_requests_total{route="/service/confirm",method="POST",code="503"}')).toBe(1);
  expect(found.get('process_resident_memory_bytes')).toBeGreaterThan(0);
  expect([...found.keys()].filter((name) => /^millime_(inbox|job|breaks|token)/.test(name))).toEqual([]);
}

describeOnEachDialect('A scrape without its database', (dialect) => {
  if (dialect === 'mariadb') return;

  test('reports a file that was moved away, once in the log', async () => {
    const { url, open } = await freshDatabase('sqlite');
    const database = open();
    const logger = recordingLogger();
    const metrics = metricsOf(database, logger);
    expect(samplesOf(await metrics.scrape()).get('millime_database_up')).toBe(1);
    const file = url.slice('sqlite:'.length);
    renameSync(file, `${file}.away`);
    await expectDown(metrics);
    await metrics.scrape();
    expect(logger.events('metrics.not_read').filter(({ fields }) => fields['what'] === 'state')).toHaveLength(1);
    renameSync(`${file}.away`, file);
    expect(samplesOf(await metrics.scrape()).get('millime_database_up')).toBe(1);
  });
});

describeWithOwnMariaDb('A scrape while the server hangs', () => {
  let server: MariaDbServer;
  let database: Database;

  beforeAll(async () => {
    server = await MariaDbServer.create();
    await server.start();
    const admin = await createConnection({ host: '127.0.0.1', port: server.port, user: 'root' });
    await admin.query('create database millime');
    await admin.end();
    database = openDatabase(parsedUrl(server.url('millime')), silentLogger);
    await migrate(database, silentLogger);
  });

  afterAll(async () => {
    server.sigcont();
    await database.close();
    await server.remove();
  });

  test('ends within its deadline, and shows the database again when it answers', async () => {
    const metrics = metricsOf(database, recordingLogger());
    expect(samplesOf(await metrics.scrape()).get('millime_database_up')).toBe(1);
    await server.sigstop();
    await expectDown(metrics);
    server.sigcont();
    expect(samplesOf(await metrics.scrape()).get('millime_database_up')).toBe(1);
  });
});
