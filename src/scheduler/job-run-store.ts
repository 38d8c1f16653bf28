import { databaseNow, rowsOf, type Row, type Session } from '../db';
import { AppError, assert, type Instant } from '../kernel';

/** The right to run one window until the lease ends; the number tells the holder from an earlier one. */
export interface JobClaim {
  readonly name: string;
  readonly window: Instant;
  readonly fencing: number;
}

/** How far a job is. */
export interface JobProgress {
  /** The last window that ended, well or badly. */
  readonly ended: Instant | undefined;
  /** The oldest window that any process began and that has not ended. */
  readonly open: Instant | undefined;
}

export interface ClaimTerms {
  readonly leaseMs: number;
  /** So many ended runs of the job are kept; undefined: all. */
  readonly keptRuns?: number | undefined;
}

const ERROR_CHARACTERS_MAX = 900;
/** The newest ended run is the job's watermark, and must stay while another one is made the row of the next window. */
const KEPT_RUNS_MIN = 2;

/** The runs of jobs inside one transaction of the database. */
export interface JobRunStore {
  progress(name: string): Promise<JobProgress>;
  /** The last window that ended well; while there is none, the first that was begun. */
  lastGood(name: string): Promise<Instant | undefined>;
  /** The last window that ended, for every job that ever ran. */
  watermarks(): Promise<Map<string, Instant>>;
  /**
   * Claims a free window, or one whose lease has expired. Undefined when another process holds it or it has ended.
   *
   * @throws AppError `duplicate_key` when another claim was first; `conflict` when another window of the job is going on,
   * or a later one has ended. Nothing is claimed then, and the transaction must end.
   */
  claim(name: string, window: Instant, terms: ClaimTerms): Promise<JobClaim | undefined>;
  /** Renews a lease until `leaseMs` from now. False when it had passed to another process. */
  renew(claim: JobClaim, leaseMs: number): Promise<boolean>;
  /** Returns whether the claim holds, and keeps it until this transaction ends. */
  hold(claim: JobClaim): Promise<boolean>;
  /** Ends a run. False when the lease had passed to another process, whose run counts. */
  finish(claim: JobClaim, status: 'done' | 'failed', error: string): Promise<boolean>;
  /**
   * Returns a window before its end: any process may claim it immediately. The claim is void from then on, also for
   * a run of it that still goes on. False when the lease had passed to another process.
   */
  giveBack(claim: JobClaim): Promise<boolean>;
}

export function openJobRunStore(session: Session): JobRunStore {
  return {
    async progress(name) {
      const [row] = await rowsOf(
        session('job_runs as r')
          .select(
            session.fragment("max(case when r.status <> 'running' then r.window_at end) as ended"),
            session.fragment("min(case when r.status = 'running' then r.window_at end) as open_at"),
          )
          .where('r.name', name),
      );
      return { ended: instantIn(row, 'ended'), open: instantIn(row, 'open_at') };
    },
    async lastGood(name) {
      const [row] = await rowsOf(
        session('job_runs as r')
          .select(
            session.fragment("max(case when r.status = 'done' then r.window_at end) as done_at"),
            session.fragment('min(r.window_at) as first_at'),
          )
          .where('r.name', name),
      );
      return instantIn(row, 'done_at') ?? instantIn(row, 'first_at');
    },
    watermarks: () => readWatermarks(session),
    async claim(name, window, { leaseMs, keptRuns }) {
      const now = await databaseNow(session);
      const [row] = await rowsOf(
        session('job_runs as r')
          .select('r.status', 'r.fencing', 'r.lease_until')
          .where({ 'r.name': name, 'r.window_at': window }),
      );
      if (row === undefined) {
        const begun = { status: 'running', fencing: 1, lease_until: now + leaseMs, started_at: now, finished_at: null };
        const row = { name, window_at: window, ...begun, error: '' };
        const reused = keptRuns === undefined ? false : await replaceOldest(session, row, keptRuns);
        if (!reused) await session('job_runs').insert(row);
        await requireTurn(session, name, window);
        return { name, window, fencing: 1 };
      }
      const fencing = Number(row['fencing']);
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
      const held = session('job_runs as r')
        .select('r.fencing')
        .where({ 'r.name': name, 'r.window_at': window, 'r.status': 'running', 'r.fencing': fencing });
      return (await rowsOf(held.forUpdate())).length === 1;
    },
    async finish({ name, window, fencing }, status, error) {
      const now = await databaseNow(session);
      const ended = await session('job_runs')
        .where({ name, window_at: window, status: 'running', fencing })
        .update({ status, finished_at: now, error: error.slice(0, ERROR_CHARACTERS_MAX) });
      return ended === 1;
    },
    async giveBack({ name, window, fencing }) {
      const returned = await session('job_runs')
        .where({ name, window_at: window, status: 'running', fencing })
        .update({ fencing: fencing + 1, lease_until: 0 });
      return returned === 1;
    },
  };
}

/**
 * Makes the job's oldest ended run the run of a new window, once `keptRuns` have ended: the runtime user may not delete.
 * False when there are fewer, or another process was first; then a row is added.
 */
async function replaceOldest(
  session: Session,
  row: Readonly<Record<string, unknown>> & { readonly name: string },
  keptRuns: number,
): Promise<boolean> {
  assert(keptRuns >= KEPT_RUNS_MIN, `a job keeps at least ${KEPT_RUNS_MIN} of its runs`);
  const [ended] = await rowsOf(
    session('job_runs as r')
      .select(session.fragment('count(*) as runs'), session.fragment('min(r.window_at) as oldest'))
      .where('r.name', row.name)
      .whereNot('r.status', 'running'),
  );
  const oldest = instantIn(ended, 'oldest');
  if (oldest === undefined || Number(ended?.['runs']) < keptRuns) return false;
  const replaced = await session('job_runs')
    .where({ name: row.name, window_at: oldest })
    .whereNot('status', 'running')
    .update(row);
  return replaced === 1;
}

/**
 * Refuses a window that this process claimed before its turn. A process that was stopped for long may ask for a
 * window whose row is gone since. Read with a lock and after our own row is written: of two that begin different windows
 * at once, one sees the other.
 */
async function requireTurn(session: Session, name: string, window: Instant): Promise<void> {
  const others = session('job_runs as r')
    .select('r.window_at')
    .where('r.name', name)
    .whereNot('r.window_at', window)
    .where((other) => {
      void other.where('r.status', 'running').orWhere('r.window_at', '>', window);
    });
  if ((await rowsOf(others.forUpdate())).length > 0) {
    throw new AppError('conflict', 'another window of the job is going on, or a later one has ended');
  }
}

function instantIn(row: Row | undefined, column: string): Instant | undefined {
  const value = row?.[column] ?? undefined;
  return value === undefined ? undefined : Number(value);
}

async function readWatermarks(session: Session): Promise<Map<string, Instant>> {
  const rows = await rowsOf(
    session('job_runs as r')
      .select('r.name', session.fragment('max(r.window_at) as window_at'))
      .whereIn('r.status', ['done', 'failed'])
      .groupBy('r.name')
      .orderBy('r.name'),
  );
  return new Map(rows.map((row) => [row['name'] as string, Number(row['window_at'])]));
}
