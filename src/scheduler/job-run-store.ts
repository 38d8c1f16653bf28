import { databaseNow, rowsOf, type Session } from '../db';
import type { Instant } from '../kernel';

/** The right to run one window until the lease ends; the number tells the holder from an earlier one. */
export interface JobClaim {
  readonly name: string;
  readonly window: Instant;
  readonly fencing: number;
}

const ERROR_CHARACTERS_MAX = 900;

/** The runs of jobs inside one transaction of the database. */
export interface JobRunBook {
  /** The last window that ended, well or badly. */
  watermark(name: string): Promise<Instant | undefined>;
  /** The oldest window that was begun and is not over, whoever began it. */
  oldestOpen(name: string): Promise<Instant | undefined>;
  /** The last window that ended, for every job that ever ran. */
  watermarks(): Promise<Map<string, Instant>>;
  /**
   * Takes a window that nobody has, or whose holder's lease has run out. Undefined when somebody is at it or it is
   * over. Two claims at once: one fails with `duplicate_key`.
   */
  claim(name: string, window: Instant, leaseMs: number): Promise<JobClaim | undefined>;
  /** Ends a run. False when the lease had passed to somebody else, whose run counts. */
  finish(claim: JobClaim, status: 'done' | 'failed', error: string): Promise<boolean>;
  /**
   * Gives a window back before its end: whoever looks next may claim it, at once. The claim is void from then on, also for
   * a run of it that is still going on. False when the lease had passed to somebody else.
   */
  giveBack(claim: JobClaim): Promise<boolean>;
}

export function openJobRunBook(session: Session): JobRunBook {
  return {
    watermark: async (name) => (await readWatermarks(session)).get(name),
    async oldestOpen(name) {
      const [row] = await rowsOf(
        session('job_runs as r').min('r.window_at as window_at').where({ 'r.name': name, 'r.status': 'running' }),
      );
      const window = row?.['window_at'] ?? undefined;
      return window === undefined ? undefined : Number(window);
    },
    watermarks: () => readWatermarks(session),
    async claim(name, window, leaseMs) {
      const now = await databaseNow(session);
      const [row] = await rowsOf(
        session('job_runs as r')
          .select('r.status', 'r.fencing', 'r.lease_until')
          .where({ 'r.name': name, 'r.window_at': window }),
      );
      if (row === undefined) {
        await session('job_runs').insert({
          name,
          window_at: window,
          status: 'running',
          fencing: 1,
          lease_until: now + leaseMs,
          started_at: now,
          finished_at: null,
          error: '',
        });
        return { name, window, fencing: 1 };
      }
      const fencing = Number(row['fencing']);
      const taken = await session('job_runs')
        .where({ name, window_at: window, status: 'running', fencing })
        .where('lease_until', '<', now)
        .update({ fencing: fencing + 1, lease_until: now + leaseMs, started_at: now });
      return taken === 1 ? { name, window, fencing: fencing + 1 } : undefined;
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
