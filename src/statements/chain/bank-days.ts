import type { Statement } from '../statement-records';

/**
 * Returns whether the balances of two proven statements are of different days. Then no movement is in both, whatever
 * the dates of their lines are. Lines of MT940 often have only a value date, which may be days before or after the
 * booking.
 */
export function areOfOtherDays(a: Statement, b: Statement): boolean {
  return isBefore(a, b) || isBefore(b, a);
}

/** Returns whether a statement has lines dated before or after the days of its balances. */
export function straysFromItsDays({ firstDate, lastDate, from, through }: Statement): boolean {
  if (firstDate === undefined || lastDate === undefined || from === undefined || through === undefined) return false;
  return firstDate < from || lastDate > through;
}

function isBefore(a: Statement, b: Statement): boolean {
  if (!isWhole(a) || !isWhole(b) || a.through === undefined || b.from === undefined) return false;
  if (a.through < b.from) return true;
  // Many banks date the opening balance with the previous day, that of the last closing balance. If two statements end
  // on one day, their lines decide.
  const goesOn = a.through === b.from && a.closingMinor === b.openingMinor;
  return goesOn && a.from !== undefined && a.from < b.from && b.through !== undefined && b.through > a.through;
}

/** Returns whether a statement of booked movements is proven and states both balances. */
export function isWhole({ kind, verdict, openingMinor, closingMinor }: Statement): boolean {
  return kind === 'statement' && verdict === 'ok' && openingMinor !== undefined && closingMinor !== undefined;
}
