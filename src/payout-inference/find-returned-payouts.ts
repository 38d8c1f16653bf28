import { addToGroup } from '../kernel';
import type { DayGrid } from './day-grid';
import type { BankLine } from './match-request';
import type { ReturnedPayout } from './match-result';

/** The limit, in working days, from a credit to its return, and from the return to the repeated payment. */
export const RETURN_WORKING_DAYS_MAX = 10;
const RETURN_WORDS = /\b(retour|rejet|return|annul|impay|contrepass)/iu;

/**
 * Finds the debits that return a credit of the same amount, and the credits that replaced them. Lines are by booking
 * date.
 */
export function findReturnedPayouts(lines: readonly BankLine[], grid: DayGrid): ReturnedPayout[] {
  const credits = lines.filter(({ amount }) => amount > 0);
  const debits = lines.filter(({ amount }) => amount < 0);
  if (debits.length === 0) return [];
  const byAmount = new Map<number, BankLine[]>();
  for (const credit of credits) {
    addToGroup(byAmount, credit.amount, credit);
  }
  const givenBack = new Set<string>();
  const cameAgain = new Set<string>();
  const returned: ReturnedPayout[] = [];
  for (const debit of debits) {
    // A repeated payment may be returned, too.
    const same = (byAmount.get(-debit.amount) ?? []).filter(({ lineId }) => !givenBack.has(lineId));
    const possible = likeliest(
      debit,
      same.filter((credit) => isReturnOf(debit, credit, grid)),
    );
    const first = possible.at(-1);
    if (first === undefined) continue;
    const again = same.find(
      (credit) =>
        credit !== first &&
        !cameAgain.has(credit.lineId) &&
        credit.bookingDate >= debit.bookingDate &&
        isAlike(credit, first) &&
        workingDaysBetween(debit, credit, grid) <= RETURN_WORKING_DAYS_MAX,
    );
    givenBack.add(first.lineId);
    if (again !== undefined) cameAgain.add(again.lineId);
    returned.push({
      lineId: first.lineId,
      debitLineId: debit.lineId,
      paidAgainLineId: again?.lineId,
      orElse: possible.slice(0, -1).map(({ lineId }) => lineId),
    });
  }
  return returned;
}

/** Returns the credit of the same amount whose transfer the debit names; without one, all credits of the amount. */
function likeliest(debit: BankLine, credits: BankLine[]): BankLine[] {
  const named = credits.filter((credit) => namesTransfer(debit, credit));
  return named.length === 1 ? named : credits;
}

function isReturnOf(debit: BankLine, credit: BankLine, grid: DayGrid): boolean {
  if (credit.bookingDate > debit.bookingDate) return false;
  if (workingDaysBetween(credit, debit, grid) > RETURN_WORKING_DAYS_MAX) return false;
  return saysReturned(debit, credit);
}

type LineText = Pick<BankLine, 'counterparty' | 'remittance'>;

/**
 * Returns whether a debit returns a credit. Equal amounts alone do not distinguish a return from money that was passed
 * on, so the debit must call itself a return, or name the party or the transfer. Pure.
 */
export function saysReturned(debit: LineText, credit: LineText): boolean {
  if (RETURN_WORDS.test(debit.remittance) || RETURN_WORDS.test(debit.counterparty)) return true;
  const party = words(credit.counterparty);
  return (party !== '' && party === words(debit.counterparty)) || namesTransfer(debit, credit);
}

function namesTransfer(debit: LineText, credit: LineText): boolean {
  const transfer = words(credit.remittance);
  return transfer !== '' && words(debit.remittance).includes(transfer);
}

function words(text: string): string {
  return text.trim().toUpperCase();
}

function isAlike(a: BankLine, b: BankLine): boolean {
  return a.counterparty === b.counterparty || a.remittance === b.remittance;
}

function workingDaysBetween(from: BankLine, to: BankLine, grid: DayGrid): number {
  return grid.lag(grid.dayOfDate(from.bookingDate), grid.dayOfDate(to.bookingDate));
}
