import { SECOND_MS } from '../kernel';
import type { Job, Lease, SchedulerDeps, Stopping } from './job';
import { type JobClaim, openJobClaimStore } from './job-claim-store';
import { keepLease } from './keep-lease';
import { unlessAborted } from './unless-aborted';

/**
 * The time limit for returning a window: it must not wait long for a hanging database, and the lease also ends
 * automatically.
 */
const GIVE_BACK_MS = SECOND_MS;

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
 * Runs and ends a window. False if the window has not ended: another process took over its lease, or it was returned.
 */
export async function runWindow(deps: SchedulerDeps, job: Job, run: WindowRun): Promise<boolean> {
  const { database, logger } = deps;
  const { claim, stopping } = run;
  const ending = await unlessAborted<Ending>(runJob(deps, job, run), stopping.aborted, { kind: 'interrupted' });
  if (ending.kind === 'interrupted') {
    logger.warn('job interrupted, window returned', { event: 'jobs.given_back', job: job.name });
    await database.transact((session) => openJobClaimStore(session).giveBack(claim), { deadlineMs: GIVE_BACK_MS });
    return false;
  }
  if (ending.kind === 'failed') {
    logger.error('job failed', { event: 'jobs.failed', job: job.name, error: ending.error });
  }
  const ended = ending.kind !== 'lost' && (await finish(deps, claim, ending));
  if (!ended) logger.warn('job ended after its lease', { event: 'jobs.lease_lost', job: job.name });
  return ended;
}

function finish({ database }: SchedulerDeps, claim: JobClaim, ending: Finished): Promise<boolean> {
  const message = ending.kind === 'failed' && ending.error instanceof Error ? ending.error.message : '';
  return database.transact((session) => openJobClaimStore(session).finish(claim, ending.kind, message));
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
