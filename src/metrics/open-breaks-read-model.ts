import { BREAK_CLASSES, type BreakClass, type Severity, severityOf, type UrgencySettings } from '../breaks';
import { column, rowCodec, type Session } from '../db';
import { type BusinessDate, millimes, type WorkingDays } from '../kernel';

const GROUP = rowCodec({
  breakClass: column.word('class', BREAK_CLASSES),
  since: column.businessDate('since'),
  size: column.number('size'),
  count: column.number('row_count'),
});

/** The open breaks of one class and severity. */
export interface OpenBreakCount {
  readonly breakClass: BreakClass;
  readonly severity: Severity;
  readonly count: number;
}

export interface Aging {
  readonly urgency: UrgencySettings;
  readonly workingDays: WorkingDays;
  /** The day up to which breaks age. */
  readonly agedThrough: BusinessDate;
}

/** Counts open breaks. The database groups them by day and by the amount that decides, so few rows arrive. */
export async function openBreakCounts(
  session: Session,
  { urgency, workingDays, agedThrough }: Aging,
): Promise<OpenBreakCount[]> {
  const { high, medium } = urgency;
  const groups = await GROUP.all(
    session('recon_breaks as b')
      .select(
        'b.class',
        'b.since',
        session.fragment(
          'case when abs(b.amount_millimes) >= ? then ? when abs(b.amount_millimes) >= ? then ? else 0 end as size',
          [high.fromMillimes, high.fromMillimes, medium.fromMillimes, medium.fromMillimes],
        ),
        session.fragment('count(*) as row_count'),
      )
      .whereIn('b.status', ['open', 'assigned', 'proposed'])
      .groupBy('b.class', 'b.since', 'size'),
  );
  const counts = new Map<string, OpenBreakCount>();
  for (const { breakClass, since, size, count } of groups) {
    const severity = severityOf(millimes(size), workingDays.countBetween(since, agedThrough), urgency);
    const key = `${breakClass} ${severity}`;
    counts.set(key, { breakClass, severity, count: count + (counts.get(key)?.count ?? 0) });
  }
  return [...counts.values()];
}
