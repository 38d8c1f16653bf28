import { setMaxListeners } from 'node:events';
import type { Database } from '../db';
import { AppError, type Instant, isAppError, SECOND_MS } from '../kernel';
import type { Job, SchedulerDeps, Stopping, Worker } from './job';
import { openJobRunStore } from './job-run-store';
import { type KnownProgress, runDueWindows } from './run-due-windows';
import { runWorker } from './run-worker';
import { startLoop } from './start-loop';
import { tickAtSchedules } from './tick-at-schedules';

const WORKER_TICK_MS = SECOND_MS;
const JUMPING_CLOCK_TICK_MS = 50;

// A stop may take 10 s in all. A job that is nearly done should end and not run again.
const FINISH_MS = 3 * SECOND_MS;
const LEAVE_MS = SECOND_MS;

/**
 * Runs the windows of jobs as they become due, each job in its own loop, and calls the workers every second. `stop`
 * starts nothing further. Running work has 3 s to complete and 1 s more to end; then another process may run a job's
 * window.
 */
export function startScheduler(
  deps: SchedulerDeps,
  jobs: readonly Job[],
  workers: readonly Worker[] = [],
): { stop(): Promise<void> } {
  const { logger } = deps;
  const startedAt = deps.clock.now();
  const stopped = new AbortController();
  const leave = new AbortController();
  const aborted = new AbortController();
  const stopping: Stopping = { stopped: stopped.signal, leave: leave.signal, aborted: aborted.signal };
  // Each loop listens twice while its work runs. Node warns of ten listeners, although none is left behind.
  setMaxListeners(2 * (jobs.length + workers.length), stopped.signal, leave.signal, aborted.signal);
  const jobLoops = jobs.map((job) => {
    const known: KnownProgress = {};
    return startLoop(
      () => runDueWindows(deps, job, startedAt, stopping, known),
      (error) => logger.warn('job windows could not be checked', { event: 'jobs.unavailable', job: job.name, error }),
    );
  });
  const workerLoops = workers.map((worker) =>
    startLoop(
      async () => {
        await runWorker(worker, stopping);
        return true;
      },
      (error) => {
        // An unavailable database recovers without action; any other error needs a person.
        const level = isAppError(error, 'unavailable', 'outcome_unknown') ? 'warn' : 'error';
        logger[level]('worker failed', { event: 'workers.failed', worker: worker.name, error });
      },
    ),
  );
  const wakeJobs = (): void => jobLoops.forEach((loop) => loop.wake());
  const wakeWorkers = (): void => workerLoops.forEach((loop) => loop.wake());
  const ticks = [
    tickEvery(deps.clockJumps ? JUMPING_CLOCK_TICK_MS : WORKER_TICK_MS, wakeWorkers),
    ...(deps.clockJumps
      ? [tickEvery(JUMPING_CLOCK_TICK_MS, wakeJobs)]
      : tickAtSchedules(jobs, deps.calendar.timeZone, wakeJobs)),
  ];
  return {
    async stop() {
      ticks.forEach((end) => end());
      stopped.abort();
      const timers = [
        setTimeout(() => leave.abort(new AppError('interrupted', 'the process stops')), FINISH_MS),
        setTimeout(() => aborted.abort(), FINISH_MS + LEAVE_MS),
      ];
      await Promise.all([...jobLoops, ...workerLoops].map((loop) => loop.stop()));
      timers.forEach(clearTimeout);
    },
  };
}

function tickEvery(everyMs: number, tick: () => void): () => void {
  const timer = setInterval(tick, everyMs);
  return () => clearInterval(timer);
}

/** Returns the last ended window of each job, for people. */
export async function jobWatermarks(database: Database): Promise<Map<string, Instant>> {
  return database.read((session) => openJobRunStore(session).watermarks());
}

/**
 * Returns the last successful window of a job, for a job that repeats the failed ones since. If none was successful, it
 * is the first window ever started; undefined for a job that never ran.
 */
export async function lastGoodWindow(database: Database, name: string): Promise<Instant | undefined> {
  return database.read((session) => openJobRunStore(session).lastGood(name));
}
