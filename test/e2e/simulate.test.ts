import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { runCli } from '../support/server-process';
import { runCurl, wordsOf } from '../support/simple-curl';
import { testRun } from '../support/test-run';
import { SimulateProcess } from './support/simulate-process';
import { until } from './support/until';

// Goal: the output of `millime simulate` is sufficient to use it.
// Method: the built program in a separate process, stopped by signals; the call that it prints is made as printed.

const LIMIT_MS = 120_000;
const started: SimulateProcess[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((simulator) => simulator.stop()));
}, LIMIT_MS);

async function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<SimulateProcess> {
  const simulator = await SimulateProcess.start(args, env);
  started.push(simulator);
  return simulator;
}

const folder = (): string => mkdtempSync(join(testRun.folder, 'simulate-'));
const ABSENT_FILE = join(folder(), 'absent', 'file.json');

async function get(simulator: SimulateProcess, path: string): Promise<Record<string, unknown>> {
  const { text } = await runCurl(['curl', `${simulator.baseUrl}/_simulator${path}`]);
  return JSON.parse(text) as Record<string, unknown>;
}

/** Makes the call that the program printed, and gives the id of the payment. */
async function firstCall({ output }: SimulateProcess): Promise<string> {
  const command = /^ {2}(curl .*)$/m.exec(output)?.[1] ?? '';
  const { status, text } = await runCurl(wordsOf(command, {}));
  expect(status).toBe(200);
  return (JSON.parse(text) as { result: { payment_id: string } }).result.payment_id;
}

