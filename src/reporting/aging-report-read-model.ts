import { optionalText, rowsOf, type Session } from '../db';
import {
  addDays,
  businessDate,
  toTotal,
  type BusinessCalendar,
  type BusinessDate,
  type Millimes,
  type WorkingDays,
} from '../kernel';
import { bandOf, bandStarts, firstDayWithin, type AgeBand } from './age-bands';
import { bankCoverage } from './bank-coverage-read-model';
import { unpaidItems } from './unpaid-items-read-model';

/** From which amount or age on a difference is how urgent; whichever says more. Days are working days. */
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
  /** Of how many nobody has taken hold. */
  readonly unassigned: number;
  /** The sizes added up; 0 for those of which no amount can be told. */
  readonly amount: bigint;
  /** `book − bank`: differences of either sign against each other. */
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

/** What is open, by age in working days up to `agedThrough`. In millimes. */
export interface AgingReport {
  readonly through: BusinessDate;
  /** While the bank's file is late nothing gets older than the last day that it covers. */
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
/** The words of the severities in the order in which SQL sorts their numbers. */
const SEVERITIES: readonly ReportSeverity[] = ['high', 'medium', 'low'];

/** Reads the report inside one snapshot: the breaks that are open now, since `through` or before. */
export async function agingReport(
  session: Session,
  through: BusinessDate,
  settings: AgingSettings,
): Promise<AgingReport> {
  const { calendar, workingDays } = settings;
  const covered = await bankCoverage(session, through);
  const agedThrough = covered === undefined ? through : businessDate(covered);
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
  const severity = severityCase(agedThrough, settings);
  const sql = agedSql(starts.length, severity.sql);
  const rows = await session.raw(sql, [...starts, ...severity.bindings, through]);
  return rows.map((row) => ({
    breakClass: String(row['class']),
    band: bandOf(Number(row['band'])),
    severity: severityOf(row['severity']),
    count: Number(row['breaks']),
    unassigned: Number(row['breaks']) - Number(row['assigned']),
    amount: toTotal(row['size']),
    net: toTotal(row['net']),
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
  const severity = severityCase(agedThrough, settings);
  const rows = await rowsOf(
    session('recon_breaks as b')
      .leftJoin('break_assignments as a', 'a.break_id', 'b.id')
      .select('b.id', 'b.class', 'b.since', 'b.amount_millimes', 'a.assignee')
      .select(session.fragment(severity.sql.concat(' as severity'), severity.bindings))
      .whereNot('b.status', 'resolved')
      .where('b.since', '<=', through)
      .orderBy(['severity', 'b.since', 'b.id'])
      .limit(OLDEST_MAX),
  );
  return rows.map((row) => {
    const since = businessDate(String(row['since']));
    return {
      id: String(row['id']),
      breakClass: String(row['class']),
      severity: severityOf(row['severity']),
      since,
      ageDays: settings.workingDays.countBetween(since, agedThrough),
      amount: row['amount_millimes'] === null ? undefined : toTotal(row['amount_millimes']),
      assignee: optionalText(row['assignee']),
    };
  });
}

/** 0 for high, 1 for medium, 2 for low, of the row `b` of recon_breaks. */
function severityCase(
  agedThrough: BusinessDate,
  { workingDays, urgency: { high, medium } }: AgingSettings,
): { sql: string; bindings: (string | number)[] } {
  // As old as that or older: before the first day that is younger.
  const youngerThan = (days: number): string =>
    days <= 0 ? addDays(agedThrough, 1) : firstDayWithin(days - 1, agedThrough, workingDays);
  const size = 'abs(coalesce(b.amount_millimes, 0))';
  return {
    sql: `case when ${size} >= ? or b.since < ? then 0 when ${size} >= ? or b.since < ? then 1 else 2 end`,
    bindings: [high.fromMillimes, youngerThan(high.fromDays), medium.fromMillimes, youngerThan(medium.fromDays)],
  };
}

function severityOf(value: unknown): ReportSeverity {
  return SEVERITIES[Number(value)] ?? 'low';
}
