import { schedule } from 'node-cron';
import { DAY_MS } from '../kernel';
import type { Job } from './job';

/**
 * Calls `tick` at the schedule of each job, by node-cron, until one of the returned functions ends that job's. `tick`
 * must check every job, because node-cron's own tick of one may be late or left out: its timer stands still while the
 * machine sleeps, and it leaves out a time that a clock change skips (ADR 14).
 */
export function tickAtSchedules(
  jobs: readonly Pick<Job, 'name' | 'cron'>[],
  timeZone: string,
  tick: () => void,
): (() => void)[] {
  return jobs.map(({ name, cron }) => {
    const task = schedule(cron, tick, {
      name,
      timezone: timeZone,
      missedExecutionTolerance: DAY_MS, // by default a tick that is a second late is left out
      suppressMissedWarning: true,
      logger: { info() {}, warn() {}, error() {}, debug() {} }, // node-cron's own prints to stdout
    });
    return () => void task.destroy();
  });
}
