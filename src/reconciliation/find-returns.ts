import { addToGroup, type WorkingDays } from '../kernel';
import { RETURN_WORKING_DAYS_MAX, saysReturned } from '../payout-inference';
import type { PayoutCandidate } from '../statements';
import type { StoredMatch, Unmatched } from './match';

/** A payout that an earlier run matched and the bank returned since. */
export interface FoundReturn {
  readonly match: StoredMatch;
  readonly debit: PayoutCandidate;
}

/** The facts from which returns are found. */
export interface ReturnFacts {
  readonly credits: readonly PayoutCandidate[];
  readonly debits: readonly PayoutCandidate[];
  readonly matches: readonly StoredMatch[];
  readonly unmatched: readonly Unmatched[];
}

/**
 * Finds matched payouts that the bank returned: soon after, one debit of the same amount left the same account for the
 * same counterparty, or it names the same transfer. If several credits, matched or not, or several debits qualify, it
 * chooses none. Pure.
 */
export function findReturns(facts: ReturnFacts, workingDays: WorkingDays): FoundReturn[] {
  const taken = linesInUse(facts);
  const matchOf = new Map(facts.matches.map((match) => [match.lineId, match]));
  const creditsOf = new Map<string, PayoutCandidate[]>();
  for (const credit of facts.credits) {
    if (taken.has(credit.lineId)) continue;
    const key = `${credit.account} ${credit.amount}`;
    addToGroup(creditsOf, key, credit);
  }
  const found: FoundReturn[] = [];
  const times = new Map<string, number>();
  for (const debit of facts.debits) {
    if (taken.has(debit.lineId)) continue;
    for (const credit of creditsOf.get(`${debit.account} ${-debit.amount}`) ?? []) {
      if (!isReturnOf(debit, credit, workingDays)) continue;
      for (const { lineId } of [credit, debit]) times.set(lineId, (times.get(lineId) ?? 0) + 1);
      const match = matchOf.get(credit.lineId);
      if (match !== undefined) found.push({ match, debit });
    }
  }
  return found.filter(({ match, debit }) => times.get(match.lineId) === 1 && times.get(debit.lineId) === 1);
}

/** Returns the credits and debits of known returns. */
function linesInUse({ matches, unmatched }: ReturnFacts): Set<string> {
  return new Set([
    ...matches.flatMap(({ returned, lineId }) =>
      returned === undefined ? [] : [lineId, returned.creditLineId, returned.debitLineId],
    ),
    ...unmatched.flatMap(({ debitLineId, lineId }) => (debitLineId === undefined ? [] : [debitLineId, lineId])),
  ]);
}

function isReturnOf(debit: PayoutCandidate, credit: PayoutCandidate, workingDays: WorkingDays): boolean {
  if (debit.bookingDate < credit.bookingDate) return false;
  if (debit.bookingDate > workingDays.add(credit.bookingDate, RETURN_WORKING_DAYS_MAX)) return false;
  return saysReturned(debit, credit);
}
