import type { BusinessCalendar, BusinessDate, Millimes, WorkingDays } from '../../kernel';
import type { ReconBreak } from '../recon-break';

export const SEVERITIES = ['high', 'medium', 'low'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** How urgent a difference is: from an amount on, or from an age on, whichever says more. Days are working days. */
export interface UrgencySettings {
  readonly high: { readonly fromMillimes: Millimes; readonly fromDays: number };
  readonly medium: { readonly fromMillimes: Millimes; readonly fromDays: number };
  /** How many working days there are to settle a break. */
  readonly dueInDays: Readonly<Record<Severity, number>>;
}

/** How urgent a break is on a day. */
export interface Urgency {
  readonly severity: Severity;
  /** Working days since the day from which it counts, up to the last day that is known of the bank. */
  readonly ageDays: number;
  readonly dueOn: BusinessDate;
  readonly isOverdue: boolean;
}

export interface UrgencyDays {
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  /** Up to which day differences age: while the bank's file is late nothing gets older. */
  readonly agedThrough: BusinessDate;
  readonly today: BusinessDate;
}

/** What a person needs to choose what to do first. Pure. A resolved break is as old as it became, and never overdue. */
export function urgencyOf(
  { amount, since, openedAt, status, resolvedAt }: ReconBreak,
  settings: UrgencySettings,
  { calendar, workingDays, agedThrough, today }: UrgencyDays,
): Urgency {
  const resolvedOn = resolvedAt === undefined ? undefined : calendar.dateOf(resolvedAt);
  const until = resolvedOn !== undefined && resolvedOn < agedThrough ? resolvedOn : agedThrough;
  const ageDays = workingDays.countBetween(since, until);
  const openedOn = calendar.dateOf(openedAt);
  // By the amount alone: a due date that came nearer with the age would be over the moment it moved.
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
