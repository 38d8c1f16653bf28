import type { Statement } from '../statement-records';

/** Returns whether two statements of one account have lines on the same days. */
export function sharesDays(a: Statement, b: Statement): boolean {
  if (a.account !== b.account || a.currency !== b.currency) return false;
  if (a.firstDate === undefined || a.lastDate === undefined) return false;
  if (b.firstDate === undefined || b.lastDate === undefined) return false;
  return a.firstDate <= b.lastDate && b.firstDate <= a.lastDate;
}
