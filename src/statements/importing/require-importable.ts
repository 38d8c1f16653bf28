import { addDays, AppError, type BusinessCalendar, type BusinessDate, type Clock, systemClock } from '../../kernel';
import type { BankFile } from '../reading/bank-file';
import { PROPOSED_PROFILE, type Reading } from '../reading/choose-reader';
import { fileFault } from '../reading/refusal';
import type { ScannedStatement } from '../reading/scan-bank-file';
import type { SaveOptions } from './profile-to-save';

/**
 * Refuses a profile that was only proposed, because it may read the wrong column as the date. A person must confirm it.
 */
export function requireAskedForProposal(
  { proposal, changes }: Reading,
  {
    request: { file, profile, saveProfile, ownProfile },
  }: { readonly request: SaveOptions & { readonly file: BankFile } },
): void {
  if (proposal === undefined || profile === PROPOSED_PROFILE) return;
  if (saveProfile !== undefined || ownProfile !== undefined) return;
  const problem = {
    field: 'profile',
    expected: `the name of a profile, because none matches ${file.name}`,
    command: `check the proposed one with a dry run, then import with --save-profile <name>, or once with --profile ${PROPOSED_PROFILE}`,
  };
  throw new AppError('profile_unconfirmed', problem, { details: changes });
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

/** Over a weekend with holidays, banks date bookings and balances on the next working day. */
const DAYS_AHEAD_MAX = 5;

/**
 * Refuses impossible dates. Balances prove amounts, not dates. A future date, or in a CSV file one far before the lines
 * above, is probably misread, and would claim that unknown days are covered.
 */
export function requirePossibleDates(
  { statements, reading }: { readonly statements: readonly ScannedStatement[]; readonly reading: Reading },
  { deps: { calendar, clock } }: { readonly deps: { readonly calendar: BusinessCalendar; readonly clock: Clock } },
): void {
  // In a replay the clock may be before the bank file, but no bank file is from the future.
  const today = calendar.dateOf(Math.max(clock.now(), systemClock.now()));
  const isCertain = isDateFormCertain(reading);
  const faults = statements.flatMap(({ proof, longBefore, parsed: { kind, fileLine, closing } }) => {
    const daysAhead = proof.verdict === 'ok' && isCertain ? DAYS_AHEAD_MAX : 0;
    // An interim report books nothing. A line of MT940 may have only a value date, which may lie ahead of its balance.
    const mayLieAhead = kind === 'interim' || (reading.format === 'mt940' && closing?.date !== undefined);
    const last = mayLieAhead ? undefined : proof.booked.lastDate;
    // A bank in another time zone may be a day ahead.
    const closes = Math.max(daysAhead, 1);
    return [
      ...(reading.format === 'csv' ? longBefore : []),
      ...tooLate(fileLine, 'booking dates', last, { today, daysAhead }),
      ...tooLate(fileLine, 'a closing balance', closing?.date, { today, daysAhead: closes }),
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

/** Returns whether the dates of a file can be read in one form only. Day and month of others may be exchanged. */
function isDateFormCertain({ proposal }: Reading): boolean {
  return proposal?.choices.every(({ field }) => field !== 'dateFormat') ?? true;
}

function tooLate(
  fileLine: number,
  what: string,
  date: BusinessDate | undefined,
  { today, daysAhead }: { readonly today: BusinessDate; readonly daysAhead: number },
): string[] {
  const latest = addDays(today, daysAhead);
  if (date === undefined || date <= latest) return [];
  return [`line ${fileLine}: expected ${what} through ${daysAhead === 0 ? 'today, ' : ''}${latest}, got ${date}`];
}

function dateAdvice({ format, proposal }: Reading): { readonly fix: string } | { readonly command: string } {
  if (format !== 'csv') return { fix: 'ask the bank for the file again' };
  return proposal === undefined
    ? { fix: 'correct dateFormat in the profile' }
    : { command: 'give the form of its dates with --date-format, such as mm/dd/yyyy' };
}
