import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '../../../src/kernel';
import { tickAtSchedules } from '../../../src/scheduler/tick-at-schedules';

// Goal: node-cron ticks at each schedule in the business time zone, and no late or skipped tick costs a job its day.
// Method: fake timers and a fake system clock, which the test moves apart as a sleeping machine does.

const DAILY = { name: 'reconcile', cron: '30 6 * * *' };
const EVERY_MINUTE = { name: 'poll', cron: '* * * * *' };

describe('The ticks of the jobs', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Starts at `at`, runs `steps`, and returns the instants of the ticks. */
  async function ticksOf(
    jobs: Parameters<typeof tickAtSchedules>[0],
    { at, timeZone = 'Africa/Tunis' }: { at: string; timeZone?: string },
    steps: () => Promise<void>,
  ): Promise<string[]> {
    jest.setSystemTime(new Date(at));
    const ticks: string[] = [];
    const ends = tickAtSchedules(jobs, timeZone, () => void ticks.push(new Date().toISOString()));
    await steps();
    ends.forEach((end) => end());
    await jest.advanceTimersByTimeAsync(48 * HOUR_MS);
    return ticks;
  }

  test('come at the local time of each schedule, and end', async () => {
    const ticks = await ticksOf([DAILY], { at: '2026-03-02T05:00:00Z' }, () =>
      jest.advanceTimersByTimeAsync(25 * HOUR_MS),
    );
    expect(ticks).toEqual(['2026-03-02T05:30:00.000Z', '2026-03-03T05:30:00.000Z']);
  });

  test('come late if the process was busy when they were due', async () => {
    const ticks = await ticksOf([DAILY], { at: '2026-03-02T05:29:00Z' }, async () => {
      jest.setSystemTime(new Date('2026-03-02T05:37:00Z')); // the clock goes on and no timer is called
      await jest.advanceTimersByTimeAsync(MINUTE_MS);
    });
    expect(ticks).toEqual(['2026-03-02T05:38:00.000Z']);
  });

  test('of another job come within a minute after the machine slept, and after a clock change that skips a time', async () => {
    const asleep = await ticksOf([DAILY, EVERY_MINUTE], { at: '2026-03-02T02:00:00Z' }, async () => {
      jest.setSystemTime(new Date('2026-03-02T09:00:00Z'));
      await jest.advanceTimersByTimeAsync(MINUTE_MS);
    });
    expect(asleep).toEqual(['2026-03-02T09:01:00.000Z']);
    const skipped = { ...DAILY, cron: '30 2 * * *' };
    const changed = await ticksOf(
      [skipped, EVERY_MINUTE],
      { at: '2026-03-29T00:59:30Z', timeZone: 'Europe/Paris' },
      () => jest.advanceTimersByTimeAsync(31 * MINUTE_MS),
    );
    expect(changed.at(-1)).toBe('2026-03-29T01:30:00.000Z');
    // Why the tick of one job checks all of them: alone, this one has none on that day.
    const alone = await ticksOf([skipped], { at: '2026-03-29T00:59:30Z', timeZone: 'Europe/Paris' }, () =>
      jest.advanceTimersByTimeAsync(6 * HOUR_MS),
    );
    expect(alone).toEqual([]);
  });
});
