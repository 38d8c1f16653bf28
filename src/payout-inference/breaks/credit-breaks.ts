import { type BusinessDate, type Millimes, negateMillimes } from '../../kernel';
import type { BankLine } from '../match-request';
import type { InferredCredit } from '../match-result';
import type { BreakContext, NamedBreak } from './break-context';
import { type CreditClass, creditClassOf } from './credit-class';

/**
 * Reports the credits that are not resolved: `missing_in_book` after its grace, the others immediately. The lines of a
 * returned payout belong to the break of the return.
 */
export function creditBreaks({ inference, lines, grace, horizon, days }: BreakContext): NamedBreak[] {
  const bookedUntil = horizon === undefined ? undefined : days.latestOlderThan(grace.missingInBook, horizon);
  const told = new Set(inference.returned.flatMap(({ lineId, paidAgainLineId }) => [lineId, paidAgainLineId]));
  return inference.credits.flatMap((credit) => {
    const breakClass = creditClassOf(credit);
    const line = lines.get(credit.lineId);
    if (breakClass === undefined || line === undefined || told.has(credit.lineId)) return [];
    if (breakClass === 'missing_in_book' && !isPast(line.bookingDate, bookedUntil)) return [];
    return [creditBreak(breakClass, credit, line)];
  });
}

function isPast(bookingDate: BusinessDate, bookedUntil: BusinessDate | undefined): boolean {
  return bookedUntil !== undefined && bookingDate <= bookedUntil;
}

function creditBreak(breakClass: CreditClass, credit: InferredCredit, line: BankLine): NamedBreak {
  return {
    fingerprint: `${breakClass}:${credit.lineId}`,
    breakClass,
    amount: amountOf(breakClass, credit, line),
    itemIds: credit.commonCore,
    lineIds: [credit.lineId],
    since: line.bookingDate,
  };
}

/** Returns the difference between the credit and its run, if it is known; otherwise the whole amount. */
function amountOf(breakClass: CreditClass, { remainder }: InferredCredit, { amount }: BankLine): Millimes {
  if (breakClass === 'fee_unexplained' && remainder < 0) return negateMillimes(remainder);
  return breakClass === 'amount_differs' ? remainder : amount;
}
