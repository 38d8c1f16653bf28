import type { Database } from '../db';
import { AppError, isAppError, type BusinessCalendar, type Clock, type Instant } from '../kernel';
import type { Logger } from '../logging';
import { dueWindows } from './due-windows';
import { openJobRunBook, type JobClaim, type JobRunBook } from './job-run-store';

/** Something that runs by the clock, once per window over all processes. */
export interface Job {
  readonly name: string;
  /** `minute hour day month weekday` in the business time zone. */
  readonly cron: string;
  /** How long a run may take before another process may take it over. */
  readonly leaseMs: number;
  /**
   * Does the work of a window. When `signal` is aborted the process stops: the job should leave at the next point at which
   * another process can go on, by throwing the signal's reason.
   */
  run(window: Instant, signal: AbortSignal): Promise<void>;
}

/** How a process that stops parts with its jobs, in the order in which the three are aborted. */
export interface Stopping {
  /** No further window is begun. */
  readonly stopped: AbortSignal;
  /** The running job is asked to leave. */
  readonly leave: AbortSignal;
  /** Its window is given back, whether it has left or not. */
  readonly cut: AbortSignal;
}

export interface SchedulerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly logger: Logger;
  /** Whether the business clock is a file that may jump: then we look at it about twenty times a second. */
  readonly clockJumps: boolean;
}

const TICK_MS = 1_000;
const JUMPING_CLOCK_TICK_MS = 50;

// A stop has 10 s in all. A job that is nearly done should get done, rather than be done again.
const FINISH_MS = 3_000;
const LEAVE_MS = 1_000;
/** For giving a window back, which must not wait long for a database that hangs: its lease ends by itself as well. */
const GIVE_BACK_MS = 1_000;

/**
 * Looks every second for windows that are due and runs them, oldest first, one after the other. `stop` begins no further
 * window; a job that runs has 3 s to end and 1 s to leave, and then its window is another process's.
 */
export function startScheduler(deps: SchedulerDeps, jobs: readonly Job[]): { stop(): Promise<void> } {
  const startedAt = deps.clock.now();
  const stopped = new AbortController();
  const leave = new AbortController();
  const cut = new AbortController();
  const stopping: Stopping = { stopped: stopped.signal, leave: leave.signal, cut: cut.signal };
  let running: Promise<void> = Promise.resolve();
  let busy = false;
  let troubled = false;
  const tick = (): void => {
    if (busy || stopped.signal.aborted) return;
    busy = true;
    running = runDueJobs(deps, jobs, startedAt, stopping)
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
  const ticking = setInterval(tick, deps.clockJumps ? JUMPING_CLOCK_TICK_MS : TICK_MS);
  return {
    async stop() {
      stopped.abort();
      const timers = [
        setTimeout(() => leave.abort(new AppError('interrupted', 'the process stops')), FINISH_MS),
        setTimeout(() => cut.abort(), FINISH_MS + LEAVE_MS),
      ];
      clearInterval(ticking);
      await running;
      timers.forEach(clearTimeout);
    },
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
  stopping: Stopping,
): Promise<void> {
  for (const job of jobs) {
    const after = await deps.database.read((session) => dueAfter(openJobRunBook(session), job.name, startedAt));
    for (const window of dueWindows(job.cron, after, deps.clock.now(), deps.calendar)) {
      if (stopping.stopped.aborted) return;
      const claim = await claimWindow(deps.database, job, window);
      if (claim === undefined) break; // somebody is at it; the windows after it wait
      if (!(await runWindow(deps, job, claim, stopping))) break; // it passed to somebody else, who may still be at it
    }
  }
}

/** A job that never ended a window starts with this process, or with the one that began a window and did not end it. */
async function dueAfter(book: JobRunBook, name: string, startedAt: Instant): Promise<Instant> {
  const ended = await book.watermark(name);
  if (ended !== undefined) return ended;
  const open = await book.oldestOpen(name);
  return open === undefined ? startedAt : Math.min(open - 1, startedAt);
}

async function claimWindow(database: Database, job: Job, window: Instant): Promise<JobClaim | undefined> {
  try {
    return await database.transact((session) => openJobRunBook(session).claim(job.name, window, job.leaseMs));
  } catch (error) {
    if (isAppError(error, 'duplicate_key')) return undefined;
    throw error;
  }
}

type Ending =
  { readonly kind: 'done' } | { readonly kind: 'cut' } | { readonly kind: 'failed'; readonly error: unknown };

/** Runs and ends a window. False when it is not over: its lease had passed to somebody else, or was given back. */
async function runWindow(deps: SchedulerDeps, job: Job, claim: JobClaim, stopping: Stopping): Promise<boolean> {
  const { database, logger } = deps;
  const ending = await Promise.race([runJob(job, claim, stopping.leave), cutAt(stopping.cut)]);
  if (ending.kind === 'cut') {
    logger.warn('a job was cut short; its window is free', { event: 'jobs.given_back', job: job.name });
    await database.transact((session) => openJobRunBook(session).giveBack(claim), { deadlineMs: GIVE_BACK_MS });
    return false;
  }
  if (ending.kind === 'failed') {
    logger.error('a job failed', { event: 'jobs.failed', job: job.name, error: ending.error });
  }
  const message = ending.kind === 'failed' && ending.error instanceof Error ? ending.error.message : '';
  const ended = await database.transact((session) => openJobRunBook(session).finish(claim, ending.kind, message));
  if (!ended) logger.warn('a job ended after its lease', { event: 'jobs.lease_lost', job: job.name });
  return ended;
}

async function runJob(job: Job, { window }: JobClaim, leave: AbortSignal): Promise<Ending> {
  try {
    await job.run(window, leave);
    return { kind: 'done' };
  } catch (error) {
    // Once it is asked to leave, whatever it throws is its way to leave.
    return leave.aborted ? { kind: 'cut' } : { kind: 'failed', error };
  }
}

function cutAt(signal: AbortSignal): Promise<Ending> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve({ kind: 'cut' });
    else signal.addEventListener('abort', () => resolve({ kind: 'cut' }), { once: true });
  });
}
