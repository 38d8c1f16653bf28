import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createReadiness, type Database } from '../../../src/db';
import { silentLogger } from '../../../src/logging';
import { fixedClock } from '../../support/fakes';

// Goal: a probe gets its answer within the documented two seconds, also through an event loop that is busy for a moment.
// Method: timers that are moved by hand, and a database that never answers.

const BOUND_MS = 2_000;
/** How long another request may hold the event loop when the answer is due, for example to parse a large file. */
const BUSY_MS = 300;

const never = (): Promise<never> => new Promise(() => undefined);

function hanging(deadlines: (number | undefined)[] = []): Database {
  const database = {
    dialect: 'mariadb',
    isWritable: () => Promise.resolve(true),
    read: (_work: unknown, options?: { readonly deadlineMs?: number }) => {
      deadlines.push(options?.deadlineMs);
      return never();
    },
  };
  return database as unknown as Database;
}

describe('readiness of a database that never answers', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('is answered early enough for a busy event loop, to callers who share a check and to later ones', async () => {
    const clock = fixedClock(0);
    const readiness = createReadiness(hanging(), silentLogger, clock);
    const answers: string[] = [];
    const ask = (): void => void readiness().then((answer) => answers.push(answer));
    const pass = async (ms: number): Promise<void> => {
      clock.advance(ms);
      await jest.advanceTimersByTimeAsync(ms);
    };
    ask();
    ask();
    await pass(1_000);
    ask(); // the check in progress is too old for this caller, and does not end
    expect(answers).toEqual([]);
    await pass(BOUND_MS - BUSY_MS - 1_000);
    expect(answers).toEqual(['database', 'database']);
    await pass(1_000);
    expect(answers).toEqual(['database', 'database', 'database']);
  });

  test('does not leave its statements running after the answer', async () => {
    const deadlines: (number | undefined)[] = [];
    const answer = createReadiness(hanging(deadlines), silentLogger, fixedClock(0))();
    await jest.advanceTimersByTimeAsync(BOUND_MS);
    expect(await answer).toBe('database');
    expect(deadlines).toHaveLength(1);
    expect(deadlines[0]).toBeLessThanOrEqual(BOUND_MS - BUSY_MS);
  });
});
