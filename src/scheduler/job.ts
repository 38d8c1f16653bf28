import type { Database, Session } from '../db';
import type { BusinessCalendar, Clock, Instant } from '../kernel';
import type { Logger } from '../logging';

/** A job's view of its right to run one window. */
export interface Lease {
  /**
   * Lets this transaction commit only while this process holds the window: no other process can start the window before
   * the commit.
   *
   * @throws AppError `interrupted` when another process has started it.
   */
  requireHeld(session: Session): Promise<void>;
}

/** Work that runs by the clock, once per window over all processes. */
export interface Job {
  readonly name: string;
  /** `minute hour day month weekday` in the business time zone. */
  readonly cron: string;
  /** How long after its last renewal another process may take over a run. The lease is renewed while the job runs. */
  readonly leaseMs: number;
  /** How many missed windows run later, the newest ones (default: 40). */
  readonly catchUpMax?: number;
  /** How many ended runs the table stores, at least 2 (default: all). */
  readonly keptRuns?: number;
  /**
   * Does the work of a window. `signal` aborts when the process stops or another process holds the window. The job
   * should then end as soon as another process can continue its work, by throwing the signal's reason.
   */
  run(window: Instant, signal: AbortSignal, lease: Lease): Promise<void>;
}

/** Processes rows whenever some exist. It claims the rows itself, so any number of processes may run it. */
export interface Worker {
  readonly name: string;
  /** Processes some rows and returns their number; 0 if none is waiting. */
  run(signal: AbortSignal): Promise<number>;
}

/** How a stopping process ends its jobs. The three signals abort in this order. */
export interface Stopping {
  /** No further window is started. */
  readonly stopped: AbortSignal;
  /** The running job is asked to end. */
  readonly leave: AbortSignal;
  /** The job's window is returned, whether the job has ended or not. */
  readonly aborted: AbortSignal;
}

export interface SchedulerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly logger: Logger;
  /** Whether the business clock is a file that may jump. The scheduler then checks it about twenty times a second. */
  readonly clockJumps: boolean;
}
