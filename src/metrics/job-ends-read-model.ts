import { column, rowCodec, type Session } from '../db';
import type { Instant } from '../kernel';

const ENDS = rowCodec({
  job: column.text('name'),
  endedAt: column.optional(column.number('ended_at')),
  doneAt: column.optional(column.number('done_at')),
  firstAt: column.number('first_at'),
});

/** The last windows of a job. */
export interface JobEnds {
  readonly job: string;
  /** The last window that ended, or the first one ever started. */
  readonly endedAt: Instant;
  /** The last window that ended successfully, or the first one ever started. */
  readonly doneAt: Instant;
}

/** Returns the last windows of every job that ever ran. */
export async function jobEnds(session: Session): Promise<JobEnds[]> {
  const found = await ENDS.all(
    session('job_runs as r')
      .select(
        'r.name',
        session.fragment("max(case when r.status <> 'running' then r.window_at end) as ended_at"),
        session.fragment("max(case when r.status = 'done' then r.window_at end) as done_at"),
        session.fragment('min(r.window_at) as first_at'),
      )
      .groupBy('r.name')
      .orderBy('r.name'),
  );
  return found.map(({ job, endedAt, doneAt, firstAt }) => ({
    job,
    endedAt: endedAt ?? firstAt,
    doneAt: doneAt ?? firstAt,
  }));
}
