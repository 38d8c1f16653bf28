import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, monotonicClock, SECOND_MS } from '../kernel';
import { classifyDatabaseError } from './errors';

/** Runs one statement on a connection. */
export type RunOne = (sql: string) => Promise<unknown>;

/** The table of knex's own migrator. */
export const LOCK_TABLE = 'schema_migrations_lock';
/** The row that holds until when a process migrates. Row 1 is the one of knex. */
const LEASE_ROW = 2;
/** Its number is int, so it counts tens of seconds since 1970, by the clock of the member that is asked. */
const UNIT_SECONDS = 10;
const LEASE_UNITS = 12;
const LEASE_MS = LEASE_UNITS * UNIT_SECONDS * SECOND_MS;
const RENEWAL_MS = LEASE_MS / 6;
/** A waiting process outlasts the lease of one that died. */
const PATIENCE_MS = LEASE_MS + 3 * UNIT_SECONDS * SECOND_MS;
const PAUSE_MS = 500;

export interface LeaseOptions {
  readonly run: RunOne;
  /** Runs a statement on another connection, because `run` may be busy with a long one. */
  readonly runBeside: RunOne;
  /** Called whenever the time for the work begins anew: it does not pass while another process has the lease. */
  readonly restart: () => void;
  /** Called when another process has taken the lease, to end what `work` does. */
  readonly stop: () => void;
  readonly renewalMs?: number;
}

/**
 * Runs `work` while this process has the lease on a cluster, and renews it meanwhile. The lease of a process that died
 * ends after two minutes. On a single server runs it without.
 *
 * @throws AppError `unavailable` when another process has the lease, or took it while a change of a table kept every
 * member from writing for longer than the lease.
 */
export async function underLease<T>(options: LeaseOptions, work: () => Promise<T>): Promise<T> {
  const { run } = options;
  const [cluster] = (await run("show variables where variable_name = 'wsrep_on' and value = 'ON'")) as [unknown[]];
  if (cluster.length === 0) return work();
  await run(`insert ignore into ${LOCK_TABLE} (\`index\`, is_locked) values (${LEASE_ROW}, 0)`);
  const lease = await takeLease(options);
  const ending = new AbortController();
  const renewing = keepRenewing(lease, options, ending.signal);
  try {
    return await work();
  } catch (error) {
    if (lease.isLost) throw migratingElsewhere(error);
    throw error;
  } finally {
    ending.abort();
    await renewing;
    await lease.giveBack(run);
  }
}

/** The fault of a process that waited for the migrations of another one. */
export function migratingElsewhere(cause?: unknown): AppError {
  return new AppError('unavailable', 'another process migrates the database', { cause });
}

class Lease {
  isLost = false;
  /** What the row may hold: the last end, and those whose write was not answered. */
  #ends: readonly number[];

  constructor(end: number) {
    this.#ends = [end];
  }

  /** @throws an error of the database; then the lease may be renewed or not. */
  async renew(run: RunOne): Promise<void> {
    const end = (await currentUnit(run)) + LEASE_UNITS;
    const from = `is_locked in (${this.#ends.join(', ')})`;
    this.#ends = [...this.#ends, end];
    this.isLost = !(await setLease(run, end, from));
    this.#ends = [end];
  }

  async giveBack(run: RunOne): Promise<void> {
    // One that is not given back ends by itself.
    await setLease(run, 0, `is_locked in (${this.#ends.join(', ')})`).catch(() => undefined);
  }
}

async function takeLease({ run, restart }: LeaseOptions): Promise<Lease> {
  const giveUpAt = monotonicClock.now() + PATIENCE_MS;
  for (;;) {
    const unit = await currentUnit(run);
    const end = unit + LEASE_UNITS;
    const isTaken = await setLease(run, end, `is_locked < ${unit}`).catch((error: unknown) => {
      if (classifyDatabaseError(error) === 'retry') return false; // a write on another member came first
      throw error;
    });
    if (isTaken) return new Lease(end);
    if (monotonicClock.now() > giveUpAt) throw migratingElsewhere();
    await sleep(PAUSE_MS * (0.5 + Math.random()));
    restart();
  }
}

async function keepRenewing(
  lease: Lease,
  { runBeside, stop, renewalMs = RENEWAL_MS }: LeaseOptions,
  signal: AbortSignal,
): Promise<void> {
  while (!lease.isLost) {
    await sleep(renewalMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await lease.renew(runBeside).catch(() => undefined); // a change of a table keeps every member from writing
  }
  stop();
}

async function currentUnit(run: RunOne): Promise<number> {
  const [[row]] = (await run(`select unix_timestamp() div ${UNIT_SECONDS} as unit`)) as [[{ unit: number | string }]];
  return Number(row.unit);
}

async function setLease(run: RunOne, end: number, from: string): Promise<boolean> {
  const sql = `update ${LOCK_TABLE} set is_locked = ${end} where \`index\` = ${LEASE_ROW} and ${from}`;
  const [{ affectedRows }] = (await run(sql)) as [{ affectedRows: number }]; // rows that matched
  return affectedRows > 0;
}
