import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { runWorker } from '../../../src/scheduler/run-worker';
import { startLoop } from '../../../src/scheduler/start-loop';

// Goal: a loop never starts a check before the last one ended, repeats unfinished ones, and logs each outage once.
// Method: fake timers, so that the test triggers each repeat.

const REPEAT_MS = 1_000;

describe("A scheduler's loop", () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  const pass = async (): Promise<void> => {
    jest.advanceTimersByTime(REPEAT_MS);
    await turn();
  };

  test('checks at its start and when it is woken, and not in between', async () => {
    let checks = 0;
    const loop = startLoop(
      async () => (checks += 1) > 0,
      () => undefined,
    );
    await pass();
    expect(checks).toBe(1);
    loop.wake();
    await pass();
    expect(checks).toBe(2);
    await loop.stop();
  });

  test('starts no check while another one runs, and one more if it was woken meanwhile', async () => {
    const ends: (() => void)[] = [];
    const loop = startLoop(
      () => new Promise((resolve) => ends.push(() => resolve(true))),
      () => undefined,
    );
    loop.wake();
    loop.wake();
    await pass();
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await pass();
    expect(ends).toHaveLength(2);
    ends[1]?.();
    await pass();
    expect(ends).toHaveLength(2);
    await loop.stop();
  });

  test('repeats a check each second until it is finished', async () => {
    const outcomes = [false, false, true, true];
    const loop = startLoop(
      async () => outcomes.shift() ?? true,
      () => undefined,
    );
    for (let second = 0; second < 5; second += 1) await pass();
    expect(outcomes).toEqual([true]);
    await loop.stop();
  });

  test('logs each outage once', async () => {
    const said: unknown[] = [];
    const outcomes = ['first', 'first', undefined, 'second', 'second'];
    const loop = startLoop(
      async () => {
        const outcome = outcomes.shift();
        if (outcome !== undefined) throw new Error(outcome);
        return false;
      },
      (error) => void said.push(error),
    );
    for (let check = 0; check < 5; check += 1) await pass();
    expect(said).toEqual([new Error('first'), new Error('second')]);
    await loop.stop();
  });

  test('starts no check after it was stopped', async () => {
    let checks = 0;
    const loop = startLoop(
      async () => (checks += 1) < 0,
      () => undefined,
    );
    await loop.stop();
    loop.wake();
    await pass();
    expect(checks).toBe(1);
  });
});

describe("A scheduler's worker", () => {
  const stopping = (): { stopped: AbortController; leave: AbortController; aborted: AbortController } => ({
    stopped: new AbortController(),
    leave: new AbortController(),
    aborted: new AbortController(),
  });
  const run = (
    { stopped, leave, aborted }: ReturnType<typeof stopping>,
    work: (signal: AbortSignal) => Promise<number>,
  ): Promise<void> =>
    runWorker({ name: 'w', run: work }, { stopped: stopped.signal, leave: leave.signal, aborted: aborted.signal });

  test('is called again immediately while it finds work', async () => {
    const found = [3, 1, 0, 5];
    await run(stopping(), async () => found.shift() ?? 0);
    expect(found).toEqual([5]);
  });

  test('begins no further work once the process stops', async () => {
    const stop = stopping();
    let calls = 0;
    await run(stop, async () => {
      stop.stopped.abort();
      return (calls += 1);
    });
    expect(calls).toBe(1);
  });

  test('may throw when it is asked to leave, and fails when it throws otherwise', async () => {
    const stop = stopping();
    await run(stop, async (signal) => {
      stop.leave.abort(new Error('the process stops'));
      signal.throwIfAborted();
      return 0;
    });
    const failing = run(stopping(), async () => Promise.reject(new Error('a bug')));
    await expect(failing).rejects.toThrow('a bug');
  });

  test('is abandoned when it does not leave in time', async () => {
    const stop = stopping();
    await run(stop, () => {
      stop.aborted.abort();
      return new Promise(() => undefined);
    });
    await run(stop, () => new Promise(() => undefined));
    expect(stop.aborted.signal.aborted).toBe(true);
  });
});
