import { addDays, AppError, type BusinessCalendar, type Clock, systemClock } from '../../kernel';
import { PROPOSED_PROFILE, type Reading } from '../reading/choose-reader';
import { fileFault } from '../reading/refusal';
import type { ScannedStatement } from '../reading/scan-bank-file';
import type { SaveOptions } from './profile-to-save';

/**
 * Refuses a profile that was only proposed, because it may read the wrong column as the date. A person must confirm it.
 */
export function requireAskedForProposal(
  name: string,
  { proposal }: Reading,
  { profile, saveProfile, ownProfile }: SaveOptions,
): void {
  if (proposal === undefined || profile === PROPOSED_PROFILE) return;
  if (saveProfile !== undefined || ownProfile !== undefined) return;
  throw new AppError('profile_unconfirmed', {
    field: 'profile',
    expected: `the name of a profile, because none matches ${name}`,
    command: `check the proposed one with a dry run, then import with --save-profile <name>, or once with --profile ${PROPOSED_PROFILE}`,
  });
}

/**
 * Refuses a proposed profile with which no statement would name its account.
 * @throws AppError `bad_input`.
 */
export function requireStatedAccount({ proposal }: Reading, { account: given }: SaveOptions): void {
  const { account, columns } = proposal?.profile ?? {};
  if (given !== undefined || account !== undefined || columns?.account !== undefined) return;
  throw new AppError('account_missing', {
    field: 'account',
    expected: 'the account, because the file names none',
    command: 'give the account with --account',
  });
}

/**
 * Refuses impossible dates. Balances prove amounts, not dates. A future date, or in a CSV file one far before the lines
 * above, is probably misread, and would claim that unknown days are covered.
 */
export function requirePossibleDates(
  { statements, reading }: { readonly statements: readonly ScannedStatement[]; readonly reading: Reading },
  { calendar, clock }: { readonly calendar: BusinessCalendar; readonly clock: Clock },
): void {
  // In a replay the clock may be before the bank file, but no bank file is from the future.
  const today = calendar.dateOf(Math.max(clock.now(), systemClock.now()));
  const faults = statements.flatMap(({ proof, longBefore, parsed: { fileLine, closing } }) => {
    const place = `line ${fileLine}: expected`;
    const last = proof.booked.lastDate;
    // A line of MT940 may have only a value date, which may lie ahead. Its balance does not lie ahead.
    const mayLieAhead = reading.format === 'mt940' && closing?.date !== undefined;
    return [
      ...(reading.format === 'csv' ? longBefore : []),
      ...(last !== undefined && last > today && !mayLieAhead
        ? [`${place} booking dates through today, ${today}, got ${last}`]
        : []),
      // A bank in another time zone may be a day ahead.
      ...(closing?.date !== undefined && closing.date > addDays(today, 1)
        ? [`${place} a closing balance of today, ${today}, or before, got one of ${closing.date}`]
        : []),
    ];
  });
  if (faults.length > 0) {
    throw fileFault('has impossible dates', {
      code: 'dates_impossible',
      ...dateAdvice(reading),
      details: faults,
    });
  }
}

function dateAdvice({ format, proposal }: Reading): { readonly fix: string } | { readonly command: string } {
  if (format !== 'csv') return { fix: 'ask the bank for the file again' };
  return proposal === undefined
    ? { fix: 'correct dateFormat in the profile' }
    : { command: 'give the form of its dates with --date-format, such as mm/dd/yyyy' };
}
