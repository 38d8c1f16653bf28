import type { Database, Session } from '../db';
import type { BusinessCalendar, Clock, Instant } from '../kernel';
import type { Logger } from '../logging';

/** The right to run one window, as the job itself may ask for it. */
export interface Lease {
  /**
   * Lets this transaction commit only while this process holds the window: no other process can begin it before they
   * are stored.
   *
   * @throws AppError `interrupted` when another process has begun it.
   */
  requireHeld(session: Session): Promise<void>;
}

/** Something that runs by the clock, once per window over all processes. */
export interface Job {
  readonly name: string;
  /** `minute hour day month weekday` in the business time zone. */
  readonly cron: string;
  /** How long after its last renewal a run may be taken over. The lease is renewed while the job runs. */
  readonly leaseMs: number;
  /** How many missed windows run later, the newest ones (default: 40). */
  readonly catchUpMax?: number;
  /** How many ended runs the table stores, at least 2 (default: all). */
  readonly keptRuns?: number;
  /**
   * Does the work of a window. When `signal` is aborted, the process stops or another process holds the window: the job
   * should leave at the next point at which another process can continue, by throwing the signal's reason.
   */
  run(window: Instant, signal: AbortSignal, lease: Lease): Promise<void>;
}

/** Processes rows whenever some exist. It claims them itself, so any number of processes may run it. */
export interface Worker {
  readonly name: string;
  /** Processes some rows and returns their number; 0 when there is nothing to do now. */
  run(signal: AbortSignal): Promise<number>;
}

/** How a stopping process ends its jobs. The three signals are aborted in this order. */
export interface Stopping {
  /** No further window is begun. */
  readonly stopped: AbortSignal;
  /** The running job is asked to leave. */
  readonly leave: AbortSignal;
  /** Its window is given back, whether it has left or not. */
  readonly aborted: AbortSignal;
}

export interface SchedulerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly logger: Logger;
  /** Whether the business clock is a file that may jump: then the scheduler checks it about twenty times a second. */
  readonly clockJumps: boolean;
}
