import type { Database } from '../db';
import { AppError, formatInstant, type Instant, isAppError, MINUTE_MS } from '../kernel';
import type { Logger } from '../logging';
import { dueWindows, newestWindows } from './due-windows';
import type { Job, Lease, SchedulerDeps, Stopping } from './job';
import { type JobClaim, type JobProgress, openJobRunStore } from './job-run-store';
import { runWindow } from './run-window';

const CATCH_UP_MAX = 40;
/** Clocks of replicas differ by seconds. A window that ended further ahead was run by a wrong clock. */
const AHEAD_MAX_MS = 2 * MINUTE_MS;

/** The progress of a job that this process knows: others may be further by now, never behind. */
export interface KnownProgress {
  ended?: Instant;
}

/**
 * Runs every window of a job that is due now, oldest first: first a window that was begun and did not end, then the
 * newest `catchUpMax` of the others.
 */
export async function runDueWindows(
  deps: SchedulerDeps,
  job: Job,
  startedAt: Instant,
  stopping: Stopping,
  known: KnownProgress = {},
): Promise<void> {
  const { database, clock, calendar, logger } = deps;
  const now = clock.now();
  if (known.ended !== undefined && dueWindows(job.cron, known.ended, now, calendar).length === 0) return;
  const progress = await database.read((session) => openJobRunStore(session).progress(job.name));
  if (progress.ended !== undefined) {
    // Read once per process: that suffices until the instant has passed.
    if (known.ended === undefined && progress.ended > now + AHEAD_MAX_MS) warnOfTimeAhead(logger, job, progress.ended);
    known.ended = progress.ended;
  }
  const { open } = progress;
  const missed = dueWindows(job.cron, dueAfter(progress, startedAt), now, calendar);
  // Windows before one that was begun were passed over already.
  const later = open === undefined ? missed : missed.filter((window) => window > open);
  const { due, passedOver } = newestWindows(later, job.catchUpMax ?? CATCH_UP_MAX);
  const begun = open === undefined || open > now ? [] : [open];
  for (const window of [...begun, ...due]) {
    if (stopping.stopped.aborted) return;
    const claim = await claimWindow(database, job, window);
    if (claim === undefined) return; // another process runs it or is further; the windows after it wait
    if (passedOver > 0 && window === due[0]) {
      logger.info('missed windows of a job were passed over', { event: 'jobs.passed_over', job: job.name, passedOver });
    }
    const ended = await runWindow(deps, job, { claim, lease: leaseOf(claim), stopping });
    if (!ended) return; // it passed to another process, which may still run it
  }
}

/** No window runs until that instant has passed, so the pause of the job is logged. */
function warnOfTimeAhead(logger: Logger, job: Job, until: Instant): void {
  logger.warn('job paused: its last window is in the future', {
    event: 'jobs.ahead_of_clock',
    job: job.name,
    until: formatInstant(until),
  });
}

/** A job that never ended a window starts with this process, or with the one that began a window and did not end it. */
function dueAfter({ ended, open }: JobProgress, startedAt: Instant): Instant {
  if (ended !== undefined) return ended;
  return open === undefined ? startedAt : Math.min(open - 1, startedAt);
}

async function claimWindow(database: Database, job: Job, window: Instant): Promise<JobClaim | undefined> {
  const { name, leaseMs, keptRuns } = job;
  try {
    return await database.transact((session) => openJobRunStore(session).claim(name, window, { leaseMs, keptRuns }));
  } catch (error) {
    if (isAppError(error, 'duplicate_key', 'conflict')) return undefined;
    throw error;
  }
}

function leaseOf(claim: JobClaim): Lease {
  return {
    async requireHeld(session) {
      if (await openJobRunStore(session).hold(claim)) return;
      throw new AppError('interrupted', 'another process has the window');
    },
  };
}
