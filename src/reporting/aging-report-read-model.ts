import { type Column, column, rowCodec, type Session } from '../db';
import { addDays, type BusinessCalendar, type BusinessDate, type Millimes, type WorkingDays } from '../kernel';
import { type AgeBand, bandOf, bandStarts, firstDayWithin } from './age-bands';
import { bankCoverage } from './bank-coverage-read-model';
import { unpaidItems } from './unpaid-items-read-model';

/** The amount or the age, in working days, from which a break has a severity; the higher severity applies. */
export interface UrgencySettings {
  readonly high: { readonly fromMillimes: Millimes; readonly fromDays: number };
  readonly medium: { readonly fromMillimes: Millimes; readonly fromDays: number };
}

export type ReportSeverity = 'high' | 'medium' | 'low';

export interface AgedBreaks {
  readonly breakClass: string;
  readonly band: AgeBand;
  readonly severity: ReportSeverity;
  readonly count: number;
  /** The number of unassigned breaks. */
  readonly unassigned: number;
  /** The sum of absolute amounts; an unknown amount adds 0. */
  readonly amount: bigint;
  /** Ledger less bank: the sum of signed amounts. */
  readonly net: bigint;
}

export interface OldBreak {
  readonly id: string;
  readonly breakClass: string;
  readonly severity: ReportSeverity;
  readonly since: BusinessDate;
  readonly ageDays: number;
  readonly amount: bigint | undefined;
  readonly assignee: string | undefined;
}

export interface AgedItems {
  readonly channel: string;
  readonly band: AgeBand;
  readonly count: number;
  readonly amount: bigint;
}

/** Open breaks and unpaid items, by age in working days up to `agedThrough`. In millimes. */
export interface AgingReport {
  readonly through: BusinessDate;
  /** The last day that bank statements cover: while a statement is late, no break ages. */
  readonly agedThrough: BusinessDate;
  readonly breaks: readonly AgedBreaks[];
  readonly oldest: readonly OldBreak[];
  readonly items: readonly AgedItems[];
}

export interface AgingSettings {
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  readonly urgency: UrgencySettings;
}

const OLDEST_MAX = 20;
/** The severities by the number that SQL sorts. */
const SEVERITIES: readonly ReportSeverity[] = ['high', 'medium', 'low'];

const severity: Column<ReportSeverity> = {
  name: 'severity',
  read: (value) => SEVERITIES[Number(value)] ?? 'low',
  write: (word) => SEVERITIES.indexOf(word),
};
const AGED_BREAKS = rowCodec({
  breakClass: column.text('class'),
  band: column.number('band'),
  severity,
  count: column.number('breaks'),
  assigned: column.number('assigned'),
  amount: column.total('size'),
  net: column.total('net'),
});
const BREAK = rowCodec({
  id: column.text('id'),
  breakClass: column.text('class'),
  since: column.businessDate('since'),
  amount: column.optional(column.total('amount_millimes')),
});
const OLD_BREAK = rowCodec({ ...BREAK.fields, severity, assignee: column.optional(column.text('assignee')) });

/** Reads the report inside one snapshot: the breaks that are open now and age from `through` or an earlier day. */
export async function agingReport(
  session: Session,
  through: BusinessDate,
  settings: AgingSettings,
): Promise<AgingReport> {
  const { calendar, workingDays } = settings;
  const agedThrough = (await bankCoverage(session, through)) ?? through;
  const starts = bandStarts(agedThrough, workingDays);
  const items = await unpaidItems(
    session,
    calendar.startOf(addDays(through, 1)),
    starts.map((day) => calendar.startOf(day)),
  );
  return {
    through,
    agedThrough,
    breaks: await agedBreaks(session, { through, agedThrough, starts }, settings),
    oldest: await oldestBreaks(session, { through, agedThrough }, settings),
    items: items.map(({ channel, band, count, amount }) => ({ channel, band: bandOf(band), count, amount })),
  };
}

interface Days {
  readonly through: BusinessDate;
  readonly agedThrough: BusinessDate;
}

async function agedBreaks(
  session: Session,
  { through, agedThrough, starts }: Days & { readonly starts: readonly BusinessDate[] },
  settings: AgingSettings,
): Promise<AgedBreaks[]> {
  const { sql, bindings } = severityCase(agedThrough, settings);
  const found = await AGED_BREAKS.all(session.raw(agedSql(starts.length, sql), [...starts, ...bindings, through]));
  return found.map(({ band, assigned, ...each }) => ({
    ...each,
    band: bandOf(band),
    unassigned: each.count - assigned,
  }));
}

function agedSql(bandCount: number, severity: string): string {
  const bands = Array.from({ length: bandCount }, (_, index) => `when b.since >= ? then ${index}`).join(' ');
  return `
    select x.class, x.band, x.severity, count(*) as breaks, count(x.assignee) as assigned,
           cast(sum(abs(x.amount_millimes)) as char) as size, cast(sum(x.amount_millimes) as char) as net
    from (select b.class, b.amount_millimes, a.assignee, case ${bands} else ${bandCount} end as band,
                 ${severity} as severity
          from recon_breaks b left join break_assignments a on a.break_id = b.id
          where b.status <> 'resolved' and b.since <= ?) x
    group by x.class, x.band, x.severity
    order by x.class, x.band, x.severity`;
}

async function oldestBreaks(
  session: Session,
  { through, agedThrough }: Days,
  settings: AgingSettings,
): Promise<OldBreak[]> {
  const { sql, bindings } = severityCase(agedThrough, settings);
  const breaks = await OLD_BREAK.all(
    session('recon_breaks as b')
      .leftJoin('break_assignments as a', 'a.break_id', 'b.id')
      .select(...BREAK.columns('b'), 'a.assignee', session.fragment(sql.concat(' as severity'), bindings))
      .whereNot('b.status', 'resolved')
      .where('b.since', '<=', through)
      .orderBy(['severity', 'b.since', 'b.id'])
      .limit(OLDEST_MAX),
  );
  return breaks.map((each) => ({ ...each, ageDays: settings.workingDays.countBetween(each.since, agedThrough) }));
}

/** Returns the SQL of the severity of the row `b` of recon_breaks: 0 high, 1 medium, 2 low. */
function severityCase(
  agedThrough: BusinessDate,
  { workingDays, urgency: { high, medium } }: AgingSettings,
): { sql: string; bindings: (string | number)[] } {
  // This age or older: before the first younger day.
  const youngerThan = (days: number): string =>
    days <= 0 ? addDays(agedThrough, 1) : firstDayWithin(days - 1, agedThrough, workingDays);
  const size = 'abs(coalesce(b.amount_millimes, 0))';
  return {
    sql: `case when ${size} >= ? or b.since < ? then 0 when ${size} >= ? or b.since < ? then 1 else 2 end`,
    bindings: [high.fromMillimes, youngerThan(high.fromDays), medium.fromMillimes, youngerThan(medium.fromDays)],
  };
}