describe('millime simulate', () => {
  test(
    'prints a first call that works, and exits with 0 at a signal',
    async () => {
      const simulator = await start(['--seed', '7', '--manual', '--start-at', '2026-03-02T09:00:00+01:00']);
      const paymentId = await firstCall(simulator);
      expect(await get(simulator, '/state')).toMatchObject({
        now: '2026-03-02T08:00:00.000Z',
        mode: 'manual',
        seed: 7,
        payments: { PENDING: 1 },
      });
      expect(await get(simulator, `/payments/${paymentId}`)).toMatchObject({ status: 'PENDING' });
      for (const what of ['/_simulator/page', 'pk_simulator:sk_simulator', 'ak_simulator', 'manual']) {
        expect(simulator.output).toContain(what);
      }
      expect(await simulator.stop('SIGINT')).toEqual({ code: 0, signal: null });
    },
    LIMIT_MS,
  );

  test(
    'stops at a signal while it drives endpoints that never answer',
    async () => {
      const silent = createServer();
      const arrived = once(silent, 'request');
      silent.listen(0, '127.0.0.1');
      await once(silent, 'listening');
      try {
        const simulator = await start(['--manual']);
        const plan = {
          baseUrl: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
          token: 'the-token',
          agents: [{ agentId: 'A-1' }],
          payments: 12,
          timeoutMs: LIMIT_MS,
          timeLimitSecs: 3_600,
        };
        const url = `${simulator.baseUrl}/_simulator/agents/drive`;
        const driven = runCurl(['curl', '-X', 'POST', '-d', JSON.stringify(plan), url]).catch(() => 'cut');
        await arrived;
        expect(await simulator.stop()).toEqual({ code: 0, signal: null });
        expect(await driven).toBe('cut');
      } finally {
        silent.closeAllConnections();
        silent.close();
      }
    },
    LIMIT_MS,
  );

  test(
    'takes its time from CLOCK_FILE and runs what is due',
    async () => {
      const file = join(folder(), 'clock');
      writeFileSync(file, '2026-03-02T09:00:00+01:00');
      const simulator = await start([], { CLOCK_FILE: file });
      const paymentId = await firstCall(simulator);
      expect(await get(simulator, '/time')).toMatchObject({ now: '2026-03-02T08:00:00.000Z', mode: 'file' });
      const { status } = await runCurl([
        ...['curl', '-X', 'POST', '-d', '{"minutes":1}'],
        `${simulator.baseUrl}/_simulator/time/advance`,
      ]);
      expect(status).toBe(409);

      writeFileSync(file, '2026-03-02T10:00:00+01:00');
      await until('the session has expired', async () => {
        return (await get(simulator, `/payments/${paymentId}`))['status'] === 'EXPIRED';
      });
    },
    LIMIT_MS,
  );

  test(
    'continues after a restart from its state file, settings included',
    async () => {
      const [state, settings] = [join(folder(), 'state.json'), join(folder(), 'settings.json')];
      writeFileSync(settings, '{"privateKey":"sk_other","verify":{"perMinute":7}}');
      const args = ['--manual', '--start-at', '2026-03-02T09:00:00+01:00', '--state', state];
      const first = await start([...args, '--settings', settings, '--seed', '3']);
      const paymentId = await firstCall(first);
      await runCurl(['curl', '-X', 'POST', '-d', '{"days":1}', `${first.baseUrl}/_simulator/time/advance`]);
      await first.stop();

      const second = await start(args);
      expect(second.output).toContain('pk_simulator:sk_other');
      expect(await get(second, `/payments/${paymentId}`)).toMatchObject({ status: 'EXPIRED' });
      expect(await get(second, '/state')).toMatchObject({ now: '2026-03-03T08:00:00.000Z', seed: 3 });
      expect(await get(second, '/settings')).toMatchObject({ verify: { perMinute: 7 } });
    },
    LIMIT_MS,
  );

  test(
    'keeps recorded events if it is killed a moment later',
    async () => {
      const state = join(folder(), 'state.json');
      const first = await start(['--state', state]);
      expect(readFileSync(state, 'utf8')).toContain('"world"');
      const paymentId = await firstCall(first);
      await until('the payment is in the file', () => readFileSync(state, 'utf8').includes(paymentId), LIMIT_MS);
      await first.stop('SIGKILL');

      const second = await start(['--state', state]);
      expect(await get(second, `/payments/${paymentId}`)).toMatchObject({ status: 'PENDING' });
    },
    LIMIT_MS,
  );

  test(
    'continues from the last valid time of CLOCK_FILE while that is unusable, and warns',
    async () => {
      const file = join(folder(), 'clock');
      writeFileSync(file, '2026-03-02T09:00:00+01:00');
      const simulator = await start([], { CLOCK_FILE: file });
      for (const [strange, why] of [
        ['2195-01-01T00:00:00Z', 'expected an instant from 1970-01-02 to 2190-01-01'],
        ['2026-02-30T00:00:00Z', 'holds no ISO instant'],
        ['2026-03-01T00:00:00Z', 'is before the simulated time'],
      ] as const) {
        writeFileSync(file, strange);
        const time = await get(simulator, '/time');
        expect(time).toMatchObject({ now: '2026-03-02T08:00:00.000Z', problem: expect.stringContaining(why) });
      }
      writeFileSync(file, '2026-03-02T10:00:00+01:00');
      expect(await get(simulator, '/time')).toMatchObject({ now: '2026-03-02T09:00:00.000Z', problem: null });
    },
    LIMIT_MS,
  );

  test(
    'reports a taken port in one line',
    async () => {
      const simulator = await start([]);
      const port = new URL(simulator.baseUrl).port;
      const { code, stdout, stderr } = await runCli(['simulate', '--port', port]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toBe(
        `millime: --port: cannot listen on 127.0.0.1, port ${port} (EADDRINUSE); choose another port\n`,
      );
    },
    LIMIT_MS,
  );

  test.each([
    [['--port', '70000'], '--port: expected a whole number from 0 to 65535, got "70000"'],
    [['--seed', 'x'], '--seed: expected a whole number'],
    [['--start-at', 'today'], '--start-at: expected an ISO 8601 instant'],
    [['--start-at', '2026-02-30T00:00:00Z'], '--start-at: expected an ISO 8601 instant'],
    [['--start-at', '2500-01-01T00:00:00Z'], '--start-at: expected an ISO 8601 instant from 1970-01-02 to 2190-01-01'],
    [['--start-at', '2195-01-01T00:00:00Z'], '--start-at: expected an ISO 8601 instant from 1970-01-02 to 2190-01-01'],
    [['--state', ABSENT_FILE], `${ABSENT_FILE}: cannot be written (ENOENT)`],
    [['--settings', ABSENT_FILE], `${ABSENT_FILE}: cannot be read (ENOENT)`],
  ])('refuses %j with 2 and a reason', async (args, why) => {
    const { code, stdout, stderr } = await runCli(['simulate', '--port', '0', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(why);
  });

  test('refuses a file that is not a state file, and leaves it unchanged', async () => {
    const file = join(folder(), 'state.json');
    writeFileSync(file, '{"other":true}');
    const { code, stderr } = await runCli(['simulate', '--port', '0', '--state', file]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${file}: expected a saved state of this version`);
    expect(readFileSync(file, 'utf8')).toBe('{"other":true}');
  });

  test('refuses --manual together with CLOCK_FILE', async () => {
    const file = join(folder(), 'clock');
    writeFileSync(file, '2026-03-02T09:00:00+01:00');
    const { code, stderr } = await runCli(['simulate', '--port', '0', '--manual'], { CLOCK_FILE: file });
    expect(code).toBe(2);
    expect(stderr).toContain('cannot be used with CLOCK_FILE, which sets the time');
  });
});
