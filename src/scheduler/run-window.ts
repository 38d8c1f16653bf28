import { isDatabaseUnavailable } from '../db';
import { doubledPauseMs, isAppError, MINUTE_MS, SECOND_MS } from '../kernel';
import { dueWindows } from './due-windows';
import type { Job, Lease, SchedulerDeps, Stopping } from './job';
import { type JobClaim, openJobClaimStore } from './job-claim-store';
import { keepLease } from './keep-lease';
import { unlessAborted } from './unless-aborted';

/**
 * The time limit for returning a window: it must not wait long for a hanging database, and the lease also ends
 * automatically.
 */
const GIVE_BACK_MS = SECOND_MS;

/** A window that met an unavailable database runs again after pauses that double between these bounds. */
const PAUSE_FIRST_MS = SECOND_MS;
const PAUSE_MAX_MS = 5 * MINUTE_MS;
/**
 * How often a window runs again, even if its job has no further window for days: about an hour of pauses. Time in which
 * the database is down does not count, because no run begins then.
 */
const REPEATS_MAX = 20;

/** A window that is returned, and the pause before it may be claimed. */
export interface PostponedWindow {
  readonly claim: JobClaim;
  readonly pauseMs: number;
}

export interface WindowRun {
  readonly claim: JobClaim;
  readonly lease: Lease;
  readonly stopping: Stopping;
}

type Finished = { readonly kind: 'done' } | { readonly kind: 'failed'; readonly error: unknown };

type Ending =
  | Finished
  /** The process stops. */
  | { readonly kind: 'interrupted' }
  /** The job ended because another process holds the window. */
  | { readonly kind: 'lost' };

/**
 * Runs a window, and ends it. `open` if the window has not ended: another process took over its lease, or it was
 * returned. A window that met an unavailable database is not ended either: the caller returns it.
 */
export async function runWindow(
  deps: SchedulerDeps,
  job: Job,
  run: WindowRun,
): Promise<'ended' | 'open' | PostponedWindow> {
  const { database, logger } = deps;
  const { claim, stopping } = run;
  const ending = await unlessAborted<Ending>(runJob(deps, job, run), stopping.aborted, { kind: 'interrupted' });
  if (ending.kind === 'interrupted') {
    logger.warn('job interrupted, window returned', { event: 'jobs.given_back', job: job.name });
    await database.transact((session) => openJobClaimStore(session).giveBack(claim), { deadlineMs: GIVE_BACK_MS });
    return 'open';
  }
  if (ending.kind === 'failed') {
    const pauseMs = isDatabaseUnavailable(ending.error) ? pauseBeforeRepeat(deps, job, claim) : undefined;
    if (pauseMs !== undefined) {
      logger.warn('job postponed: the database was unavailable', {
        event: 'jobs.postponed',
        job: job.name,
        pauseMs,
        error: ending.error,
      });
      return { claim, pauseMs };
    }
    logger.error('job failed', { event: 'jobs.failed', job: job.name, error: ending.error });
  }
  const ended = ending.kind !== 'lost' && (await finish(deps, claim, ending));
  if (!ended) logger.warn('job ended after its lease', { event: 'jobs.lease_lost', job: job.name });
  return ended ? 'ended' : 'open';
}

/**
 * Returns the pause after which a window that met an unavailable database runs again; undefined if it ends as failed:
 * the job's next window is due and replaces it, or it has run again often enough. Every claim and every return raises the
 * fencing number by one.
 */
function pauseBeforeRepeat({ clock, calendar }: SchedulerDeps, job: Job, claim: JobClaim): number | undefined {
  const repeats = Math.floor((claim.fencing - 1) / 2);
  if (repeats >= REPEATS_MAX || dueWindows(job.cron, claim.window, clock.now(), calendar).length > 0) return undefined;
  return doubledPauseMs(PAUSE_FIRST_MS, repeats + 1, PAUSE_MAX_MS);
}

function finish({ database }: SchedulerDeps, claim: JobClaim, ending: Finished): Promise<boolean> {
  const message = ending.kind === 'failed' ? messageOf(ending.error) : '';
  return database.transact((session) => openJobClaimStore(session).finish(claim, ending.kind, message));
}

/** Returns what is stored of an error. Readers of job states cannot all run commands. */
function messageOf(error: unknown): string {
  if (isAppError(error)) return error.notice.text;
  return error instanceof Error ? error.message : '';
}

async function runJob({ database }: SchedulerDeps, job: Job, { claim, lease, stopping }: WindowRun): Promise<Ending> {
  const kept = keepLease(database, claim, job.leaseMs);
  const asked = new AbortController();
  const over = new AbortController();
  const onAbort = (signal: AbortSignal, act: () => void): void =>
    signal.aborted ? act() : signal.addEventListener('abort', act, { once: true, signal: over.signal });
  onAbort(stopping.leave, () => asked.abort(stopping.leave.reason));
  onAbort(kept.lost, () => asked.abort(kept.lost.reason));
  // When the process stops, the window of a job that ignores its signal is returned, so its lease needs no renewal.
  onAbort(stopping.aborted, kept.end);
  try {
    await job.run(claim.window, asked.signal, lease);
    return { kind: 'done' };
  } catch (error) {
    // After the job was asked to end, any error counts as its end.
    if (kept.lost.aborted) return { kind: 'lost' };
    return stopping.leave.aborted ? { kind: 'interrupted' } : { kind: 'failed', error };
  } finally {
    over.abort();
    kept.end();
  }
}
