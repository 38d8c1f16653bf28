import type { Database } from '../db';
import { AppError, monotonicClock } from '../kernel';
import { type JobClaim, openJobClaimStore } from './job-claim-store';

/** Two consecutive renewals may fail before a lease ends. */
const RENEWALS_PER_LEASE = 3;

export interface KeptLease {
  /** Aborts with `interrupted` when another process holds the lease, or may hold it by now. */
  readonly lost: AbortSignal;
  /** Ends the renewals. */
  end(): void;
}

/**
 * Renews a lease while its job runs, after every third of its length by the machine's monotonic clock. The database's
 * clock decides when it ends. If the database does not answer for a whole lease, the process treats the lease as lost,
 * because another process may hold it.
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
      const isHeld = await database.transact((session) => openJobClaimStore(session).renew(claim, leaseMs), {
        retryUnknownOutcome: true, // repeating a renewal is harmless
        deadlineMs: everyMs,
      });
      if (!isHeld) lost.abort(new AppError('interrupted', 'another process has the window'));
      renewedAt = askedAt;
    } catch (error) {
      // Callers that need the database report its fault; here only the duration matters.
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
