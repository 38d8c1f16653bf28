import type { Database } from '../db';
import { AppError, monotonicClock } from '../kernel';
import { openJobRunStore, type JobClaim } from './job-run-store';

/** Two renewals in a row may fail before a lease ends. */
const RENEWALS_PER_LEASE = 3;

export interface KeptLease {
  /** Aborted with `interrupted` when another process holds the lease, or may hold it by now. */
  readonly lost: AbortSignal;
  /** Renews it no more. */
  end(): void;
}

/**
 * Renews a lease while its job runs, every third of its length by the machine's monotonic clock; when it ends is for the
 * database's clock to say. A process that hears nothing from the database for a whole lease takes it as lost: somebody
 * else may have it.
 */
export function keepLease(database: Database, claim: JobClaim, leaseMs: number): KeptLease {
  const lost = new AbortController();
  const everyMs = Math.ceil(leaseMs / RENEWALS_PER_LEASE);
  let renewedAt = monotonicClock.now();
  let ended = false;
  let timer: NodeJS.Timeout | undefined;

  const renew = async (): Promise<void> => {
    const askedAt = monotonicClock.now();
    try {
      const isOurs = await database.transact((session) => openJobRunStore(session).renew(claim, leaseMs), {
        retryUnknownOutcome: true, // a second renewal does what the first did
        deadlineMs: everyMs,
      });
      if (!isOurs) lost.abort(new AppError('interrupted', 'another process has the window'));
      renewedAt = askedAt;
    } catch (error) {
      // Callers that need the database report its fault; here only its duration matters.
      if (monotonicClock.now() - renewedAt >= leaseMs) {
        lost.abort(new AppError('interrupted', 'the lease could not be renewed', { cause: error }));
      }
    }
    if (!ended && !lost.signal.aborted) plan();
  };
  const plan = (): void => {
    timer = setTimeout(() => void renew(), everyMs);
  };
  plan();
  return {
    lost: lost.signal,
    end() {
      ended = true;
      clearTimeout(timer);
    },
  };
}
