import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { runWorker } from '../../../src/scheduler/run-worker';
import { startLoop } from '../../../src/scheduler/start-loop';

// Goal: a loop never starts a call before the last one ended, continues after errors, and logs each outage once.
// Method: fake timers, so that the test triggers each tick.

const EVERY_MS = 1_000;

describe("A scheduler's loop", () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  const tick = async (): Promise<void> => {
    jest.advanceTimersByTime(EVERY_MS);
    await turn();
  };

  test('starts no check while another one runs', async () => {
    let looks = 0;
    let end: () => void = () => undefined;
    const loop = startLoop(
      EVERY_MS,
      () => {
        looks += 1;
        return new Promise<void>((resolve) => (end = resolve));
      },
      () => undefined,
    );
    await tick();
    await tick();
    expect(looks).toBe(1);
    end();
    await turn();
    await tick();
    expect(looks).toBe(2);
    end();
    await loop.stop();
  });

  test('logs each outage once', async () => {
    const said: unknown[] = [];
    const outcomes = ['first', 'first', undefined, 'second', 'second'];
    const loop = startLoop(
      EVERY_MS,
      async () => {
        const outcome = outcomes.shift();
        if (outcome !== undefined) throw new Error(outcome);
      },
      (error) => void said.push(error),
    );
    for (let look = 0; look < 5; look += 1) await tick();
    expect(said).toEqual([new Error('first'), new Error('second')]);
    await loop.stop();
  });

  test('starts no check after it was stopped', async () => {
    let looks = 0;
    const loop = startLoop(
      EVERY_MS,
      async () => void (looks += 1),
      () => undefined,
    );
    await tick();
    await loop.stop();
    await tick();
    expect(looks).toBe(1);
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
