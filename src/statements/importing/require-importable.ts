import { addDays, AppError, type BusinessCalendar, type Clock, systemClock } from '../../kernel';
import { PROPOSED_PROFILE, type Reading, type ReadOptions } from '../reading/choose-reader';
import type { ScannedStatement } from '../reading/scan-bank-file';

/** A profile that was guessed may read the wrong column as the date: a person says that it is right. */
export function requireAskedForProposal(name: string, { proposal }: Reading, { profile }: ReadOptions): void {
  if (proposal === undefined || profile === PROPOSED_PROFILE) return;
  throw new AppError('bad_input', {
    field: 'profile',
    expected: `the name of a profile, because none matches ${name}`,
    fix: `check the proposed one with a dry run, then import with the profile "${PROPOSED_PROFILE}"`,
  });
}

/**
 * Balances prove amounts, not dates. A line of a day to come, or in a CSV file far before the lines above it, is a
 * misread date, and it would say that days are covered of which we know nothing.
 */
export function requirePossibleDates(
  name: string,
  { statements, reading }: { readonly statements: readonly ScannedStatement[]; readonly reading: Reading },
  { calendar, clock }: { readonly calendar: BusinessCalendar; readonly clock: Clock },
): void {
  // The clock of a replayed month may not have come as far as its bank file; no bank file is of a future day.
  const today = calendar.dateOf(Math.max(clock.now(), systemClock.now()));
  const faults = statements.flatMap(({ proof, longBefore, parsed: { fileLine, closing } }) => {
    const place = `line ${fileLine}: expected`;
    const last = proof.booked.lastDate;
    // A line of MT940 may have a value date only, and that may lie ahead; its balance does not.
    const mayLieAhead = reading.format === 'mt940' && closing?.date !== undefined;
    return [
      ...(reading.format === 'csv' ? longBefore : []),
      ...(last !== undefined && last > today && !mayLieAhead
        ? [`${place} booking dates through today, ${today}, got ${last}`]
        : []),
      // A bank elsewhere may be a day ahead.
      ...(closing?.date !== undefined && closing.date > addDays(today, 1)
        ? [`${place} a closing balance of today, ${today}, or before, got one of ${closing.date}`]
        : []),
    ];
  });
  if (faults.length > 0) {
    throw new AppError('file_faults', { file: name, fault: 'has impossible dates' }, { details: faults });
  }
}
