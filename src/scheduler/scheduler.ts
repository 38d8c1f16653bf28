import { schedule } from 'node-cron';
import type { Database } from '../db';
import { isAppError, type BusinessCalendar, type Clock, type Instant } from '../kernel';
import type { Logger } from '../logging';
import { dueWindows } from './due-windows';
import { openJobRunBook, type JobClaim } from './job-run-store';

/** Something that runs by the clock, once per window over all processes. */
export interface Job {
  readonly name: string;
  /** `minute hour day month weekday` in the business time zone. */
  readonly cron: string;
  /** How long a run may take before another process may take it over. */
  readonly leaseMs: number;
  run(window: Instant): Promise<void>;
}

export interface SchedulerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly logger: Logger;
  /** Whether the business clock is a file that may jump: then we look at it about twenty times a second. */
  readonly clockJumps: boolean;
}

const JUMPING_CLOCK_TICK_MS = 50;

/** Looks every second for windows that are due and runs them, oldest first, one after the other. */
export function startScheduler(deps: SchedulerDeps, jobs: readonly Job[]): { stop(): Promise<void> } {
  const startedAt = deps.clock.now();
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  let busy = false;
  let troubled = false;
  const tick = (): void => {
    if (busy || stopped) return;
    busy = true;
    running = runDueJobs(deps, jobs, startedAt, () => stopped)
      .then(() => {
        troubled = false;
      })
      .catch((error: unknown) => {
        // Said once for each outage, not at every tick of it.
        if (!troubled) deps.logger.warn('jobs could not be looked at', { event: 'jobs.unavailable', error });
        troubled = true;
      })
      .finally(() => {
        busy = false;
      });
  };
  const stopTicking = startTicking(tick, deps.clockJumps);
  return {
    async stop() {
      stopped = true;
      await stopTicking();
      await running;
    },
  };
}

function startTicking(tick: () => void, clockJumps: boolean): () => Promise<void> {
  if (clockJumps) {
    const timer = setInterval(tick, JUMPING_CLOCK_TICK_MS);
    return async () => clearInterval(timer);
  }
  const task = schedule('* * * * * *', tick);
  return async () => {
    await task.destroy();
  };
}

/** The last window of each job that ended, for people. */
export async function jobWatermarks(database: Database): Promise<Map<string, Instant>> {
  return database.read((session) => openJobRunBook(session).watermarks());
}

/** Runs every window that is due now; exported for tests and for `startScheduler`. */
export async function runDueJobs(
  deps: SchedulerDeps,
  jobs: readonly Job[],
  startedAt: Instant,
  isStopped: () => boolean,
): Promise<void> {
  for (const job of jobs) {
    const watermark = await deps.database.read((session) => openJobRunBook(session).watermark(job.name));
    for (const window of dueWindows(job.cron, watermark ?? startedAt, deps.clock.now(), deps.calendar)) {
      if (isStopped()) return;
      const claim = await claimWindow(deps.database, job, window);
      if (claim === undefined) break; // somebody is at it; the windows after it wait
      if (!(await runWindow(deps, job, claim))) break; // it passed to somebody else, who may still be at it
    }
  }
}

async function claimWindow(database: Database, job: Job, window: Instant): Promise<JobClaim | undefined> {
  try {
    return await database.transact((session) => openJobRunBook(session).claim(job.name, window, job.leaseMs));
  } catch (error) {
    if (isAppError(error, 'duplicate_key')) return undefined;
    throw error;
  }
}

/** Runs and ends a window. False when its lease had passed to somebody else meanwhile. */
async function runWindow({ database, logger }: SchedulerDeps, job: Job, claim: JobClaim): Promise<boolean> {
  let failure: unknown;
  try {
    await job.run(claim.window);
  } catch (error) {
    failure = error;
    logger.error('a job failed', { event: 'jobs.failed', job: job.name, error });
  }
  const status = failure === undefined ? 'done' : 'failed';
  const message = failure instanceof Error ? failure.message : '';
  const ended = await database.transact((session) => openJobRunBook(session).finish(claim, status, message));
  if (!ended) logger.warn('a job ended after its lease', { event: 'jobs.lease_lost', job: job.name });
  return ended;
}
