import type { BusinessCalendar, BusinessDate, Millimes, WorkingDays } from '../../kernel';
import type { ReconBreak } from '../recon-break';

export const SEVERITIES = ['high', 'medium', 'low'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The amount or the age, in working days, from which a break has a severity. The higher severity applies. */
export interface UrgencySettings {
  readonly high: { readonly fromMillimes: Millimes; readonly fromDays: number };
  readonly medium: { readonly fromMillimes: Millimes; readonly fromDays: number };
  /** The number of working days until a break is due. */
  readonly dueInDays: Readonly<Record<Severity, number>>;
}

/** The urgency of a break on a day. */
export interface Urgency {
  readonly severity: Severity;
  /** Working days from `since` to the last day that the bank statements cover. */
  readonly ageDays: number;
  readonly dueOn: BusinessDate;
  readonly isOverdue: boolean;
}

export interface UrgencyDays {
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  /** The day up to which breaks age. While the bank statement is late, no break ages. */
  readonly agedThrough: BusinessDate;
  readonly today: BusinessDate;
}

/** The facts about a break that determine its urgency. */
export type AgingBreak = Pick<ReconBreak, 'amount' | 'since' | 'openedAt' | 'status' | 'resolvedAt'>;

/** Returns severity, age and due date of a break. A resolved break no longer ages and is never overdue. Pure. */
export function urgencyOf(
  { amount, since, openedAt, status, resolvedAt }: AgingBreak,
  settings: UrgencySettings,
  { calendar, workingDays, agedThrough, today }: UrgencyDays,
): Urgency {
  const resolvedOn = resolvedAt === undefined ? undefined : calendar.dateOf(resolvedAt);
  const until = resolvedOn !== undefined && resolvedOn < agedThrough ? resolvedOn : agedThrough;
  const ageDays = workingDays.countBetween(since, until);
  const openedOn = calendar.dateOf(openedAt);
  // The due date depends on the amount only. If age could advance it, the new date would already have passed.
  const dueIn = settings.dueInDays[severityOf(amount, 0, settings)];
  const dueOn = workingDays.add(openedOn > since ? openedOn : since, dueIn);
  return {
    severity: severityOf(amount, ageDays, settings),
    ageDays,
    dueOn,
    isOverdue: status !== 'resolved' && today > dueOn,
  };
}

function severityOf(amount: Millimes | undefined, ageDays: number, { high, medium }: UrgencySettings): Severity {
  const size = Math.abs(amount ?? 0);
  if (size >= high.fromMillimes || ageDays >= high.fromDays) return 'high';
  return size >= medium.fromMillimes || ageDays >= medium.fromDays ? 'medium' : 'low';
}
