import { AsyncLocalStorage } from 'node:async_hooks';
import { assert } from '../kernel';

/**
 * Detects a transaction or a read that is started inside a transaction. On SQLite it would wait for the only connection
 * until its deadline; on MariaDB it would escape the transaction.
 */
export interface NestingCheck {
  /** @throws AssertionError inside the work of a transaction. */
  requireOutside(): void;
  /** Runs the work of a transaction. */
  inside<T>(work: () => Promise<T>): Promise<T>;
  end(): void;
}

const UNCHECKED: NestingCheck = { requireOutside() {}, inside: (work) => work(), end() {} };

let isDetected = false;

/**
 * Makes databases that are opened later check for nesting. Tests call it. A service does not, because before Node 24 the
 * context of asynchronous calls, once used, slows every promise of the process.
 */
export function detectNesting(): void {
  isDetected = true;
}

/** Creates the check of one database. */
export function nestingCheck(): NestingCheck {
  if (!isDetected) return UNCHECKED;
  const context = new AsyncLocalStorage<true>();
  return {
    requireOutside: () => assert(context.getStore() === undefined, 'a query was started beside an open transaction'),
    inside: (work) => context.run(true, work),
    // Otherwise every promise of this process would carry the context, for each database that it ever closed.
    end: () => context.disable(),
  };
}
