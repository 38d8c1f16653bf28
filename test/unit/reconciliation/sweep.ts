import { businessCalendar, businessDate, millimes, WorkingDays } from '../../../src/kernel';
import type { BankCredit, OpenItem, SweepContext, SweepResult } from '../../../src/reconciliation/sweep-all';

/** Friday 20 March 2026 is a holiday. */
export const CONTEXT: SweepContext = {
  calendar: businessCalendar('Africa/Tunis'),
  workingDays: new WorkingDays([businessDate('2026-03-20')]),
};

/** An item of the given amount, available at a time in Tunis such as `2026-03-02 10:00`. */
export function item(itemId: string, time: string, amount: number): OpenItem {
  const availableUntil = Date.parse(`${time.replace(' ', 'T')}:00+01:00`);
  return { itemId, amount: millimes(amount), availableAfter: availableUntil - 120_000, availableUntil };
}

export function credit(lineId: string, bookingDate: string, amount: number): BankCredit {
  return { lineId, bookingDate: businessDate(bookingDate), amount: millimes(amount) };
}

/** Which items each resolved credit paid, by their ids. */
export function paidBy({ resolved }: SweepResult): Record<string, string[]> {
  return Object.fromEntries(resolved.map((match) => [match.credit.lineId, match.items.map(({ itemId }) => itemId)]));
}

export const lineIds = (credits: readonly BankCredit[]): string[] => credits.map(({ lineId }) => lineId);
export const itemIds = (items: readonly OpenItem[]): string[] => items.map(({ itemId }) => itemId);
