import { expect, test } from '@jest/globals';
import { createRefresher, type Refresher } from '../../../src/kernel';
import { type FixedClock, fixedClock } from '../../support/fakes';

interface Reading {
  finish(): void;
  fail(error: Error): void;
}

/** A refresher of 500 ms whose readings end when the test says so. */
function slowRefresher(): { refresher: Refresher; clock: FixedClock; readings: Reading[] } {
  const clock = fixedClock(0);
  const readings: Reading[] = [];
  const read = (): Promise<void> =>
    new Promise((finish, fail) => {
      readings.push({ finish, fail });
    });
  return { refresher: createRefresher(500, read, clock), clock, readings };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('shares one reading among concurrent callers and keeps it for 500 ms', async () => {
  const { refresher, clock, readings } = slowRefresher();
  const all = Promise.all([refresher.fresh(), refresher.fresh(), refresher.fresh()]);
  readings[0]?.finish();
  await all;
  clock.advance(500);
  await refresher.fresh();
  expect(readings).toHaveLength(1);
  clock.advance(1);
  const again = refresher.fresh();
  expect(readings).toHaveLength(2);
  readings[1]?.finish();
  await again;
});

test('makes a late caller of a hanging reading wait for the next one', async () => {
  const { refresher, clock, readings } = slowRefresher();
  const early = refresher.fresh();
  clock.advance(501);
  let lateIsDone = false;
  const late = refresher.fresh().then(() => {
    lateIsDone = true;
  });
  readings[0]?.finish();
  await early;
  await settle();
  expect({ lateIsDone, readings: readings.length }).toEqual({ lateIsDone: false, readings: 2 });
  readings[1]?.finish();
  await late;
});

test('fails all callers of a failed reading, and reads again for the next', async () => {
  const { refresher, readings } = slowRefresher();
  const first = refresher.fresh();
  const second = refresher.fresh();
  readings[0]?.fail(new Error('down'));
  await expect(first).rejects.toThrow('down');
  await expect(second).rejects.toThrow('down');
  const third = refresher.fresh();
  readings[1]?.finish();
  await third;
});

test('reads again after expire, even if a reading was in progress', async () => {
  const { refresher, readings } = slowRefresher();
  const asked = refresher.fresh();
  refresher.expire();
  readings[0]?.finish();
  await settle();
  expect(readings).toHaveLength(2);
  readings[1]?.finish();
  await asked;
});
