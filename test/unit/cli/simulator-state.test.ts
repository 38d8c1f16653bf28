import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { keepState, readState } from '../../../src/cli/simulator-state';
import { SECOND_MS } from '../../../src/kernel';
import { aSimulator, passTime } from '../../support/a-simulator';
import { recordingLogger } from '../../support/fakes';

// Goal: an acknowledged change of the simulator is in its file a second later, and an idle simulator writes nothing.
// Method: timers moved by hand; each write asks the simulator to be at rest, and the test counts these calls.

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millime-state-'));
  path = join(folder, 'state.json');
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
});

afterEach(() => {
  jest.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

async function kept() {
  const simulator = aSimulator();
  let writes = 0;
  const counted = {
    ...simulator,
    whenAtRest: <T>(read: () => T): Promise<T> => {
      writes += 1;
      return simulator.whenAtRest(read);
    },
  };
  const logger = recordingLogger();
  const keeper = await keepState(path, counted, logger);
  return { simulator, keeper, logger, writes: () => writes };
}

/** Waits for the disk, which timers know nothing of. */
async function untilSaved(holds: (world: ReturnType<typeof savedWorld>) => boolean): Promise<void> {
  while (!holds(savedWorld())) await new Promise((resolve) => setImmediate(resolve));
}

const savedWorld = () => {
  const state = readState(path);
  if (state === undefined) throw new Error('there is no state');
  return state.world;
};

describe('the state file of the simulator', () => {
  test('exists from the start, and is written once for all changes of a second', async () => {
    const { simulator, keeper, writes } = await kept();
    expect(savedWorld().trace).toEqual([]);
    expect(writes()).toBe(1);

    for (const n of [1, 2, 3]) simulator.simulation.record('something', { n });
    await jest.advanceTimersByTimeAsync(SECOND_MS);
    await untilSaved(({ trace }) => trace.length === 3);
    expect(writes()).toBe(2);
    await keeper.end();
  });

  test('is not written without a change, and a last time at the end', async () => {
    const { keeper, writes } = await kept();
    await jest.advanceTimersByTimeAsync(60 * SECOND_MS);
    expect(writes()).toBe(1);
    await keeper.end();
    expect(writes()).toBe(2);
  });

  test('contains the time to which the clock was moved', async () => {
    const { simulator, keeper } = await kept();
    const before = savedWorld().now;
    await passTime(simulator, SECOND_MS);
    await jest.advanceTimersByTimeAsync(SECOND_MS);
    await untilSaved(({ now }) => now === before + SECOND_MS);
    await keeper.end();
  });

  test('is refused immediately if it cannot be written', async () => {
    path = join(folder, 'nowhere', 'state.json');
    await expect(kept()).rejects.toMatchObject({ code: 'bad_input', message: `${path}: cannot be written (ENOENT)` });
  });

  test('is reported once if it can no longer be written', async () => {
    const { simulator, keeper, logger, writes } = await kept();
    rmSync(folder, { recursive: true });
    simulator.simulation.record('something', {});
    for (let tries = 2; tries <= 4; tries += 1) {
      while (writes() < tries) {
        await jest.advanceTimersByTimeAsync(SECOND_MS);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    await expect(keeper.end()).rejects.toMatchObject({ code: 'bad_input' });
    expect(logger.events('simulator.not_saved')).toHaveLength(1);
  });

  test('is named in the error if it contains another document', () => {
    writeFileSync(path, '{"other":true}');
    expect(() => readState(path)).toThrow(`${path}: expected a saved state of this version`);
    expect(readFileSync(path, 'utf8')).toBe('{"other":true}');
  });
});
