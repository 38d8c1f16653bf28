import type { NewBreak } from '../breaks';
import { millimes, type BusinessCalendar, type BusinessDate, type WorkingDays } from '../kernel';
import type { BankCredit, OpenItem, SweepResult } from './sweep-all';

/** Working days that a difference may last before it is a break. */
export interface Grace {
  /** After the working day that follows the cut. */
  readonly missingInBank: number;
  readonly missingInBook: number;
}

export const DEFAULT_GRACE: Grace = { missingInBank: 3, missingInBook: 2 };

export interface BreakContext {
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  readonly grace: Grace;
  /** Up to which day differences age: the run's cut-off, or the last day that the bank's statements cover. */
  readonly horizon: BusinessDate;
  /** Whether any credit was ever resolved. Money that never was paid out is not missing in the bank yet. */
  readonly everPaid: boolean;
}

export interface Findings {
  readonly breaks: readonly NewBreak[];
  /** Unpaid items that still are inside their grace. */
  readonly pending: readonly OpenItem[];
}

/** Names what the sweep left over: still waiting, or a break. Pure. */
export function findBreaks(sweep: SweepResult, context: BreakContext): Findings {
  const overdue: OpenItem[] = [];
  const pending: OpenItem[] = [];
  for (const item of sweep.unpaid) (isOverdue(item, context) ? overdue : pending).push(item);
  const breaks = [
    ...(context.everPaid ? missingInBank(overdue, context) : clearingUnexplained(overdue, context)),
    ...sweep.unexplained.filter((credit) => isPastGrace(credit, context)).map(missingInBook),
    ...sweep.ambiguous.map(ambiguousPayout),
  ];
  return { breaks, pending };
}

/** Swept by the next working day, booked on the one after, and the grace: age grows on working days only. */
function isOverdue({ availableUntil }: OpenItem, { calendar, workingDays, grace, horizon }: BreakContext): boolean {
  const sweptBy = workingDays.add(workingDays.onOrAfter(calendar.dateOf(availableUntil)), 1);
  return workingDays.countBetween(sweptBy, horizon) > 1 + grace.missingInBank;
}

function isPastGrace(credit: BankCredit, { workingDays, grace, horizon }: BreakContext): boolean {
  return workingDays.countBetween(credit.bookingDate, horizon) > grace.missingInBook;
}

/** One break for each day of payments that should be on the bank: a sweep that did not come, not its forty payments. */
function missingInBank(items: readonly OpenItem[], { calendar }: BreakContext): NewBreak[] {
  const byDay = new Map<BusinessDate, OpenItem[]>();
  for (const item of items) {
    const day = calendar.dateOf(item.availableUntil);
    byDay.set(day, [...(byDay.get(day) ?? []), item]);
  }
  return [...byDay].map(([day, ofDay]) => ({
    fingerprint: `missing_in_bank:agent:${day}`,
    breakClass: 'missing_in_bank',
    since: day,
    ...contentOf(ofDay),
  }));
}

/** A stream that no credit ever paid may not be paid to this bank at all: one line a month says how much it holds. */
function clearingUnexplained(items: readonly OpenItem[], { calendar, horizon }: BreakContext): NewBreak[] {
  const [first] = items;
  if (first === undefined) return [];
  return [
    {
      fingerprint: `clearing_unexplained:agent:${horizon.slice(0, 7)}`,
      breakClass: 'clearing_unexplained',
      since: calendar.dateOf(first.availableUntil),
      ...contentOf(items),
    },
  ];
}

function missingInBook(credit: BankCredit): NewBreak {
  return {
    fingerprint: `missing_in_book:${credit.lineId}`,
    breakClass: 'missing_in_book',
    since: credit.bookingDate,
    amount: credit.amount,
    subject: { itemIds: [], lineIds: [credit.lineId], facts: { bookingDate: credit.bookingDate } },
  };
}

function ambiguousPayout(credit: BankCredit): NewBreak {
  return {
    fingerprint: `ambiguous_payout:${credit.lineId}`,
    breakClass: 'ambiguous_payout',
    since: credit.bookingDate,
    amount: credit.amount,
    subject: { itemIds: [], lineIds: [credit.lineId], facts: { bookingDate: credit.bookingDate } },
  };
}

function contentOf(items: readonly OpenItem[]): Pick<NewBreak, 'amount' | 'subject'> {
  const total = items.reduce((sum, { amount }) => sum + amount, 0);
  return {
    amount: Number.isSafeInteger(total) ? millimes(total) : undefined,
    subject: { itemIds: items.map(({ itemId }) => itemId), lineIds: [], facts: { items: items.length } },
  };
}
