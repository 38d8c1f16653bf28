import type { Session } from '../db';
import {
  addDays,
  addToGroup,
  type BusinessCalendar,
  type BusinessDate,
  compareBytes,
  type Millimes,
  type WorkingDays,
} from '../kernel';
import { type AgeBand, bandOf, bandStarts, firstDayWithin } from './age-bands';
import { bankCoverage } from './bank-coverage-read-model';
import { type BreakEnd, breakEnds } from './break-ends-read-model';
import type { Known } from './ledger-date';
import { type OpenBreak, openBreaks } from './open-breaks-read-model';
import { unpaidItems } from './unpaid-items-read-model';

/** The amount or the age, in working days, from which a break has a severity; the higher severity applies. */
export interface UrgencySettings {
  readonly high: { readonly fromMillimes: Millimes; readonly fromDays: number };
  readonly medium: { readonly fromMillimes: Millimes; readonly fromDays: number };
  /** The number of working days until a break is due, by its severity (default: 0). */
  readonly dueInDays?: Readonly<Record<ReportSeverity, number>>;
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
  /** Undefined while it is open. */
  readonly ended: BreakEnd | undefined;
}

export interface AgedItems {
  readonly channel: string;
  readonly band: AgeBand;
  readonly count: number;
  readonly amount: bigint;
}

/** Open breaks and unpaid items, by age in working days up to `agedThrough`. In millimes. */
export interface AgingReport extends Known {
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
/** The severities, most urgent first. */
const SEVERITIES: readonly ReportSeverity[] = ['high', 'medium', 'low'];

/** Reads the report inside one snapshot, as of the end of `through` by ledger date. */
export async function agingReport(
  session: Session,
  { through, knownAt }: { readonly through: BusinessDate } & Known,
  settings: AgingSettings,
): Promise<AgingReport> {
  const { calendar, workingDays } = settings;
  const end = calendar.startOf(addDays(through, 1));
  const agedThrough = (await bankCoverage(session, through)) ?? through;
  const starts = bandStarts(agedThrough, workingDays);
  const severityOf = severityRule(agedThrough, settings);
  const bandOfDay = (since: BusinessDate): number => starts.filter((start) => since < start).length;
  const breaks = (await openBreaks(session, through, end)).map((each) => ({
    ...each,
    severity: severityOf(each),
    band: bandOfDay(each.since),
  }));
  const items = await unpaidItems(
    session,
    end,
    starts.map((day) => calendar.startOf(day)),
  );
  const oldest = mostUrgent(breaks);
  const ends = await breakEnds(session, oldest, calendar);
  return {
    through,
    knownAt,
    agedThrough,
    breaks: agedBreaks(breaks),
    oldest: oldest.map(({ id, breakClass, severity, since, amount, assignee }) => ({
      ...{ id, breakClass, severity, since, amount, assignee },
      ageDays: workingDays.countBetween(since, agedThrough),
      ended: ends.get(id),
    })),
    items: items.map(({ channel, band, count, amount }) => ({ channel, band: bandOf(band), count, amount })),
  };
}

/** `band` is the place of its band. */
type RatedBreak = OpenBreak & { readonly severity: ReportSeverity; readonly band: number };

/** Adds up the breaks of each class, band and severity, in this order. */
function agedBreaks(breaks: readonly RatedBreak[]): AgedBreaks[] {
  const groups = new Map<string, RatedBreak[]>();
  for (const each of breaks) {
    addToGroup(groups, `${each.breakClass} ${each.band} ${SEVERITIES.indexOf(each.severity)}`, each);
  }
  return [...groups]
    .sort(([a], [b]) => compareBytes(a, b))
    .flatMap(([, of]) => {
      const [first] = of;
      if (first === undefined) return [];
      return [
        {
          breakClass: first.breakClass,
          band: bandOf(first.band),
          severity: first.severity,
          count: of.length,
          unassigned: of.filter(({ assignee }) => assignee === undefined).length,
          amount: of.reduce((sum, { amount }) => sum + size(amount), 0n),
          net: of.reduce((sum, { amount = 0n }) => sum + amount, 0n),
        },
      ];
    });
}

/** Returns the first breaks by severity, then by day. */
function mostUrgent(breaks: readonly RatedBreak[]): RatedBreak[] {
  return [...breaks]
    .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
    .slice(0, OLDEST_MAX);
}

function severityRule(
  agedThrough: BusinessDate,
  { workingDays, urgency: { high, medium } }: AgingSettings,
): (open: OpenBreak) => ReportSeverity {
  // This age or older: before the first younger day.
  const youngerThan = (days: number): BusinessDate =>
    days <= 0 ? addDays(agedThrough, 1) : firstDayWithin(days - 1, agedThrough, workingDays);
  const [highBefore, mediumBefore] = [youngerThan(high.fromDays), youngerThan(medium.fromDays)];
  return ({ amount, since }) => {
    if (size(amount) >= high.fromMillimes || since < highBefore) return 'high';
    return size(amount) >= medium.fromMillimes || since < mediumBefore ? 'medium' : 'low';
  };
}

/** Returns the absolute amount; an unknown one is 0. */
export function size(amount: bigint | undefined): bigint {
  if (amount === undefined) return 0n;
  return amount < 0n ? -amount : amount;
}
