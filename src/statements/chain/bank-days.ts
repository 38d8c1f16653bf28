import type { Statement } from '../statement-records';

/**
 * Whether two statements that prove themselves are of other days by the dates of their balances: then each of their
 * movements is another one, whatever its own dates are. Lines of MT940 often have a value date only, and it may lie days
 * before or after the day on which the bank booked them.
 */
export function areOfOtherDays(a: Statement, b: Statement): boolean {
  return isBefore(a, b) || isBefore(b, a);
}

/** Whether a statement has lines dated before or after the days of its balances. */
export function straysFromItsDays({ firstDate, lastDate, from, through }: Statement): boolean {
  if (firstDate === undefined || lastDate === undefined || from === undefined || through === undefined) return false;
  return firstDate < from || lastDate > through;
}

function isBefore(a: Statement, b: Statement): boolean {
  if (!isWhole(a) || !isWhole(b) || a.through === undefined || b.from === undefined) return false;
  if (a.through < b.from) return true;
  // Many banks date the opening balance with the day before, that of the last closing balance. Two statements that end on
  // one day are left to their lines.
  const goesOn = a.through === b.from && a.closingMinor === b.openingMinor;
  return goesOn && a.from !== undefined && a.from < b.from && b.through !== undefined && b.through > a.through;
}

function isWhole({ kind, verdict, openingMinor, closingMinor }: Statement): boolean {
  return kind === 'statement' && verdict === 'ok' && openingMinor !== undefined && closingMinor !== undefined;
}
