import { column, databaseNow, rowCodec, rowsOf, type Session, takeTurn } from '../db';
import { AppError, assert, type Instant } from '../kernel';

/**
 * The right to run one window until the lease ends. The fencing number distinguishes this process from an earlier one.
 */
export interface JobClaim {
  readonly name: string;
  readonly window: Instant;
  readonly fencing: number;
}

export interface ClaimTerms {
  readonly leaseMs: number;
  /** The number of ended runs that the table stores; undefined for all. */
  readonly keptRuns?: number | undefined;
}

const ERROR_CHARACTERS_MAX = 900;
/** The newest ended run is the job's watermark. It must stay while the next window reuses the row of another run. */
const KEPT_RUNS_MIN = 2;

/** The claims of jobs' windows inside one transaction of the database. */
export interface JobClaimStore {
  /**
   * Claims a free window, or one whose lease has expired. Undefined when another process holds it or it has ended.
   *
   * @throws AppError `duplicate_key` when another claim was first; `conflict` when another window of the job is
   * running, or a later one has ended. Nothing is claimed then, and the transaction must end.
   */
  claim(name: string, window: Instant, terms: ClaimTerms): Promise<JobClaim | undefined>;
  /** Renews a lease until `leaseMs` from now. False if another process has taken it over. */
  renew(claim: JobClaim, leaseMs: number): Promise<boolean>;
  /**
   * Returns whether the claim is still valid, and keeps it valid until this transaction ends. It writes the row: nodes of
   * a cluster do not know each other's locks, but of two writes of one row only one commits.
   */
  hold(claim: JobClaim): Promise<boolean>;
  /** Ends a run. False if another process has taken over the lease; then the other run counts. */
  finish(claim: JobClaim, status: 'done' | 'failed', error: string): Promise<boolean>;
  /**
   * Returns an unfinished window, so that any process may claim it immediately. The claim is void from then on, even if
   * its run still works. With `pauseMs` no process may claim it sooner. False if another process has taken over the
   * lease.
   */
  giveBack(claim: JobClaim, pauseMs?: number): Promise<boolean>;
}

const FENCING = rowCodec({ fencing: column.number('fencing') });
const ENDED = rowCodec({ runs: column.number('runs'), oldest: column.optional(column.number('oldest')) });

export function openJobClaimStore(session: Session): JobClaimStore {
  return {
    async claim(name, window, { leaseMs, keptRuns }) {
      const now = await databaseNow(session);
      const found = await FENCING.first(
        session('job_runs as r').select(FENCING.columns('r')).where({ 'r.name': name, 'r.window_at': window }),
      );
      if (found === undefined) {
        const begun = { status: 'running', fencing: 1, lease_until: now + leaseMs, started_at: now, finished_at: null };
        const row = { name, window_at: window, ...begun, error: '' };
        const reused = keptRuns === undefined ? false : await replaceOldest(session, row, keptRuns);
        if (!reused) await session('job_runs').insert(row);
        await requireInOrder(session, name, window);
        return { name, window, fencing: 1 };
      }
      const { fencing } = found;
      const taken = await session('job_runs')
        .where({ name, window_at: window, status: 'running', fencing })
        .where('lease_until', '<', now)
        .update({ fencing: fencing + 1, lease_until: now + leaseMs, started_at: now });
      return taken === 1 ? { name, window, fencing: fencing + 1 } : undefined;
    },
    async renew({ name, window, fencing }, leaseMs) {
      const now = await databaseNow(session);
      const renewed = await session('job_runs')
        .where({ name, window_at: window, status: 'running', fencing })
        .update({ lease_until: now + leaseMs });
      return renewed === 1;
    },
    async hold({ name, window, fencing }) {
      const held = await session('job_runs')
        .where({ name, window_at: window, status: 'running', fencing })
        .increment('lease_until', 1);
      return held === 1;
    },
    async finish({ name, window, fencing }, status, error) {
      const now = await databaseNow(session);
      const ended = await session('job_runs')
        .where({ name, window_at: window, status: 'running', fencing })
        .update({ status, finished_at: now, error: error.slice(0, ERROR_CHARACTERS_MAX) });
      return ended === 1;
    },
    async giveBack({ name, window, fencing }, pauseMs) {
      const leaseUntil = pauseMs === undefined ? 0 : (await databaseNow(session)) + pauseMs;
      const returned = await session('job_runs')
        .where({ name, window_at: window, status: 'running', fencing })
        .update({ fencing: fencing + 1, lease_until: leaseUntil });
      return returned === 1;
    },
  };
}

/**
 * Reuses the row of the job's oldest ended run for a new window once `keptRuns` have ended, because the runtime user
 * may not delete rows. Returns false if fewer have ended or another process was first; then a row is added.
 */
async function replaceOldest(
  session: Session,
  row: Readonly<Record<string, unknown>> & { readonly name: string },
  keptRuns: number,
): Promise<boolean> {
  assert(keptRuns >= KEPT_RUNS_MIN, `a job keeps at least ${KEPT_RUNS_MIN} of its runs`);
  const ended = await ENDED.first(
    session('job_runs as r')
      .select(session.fragment('count(*) as runs'), session.fragment('min(r.window_at) as oldest'))
      .where('r.name', row.name)
      .whereNot('r.status', 'running'),
  );
  if (ended?.oldest === undefined || ended.runs < keptRuns) return false;
  const replaced = await session('job_runs')
    .where({ name: row.name, window_at: ended.oldest })
    .whereNot('status', 'running')
    .update(row);
  return replaced === 1;
}

/**
 * Refuses a window that was claimed out of order, for example by a process that was paused for long and whose window's
 * row no longer exists. Of two processes that start different windows concurrently, one sees the other.
 */
async function requireInOrder(session: Session, name: string, window: Instant): Promise<void> {
  await takeTurn(session, `job:${name}`);
  const others = session('job_runs as r')
    .select('r.window_at')
    .where('r.name', name)
    .whereNot('r.window_at', window)
    .where((other) => {
      void other.where('r.status', 'running').orWhere('r.window_at', '>', window);
    });
  if ((await rowsOf(others.limit(1))).length > 0) throw new AppError('window_taken', {});
}
