import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { samplesOf } from '../integration/metrics/samples-of';
import { describeOnEachDialect, freshDatabase } from '../support/db';
import { freePort } from '../support/free-port';
import { promtool, testWithPromtool } from '../support/promtool';
import { runCli, spawnedCli } from '../support/server-process';
import { testRun } from '../support/test-run';
import { call } from './support/call';
import { Installation } from './support/installation';
import { until } from './support/until';

// Goal: what is deployed beside Millime fits Millime: rules, dashboard, containers and units name what exists.
// Method: a server with every kind of row answers scrapes; promtool and the command line check the files.

const DEPLOY = join(__dirname, '..', '..', 'deploy');
const PROMETHEUS = join(DEPLOY, 'prometheus');
const UNITS = join(DEPLOY, 'systemd');

const START = '2026-03-02T09:00:00.000Z';
const LATER = '2026-03-02T09:11:00.000Z';
const GATEWAY = {
  GATEWAY_BASE_URL: 'http://127.0.0.1:9',
  GATEWAY_PUBLIC_KEY: 'pk_test',
  GATEWAY_PRIVATE_KEY: 'sk_test',
};

const textOf = (...path: readonly string[]): string => readFileSync(join(DEPLOY, ...path), 'utf8');

/** The metrics that a text names, as samples are named. */
const metricsIn = (text: string): string[] => [...new Set(text.match(/\b(?:millime|process|nodejs)_[a-z0-9_]+/g))];

/** Every query of a dashboard, however deep. */
function queriesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const expr = (value as { expr?: unknown }).expr;
  return [...(typeof expr === 'string' ? [expr] : []), ...Object.values(value).flatMap(queriesOf)];
}

describeOnEachDialect('The metrics listener', (dialect) => {
  /** A server that has done some of everything, and the text of its scrape. */
  async function scrapeOfBusyServer(): Promise<string> {
    const { url } = await freshDatabase(dialect);
    const port = await freePort();
    const installation = new Installation(url, { clock: START, env: { METRICS_PORT: String(port), ...GATEWAY } });
    await installation.seedAgents(['A1'], 50_000);
    const token = await installation.token();
    const server = await installation.serve();
    const confirm = (body: unknown): Promise<unknown> =>
      call(server.baseUrl, { method: 'POST', path: '/service/confirm', token, body });
    await confirm({ transactionId: 'T1', agentId: 'A1', amount: 20_000 });
    await confirm({ transactionId: 'T2', agentId: 'unknown', amount: 20_000 });
    installation.setClock(LATER);
    const scrape = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    await until('a job, and the money of the confirm', async () => {
      const found = samplesOf(await scrape());
      return (
        found.has('millime_job_lag_seconds{job_name="poll"}') &&
        found.get('millime_money_millimes{stage="in_transit",channel="agent"}') === 20_000
      );
    });
    return scrape();
  }

  test('answers with every metric that the rules and the dashboard name', async () => {
    const text = await scrapeOfBusyServer();
    const names = new Set([...samplesOf(text).keys()].map((name) => name.replace(/\{.*/, '')));
    const inRules = metricsIn(textOf('prometheus', 'alerts.yml'));
    const inDashboard = queriesOf(JSON.parse(textOf('grafana', 'millime.json'))).flatMap(metricsIn);
    expect(inRules.length).toBeGreaterThan(10);
    expect(inDashboard.length).toBeGreaterThan(15);
    expect([...inRules, ...inDashboard].filter((name) => !names.has(name))).toEqual([]);
    expect(promtoolFindings(text)).toEqual([]);
  });
});

test('a taken port of the metrics stops the start with one line', async () => {
  const { url } = await freshDatabase('sqlite');
  const port = String(await freePort());
  const first = new Installation(url, { env: { METRICS_PORT: port } });
  const server = await first.serve();
  const second = await spawnedCli(['serve'], { ...first.env, PORT: '0' });
  expect(second.code).toBe(1);
  expect(second.stderr).toBe('millime: METRICS_HOST, METRICS_PORT: cannot listen (EADDRINUSE)\n');
  await server.stop();
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
});

/** What promtool finds in the metrics; nothing where it is not installed, which its own test prints. */
function promtoolFindings(text: string): string[] {
  const { code, text: said } = promtool(['check', 'metrics'], text);
  return code === null ? [] : said.split('\n').filter((line) => line !== '');
}

testWithPromtool('promtool accepts the rules and the example of a configuration', () => {
  expect(promtool(['check', 'rules', join(PROMETHEUS, 'alerts.yml')])).toMatchObject({ code: 0 });
  expect(promtool(['check', 'config', join(PROMETHEUS, 'prometheus.yml')])).toMatchObject({ code: 0 });
});

testWithPromtool('promtool finds that each rule fires when it should, and none without cause', () => {
  expect(promtool(['test', 'rules', join(PROMETHEUS, 'alerts.test.yml')])).toMatchObject({ code: 0 });
});

test('each rule has a test of its own', () => {
  const rules = [...textOf('prometheus', 'alerts.yml').matchAll(/alert: (\w+)/g)].map(([, name]) => name);
  const tested = [...textOf('prometheus', 'alerts.test.yml').matchAll(/^ {2}- name: (Millime\w+)$/gm)];
  expect(tested.map(([, name]) => name)).toEqual(rules);
});

test('every command of a container or a unit is a command of Millime, with its options', async () => {
  const inCompose = [...textOf('docker', 'compose.yml').matchAll(/command: \[(.*)\]/g)].map(([, words = '']) =>
    words.split(', '),
  );
  const inUnits = readdirSync(UNITS).flatMap((file) =>
    [...textOf('systemd', file).matchAll(/ExecStart=\S+\/millime (.*)/g)].map(([, words = '']) => words.split(' ')),
  );
  expect(inCompose).toHaveLength(3);
  expect(inUnits).toHaveLength(3);
  for (const [command = '', ...options] of [...inCompose, ...inUnits]) {
    const { code, stdout } = await runCli([command, '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(`millime ${command}`);
    for (const option of options) if (option.startsWith('--')) expect(stdout).toContain(option);
  }
});

const SYSTEMD = 'systemd-analyze';
const hasSystemd = spawnSync(SYSTEMD, ['--version']).status === 0;
if (!hasSystemd) process.stderr.write('systemd-analyze: not installed; the units are not verified\n');

(hasSystemd ? test : test.skip)('systemd accepts the units', () => {
  const folder = mkdtempSync(join(testRun.folder, 'units-'));
  const files = readdirSync(UNITS).map((file) => {
    const path = join(folder, file);
    // The command is not installed here.
    writeFileSync(path, textOf('systemd', file).replace(/ExecStart=\S+/, 'ExecStart=/bin/true'));
    return path;
  });
  const { status, stderr } = spawnSync(SYSTEMD, ['verify', '--man=no', ...files], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
