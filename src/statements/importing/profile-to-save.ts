import { AppError, counted } from '../../kernel';
import type { Reading, ReadOptions } from '../reading/choose-reader';
import { currencyOf } from '../reading/currencies';
import type { ProfilesSource } from '../reading/load-profiles';
import { type ProfileEntry, profileEntry } from '../reading/profile-entry';
import type { RecognizedCredits } from '../reading/recognized-credits';
import { requireSavable } from '../reading/save-profile';
import type { ScannedFile } from '../reading/scan-bank-file';
import type { AnyProfile } from '../reading/statement-profile';
import { ifOne } from './if-one';

export interface SaveOptions extends ReadOptions {
  /** The name under which the proposed profile is saved, for later files. */
  readonly saveProfile?: string | undefined;
  /** Whether a person states that the file has no payout, so that its pattern may recognize none of the credits. */
  readonly withoutPayouts?: boolean | undefined;
}

/** Returns the profile of a file as it would be saved; undefined if the file needs none. */
export function profileToSave(scanned: ScannedFile, options: SaveOptions): ProfileEntry | undefined {
  const { reading, statements } = scanned;
  if (reading.proposal === undefined) return patternEntry(scanned, options);
  const currency = ifOne(statements.map(({ parsed }) => parsed.currency));
  return profileEntry(reading.proposal, { name: options.saveProfile, currency, payoutPattern: options.payoutPattern });
}

/** Returns the proposed profile of a file that cannot be read, because only a person can choose how. */
export function profileToDecide({ proposal }: Reading, options: SaveOptions): ProfileEntry | undefined {
  const { saveProfile: name, payoutPattern, currency = '' } = options;
  return proposal && profileEntry(proposal, { name, payoutPattern, currency: currencyOf(currency) });
}

/** Returns the profile of a format that needs none, if a person gives its payout pattern to save. */
function patternEntry({ reading, statements }: ScannedFile, options: SaveOptions): ProfileEntry | undefined {
  const { format, profile } = reading;
  const { saveProfile: name, payoutPattern } = options;
  if (format === 'csv' || profile !== '' || name === undefined || payoutPattern === undefined) return undefined;
  const account = ifOne(statements.map(({ parsed }) => parsed.account));
  const description = `credits of account ${account ?? ''} that may be payouts`;
  return {
    entry: { name, description, format, payoutPattern, ...(account === undefined ? {} : { account }) },
    gaps: [],
    reasons: [],
  };
}

/**
 * Checks that the profile of a file can be saved. A gap in it is a refusal of another check already.
 * @throws AppError `bad_input` if the file needs none; as `requireSavable`.
 */
export function requireProfileToSave(
  found: ProfileEntry | undefined,
  { format, profile }: Reading,
  deps: ProfilesSource & { readonly profiles: () => readonly AnyProfile[] },
): void {
  if (found === undefined) {
    throw new AppError('bad_input', {
      field: 'saveProfile',
      expected: 'a file that no profile reads',
      got: profile === '' ? `one of the format ${format}, which needs none` : `one that profile ${profile} reads`,
      fix: 'import the file without it',
    });
  }
  if (found.gaps.length === 0) requireSavable(deps, found.entry, deps.profiles());
}

/** @throws AppError `bad_input` for a payout pattern that no saved profile would keep for later files. */
export function requireSavedPattern(
  { profile, proposal }: Reading,
  { request: { payoutPattern, saveProfile: name } }: { readonly request: SaveOptions },
): void {
  if (payoutPattern === undefined || (name !== undefined && (proposal !== undefined || profile === ''))) return;
  const isRead = proposal === undefined && profile !== '';
  throw new AppError('bad_input', {
    field: 'payoutPattern',
    fault: isRead ? `cannot change profile ${profile}, which reads the file` : 'is kept only in a saved profile',
    ...(isRead ? { fix: 'set payoutPattern in the profiles file' } : { command: 'add --save-profile <name>' }),
  });
}

/**
 * Refuses a pattern that a person typed for this file and the next ones, and that recognizes none of its credits.
 * @throws AppError `bad_input`.
 */
export function requireRecognized(
  found: RecognizedCredits | undefined,
  { payoutPattern, withoutPayouts = false }: SaveOptions,
): void {
  if (payoutPattern === undefined || withoutPayouts || found === undefined) return;
  const { credits, recognized } = found;
  if (recognized > 0 || credits === 0) return;
  throw new AppError('bad_input', {
    field: 'payoutPattern',
    fault: `the pattern recognizes 0 of ${counted(credits, 'credit')}`,
    command: 'correct it, or add --without-payouts if the gateway paid nothing on these days',
  });
}
