import type { Database } from '../db';
import type { BusinessCalendar, Clock, Instant } from '../kernel';
import { dueWindows } from './due-windows';
import type { Job } from './job';
import { type LastRuns, openJobRunStore } from './job-run-store';

/** How far a job is. */
export interface JobState extends LastRuns {
  readonly name: string;
  /** Undefined for a job that ran earlier and is no longer scheduled. */
  readonly cron: string | undefined;
  /** The age of the oldest window that is due and has not ended; undefined if the job never ran. */
  readonly lagMs: number | undefined;
}

/** Returns the states of scheduled jobs in their order, then those of jobs that are no longer scheduled. */
export async function jobStates(
  {
    database,
    clock,
    calendar,
  }: { readonly database: Database; readonly clock: Clock; readonly calendar: BusinessCalendar },
  jobs: readonly Pick<Job, 'name' | 'cron'>[],
): Promise<JobState[]> {
  const runs = await database.read((session) => openJobRunStore(session).lastRuns(), { snapshot: true });
  const now = clock.now();
  const lagOf = (cron: string, ended: Instant | undefined): number | undefined => {
    if (ended === undefined) return undefined;
    const [oldest] = dueWindows(cron, ended, now, calendar);
    return oldest === undefined ? 0 : now - oldest;
  };
  const scheduled = jobs.map(({ name, cron }): JobState => {
    const { ended, running } = runs.get(name) ?? { ended: undefined, running: undefined };
    return { name, cron, ended, running, lagMs: lagOf(cron, ended?.window) };
  });
  const names = new Set(jobs.map(({ name }) => name));
  const former = [...runs].filter(([name]) => !names.has(name));
  return [...scheduled, ...former.map(([name, of]): JobState => ({ name, cron: undefined, ...of, lagMs: undefined }))];
}
