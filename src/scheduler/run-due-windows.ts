import type { Database } from '../db';
import { AppError, formatInstant, type Instant, isAppError, MINUTE_MS } from '../kernel';
import type { Logger } from '../logging';
import { dueWindows, newestWindows } from './due-windows';
import type { Job, Lease, SchedulerDeps, Stopping } from './job';
import { type JobClaim, openJobClaimStore } from './job-claim-store';
import { type JobProgress, openJobRunStore } from './job-run-store';
import { type PostponedWindow, runWindow } from './run-window';

const CATCH_UP_MAX = 40;
/** Clocks of replicas differ by seconds. A window that ended further in the future was run by a wrong clock. */
const AHEAD_MAX_MS = 2 * MINUTE_MS;

/** A job's progress as this process knows it. Other processes may be ahead, never behind. */
export interface KnownProgress {
  ended?: Instant;
  /** A window that is returned when the database answers again. */
  postponed?: PostponedWindow | undefined;
}

/**
 * Runs every due window of a job, oldest first: first a window that was started and did not end, then the newest
 * `catchUpMax` of the others. Returns whether none is left: another process may run one, or one runs again later.
 */
export async function runDueWindows(
  deps: SchedulerDeps,
  job: Job,
  startedAt: Instant,
  stopping: Stopping,
  known: KnownProgress = {},
): Promise<boolean> {
  const { database, clock, calendar, logger } = deps;
  const now = clock.now();
  if (known.postponed !== undefined) {
    await returnWindow(database, known.postponed);
    known.postponed = undefined;
  }
  if (known.ended !== undefined && dueWindows(job.cron, known.ended, now, calendar).length === 0) return true;
  const progress = await database.read((session) => openJobRunStore(session).progress(job.name));
  if (progress.ended !== undefined) {
    // Checked once per process, which is enough until the instant has passed.
    if (known.ended === undefined && progress.ended > now + AHEAD_MAX_MS) warnOfTimeAhead(logger, job, progress.ended);
    known.ended = progress.ended;
  }
  const { open } = progress;
  const missed = dueWindows(job.cron, dueAfter(progress, startedAt), now, calendar);
  // Windows before one that was started have already been skipped.
  const later = open === undefined ? missed : missed.filter((window) => window > open);
  const { due, passedOver } = newestWindows(later, job.catchUpMax ?? CATCH_UP_MAX);
  const begun = open === undefined || open > now ? [] : [open];
  for (const window of [...begun, ...due]) {
    if (stopping.stopped.aborted) return true;
    const claim = await claimWindow(database, job, window);
    if (claim === undefined) return false; // another process runs it or is ahead; the windows after it wait
    if (passedOver > 0 && window === due[0]) {
      logger.info('missed windows of a job were passed over', { event: 'jobs.passed_over', job: job.name, passedOver });
    }
    const end = await runWindow(deps, job, { claim, lease: leaseOf(claim), stopping });
    if (typeof end === 'object') {
      known.postponed = end;
      await returnWindow(database, end);
      known.postponed = undefined;
    }
    if (end !== 'ended') return false; // it runs again later, or another process took it over and may still run it
  }
  return true;
}

/** Returns a window that runs again after its pause, in any process. */
async function returnWindow(database: Database, { claim, pauseMs }: PostponedWindow): Promise<void> {
  await database.transact((session) => openJobClaimStore(session).giveBack(claim, pauseMs), {
    retryUnknownOutcome: true, // a second time it returns nothing
  });
}

/** Logs that the job is paused: none of its windows runs until that instant has passed. */
function warnOfTimeAhead(logger: Logger, job: Job, until: Instant): void {
  logger.warn('job paused: its last window is in the future', {
    event: 'jobs.ahead_of_clock',
    job: job.name,
    until: formatInstant(until),
  });
}

/**
 * Returns the instant after which windows are due. A job without an ended window starts with this process, or with the
 * process that started a window and did not end it.
 */
function dueAfter({ ended, open }: JobProgress, startedAt: Instant): Instant {
  if (ended !== undefined) return ended;
  return open === undefined ? startedAt : Math.min(open - 1, startedAt);
}

async function claimWindow(database: Database, job: Job, window: Instant): Promise<JobClaim | undefined> {
  const { name, leaseMs, keptRuns } = job;
  try {
    return await database.transact((session) => openJobClaimStore(session).claim(name, window, { leaseMs, keptRuns }));
  } catch (error) {
    if (isAppError(error, 'duplicate_key', 'conflict')) return undefined;
    throw error;
  }
}

function leaseOf(claim: JobClaim): Lease {
  return {
    async requireHeld(session) {
      if (await openJobClaimStore(session).hold(claim)) return;
      throw new AppError('interrupted', 'another process has the window');
    },
  };
}
