import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { HostMonitor } from '../../../src/db/host-monitor';
import type { HostHealth } from '../../../src/db/judge-connection';

// Goal: a process leaves a host that cannot write, ends what runs there, and returns when the host has stayed well.
// Method: probes that answer what the test says, and a clock that the test moves.

const EVERY_MS = 500;
const RETURN_AFTER_MS = 10_000;

describe('HostMonitor', () => {
  let health: (HostHealth | Promise<HostHealth>)[];
  let ended: number[];
  let changes: (number | undefined)[];
  let now: number;
  let monitor: HostMonitor;

  beforeEach(() => {
    jest.useFakeTimers();
    health = ['well', 'well', 'well'];
    ended = [];
    changes = [];
    now = 0;
    monitor = new HostMonitor(
      {
        count: 3,
        probe: async (host) => health[host] as HostHealth,
        endConnections: (host) => void ended.push(host),
        changed: (_from, to) => void changes.push(to),
      },
      { everyMs: EVERY_MS, returnAfterMs: RETURN_AFTER_MS, clock: { now: () => now } },
    );
  });
  afterEach(() => {
    monitor.stop();
    jest.useRealTimers();
  });

  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += EVERY_MS) {
      now += EVERY_MS;
      await jest.advanceTimersByTimeAsync(EVERY_MS);
    }
  };

  test('F28: begins at the preferred host without waiting for the others', async () => {
    health[1] = new Promise(() => undefined);
    await monitor.begin();
    expect(monitor.writer).toBe(0);
  });

  test('F28: begins at the best host once every host was probed', async () => {
    health = ['lost', 'limited', 'well'];
    await monitor.begin();
    expect(monitor.writer).toBe(2);
  });

  test('F28: leaves a lost host at the next probe and ends its connections', async () => {
    await monitor.begin();
    health[0] = 'lost';
    await pass(EVERY_MS);
    expect(monitor.writer).toBe(1);
    expect(new Set(ended)).toEqual(new Set([0]));
  });

  test('F28: leaves a host immediately that a connection reports as lost', async () => {
    await monitor.begin();
    monitor.report(0, 'lost');
    expect([monitor.writer, ended]).toEqual([1, [0]]);
  });

  test('F28: ends the connections of a silent host only after another one is better', async () => {
    await monitor.begin();
    health = ['silent', 'silent', 'silent'];
    await pass(EVERY_MS);
    expect(monitor.writer).toBe(2); // while the others were silent already, this one was not
    health = ['silent', 'lost', 'lost'];
    await pass(EVERY_MS);
    ended = [];
    await pass(EVERY_MS);
    expect([monitor.writer, ended.includes(0)]).toEqual([0, false]);
    health = ['silent', 'lost', 'well'];
    await pass(EVERY_MS);
    expect([monitor.writer, ended.includes(0)]).toEqual([2, true]);
  });

  test('F28: leaves the statements on a read-only host to end, and sends new ones elsewhere', async () => {
    await monitor.begin();
    health[0] = 'limited';
    await pass(EVERY_MS);
    expect([monitor.writer, ended]).toEqual([1, []]);
  });

  test('F28: returns to the preferred host after it has stayed well for the whole time', async () => {
    await monitor.begin();
    health[0] = 'lost';
    await pass(EVERY_MS);
    health[0] = 'well';
    await pass(RETURN_AFTER_MS - EVERY_MS);
    health[0] = 'lost'; // it comes and goes: the time begins again
    await pass(EVERY_MS);
    health[0] = 'well';
    await pass(RETURN_AFTER_MS);
    expect(monitor.writer).toBe(1);
    await pass(EVERY_MS);
    expect([monitor.writer, changes]).toEqual([0, [0, 1, 0]]);
  });

  test('F28: names no host while all are lost, and the first one that is back', async () => {
    await monitor.begin();
    health = ['lost', 'lost', 'lost'];
    await pass(EVERY_MS);
    expect(monitor.writer).toBeUndefined();
    health[2] = 'well';
    await pass(EVERY_MS);
    expect(monitor.writer).toBe(2);
  });

  test('F28: probes no host after its stop', async () => {
    await monitor.begin();
    monitor.stop();
    health[0] = 'lost';
    await pass(5 * EVERY_MS);
    monitor.report(0, 'lost');
    expect([monitor.writer, ended, jest.getTimerCount()]).toEqual([0, [], 0]);
  });
});
