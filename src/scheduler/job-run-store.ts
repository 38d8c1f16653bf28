import { column, rowCodec, type Session } from '../db';
import type { Instant } from '../kernel';

export interface JobProgress {
  /** The last window that ended, successfully or not. */
  readonly ended: Instant | undefined;
  /** The oldest window that any process started and that has not ended. */
  readonly open: Instant | undefined;
}

/** The last ended window of a job. */
export interface EndedWindow {
  readonly window: Instant;
  readonly outcome: 'done' | 'failed';
  /** By the clock of the database. */
  readonly finishedAt: Instant | undefined;
  /** Undefined unless it failed. */
  readonly error: string | undefined;
}

/** How far a job is: its last ended window, and the oldest one that was started and has not ended. */
export interface LastRuns {
  readonly ended: EndedWindow | undefined;
  readonly running: Instant | undefined;
}

/** Reads the runs of jobs inside one transaction of the database. `JobClaimStore` writes them. */
export interface JobRunStore {
  progress(name: string): Promise<JobProgress>;
  /** Returns the last successful window, or the first window ever started if none was successful. */
  lastGood(name: string): Promise<Instant | undefined>;
  /** Returns the last ended window of every job that ever ran. */
  watermarks(): Promise<Map<string, Instant>>;
  /** Returns how far every job is that ever ran, by its name. */
  lastRuns(): Promise<Map<string, LastRuns>>;
}

const PROGRESS = rowCodec({
  ended: column.optional(column.number('ended')),
  open: column.optional(column.number('open_at')),
});
const LAST_GOOD = rowCodec({
  doneAt: column.optional(column.number('done_at')),
  firstAt: column.optional(column.number('first_at')),
});
const WATERMARK = rowCodec({ name: column.text('name'), window: column.number('window_at') });
const PROGRESS_OF_JOB = rowCodec({ name: column.text('name'), ...PROGRESS.fields });
const ENDED = rowCodec({
  outcome: column.word('status', ['done', 'failed']),
  finishedAt: column.optional(column.number('finished_at')),
  error: column.text('error'),
});

export function openJobRunStore(session: Session): JobRunStore {
  const progress = () =>
    session('job_runs as r').select(
      session.fragment("max(case when r.status <> 'running' then r.window_at end) as ended"),
      session.fragment("min(case when r.status = 'running' then r.window_at end) as open_at"),
    );
  return {
    async progress(name) {
      const found = await PROGRESS.first(progress().where('r.name', name));
      return { ended: found?.ended, open: found?.open };
    },
    async lastGood(name) {
      const found = await LAST_GOOD.first(
        session('job_runs as r')
          .select(
            session.fragment("max(case when r.status = 'done' then r.window_at end) as done_at"),
            session.fragment('min(r.window_at) as first_at'),
          )
          .where('r.name', name),
      );
      return found?.doneAt ?? found?.firstAt;
    },
    async watermarks() {
      const found = await WATERMARK.all(
        session('job_runs as r')
          .select('r.name', session.fragment('max(r.window_at) as window_at'))
          .whereIn('r.status', ['done', 'failed'])
          .groupBy('r.name')
          .orderBy('r.name'),
      );
      return new Map(found.map(({ name, window }) => [name, window]));
    },
    async lastRuns() {
      const jobs = await PROGRESS_OF_JOB.all(progress().select('r.name').groupBy('r.name').orderBy('r.name'));
      const runs = new Map<string, LastRuns>();
      for (const { name, ended, open } of jobs) {
        runs.set(name, {
          ended: ended === undefined ? undefined : await endedWindow(session, name, ended),
          running: open,
        });
      }
      return runs;
    },
  };
}

async function endedWindow(session: Session, name: string, window: Instant): Promise<EndedWindow | undefined> {
  const query = session('job_runs as r').select(ENDED.columns('r')).where({ 'r.name': name, 'r.window_at': window });
  const found = await ENDED.first(query);
  return found && { ...found, window, error: found.outcome === 'failed' ? found.error : undefined };
}
