import { AppError } from '../../kernel';
import { decodeText } from '../decode-text';
import { quoted } from '../problems';
import type { StatementProfile } from '../statement-profile';
import { columnNames, findHeader, likelyHeader, type CsvHeader } from './find-header';

/**
 * Finds the one profile whose encoding and header fit the file.
 *
 * @throws AppError `bad_input` when none or several do; it lists the profiles, and the header that the file has.
 */
export function detectProfile(bytes: Uint8Array, profiles: readonly StatementProfile[]): StatementProfile {
  const tries = profiles.map((profile) => ({ profile, ...tryProfile(bytes, profile) }));
  const fitting = tries.filter(({ fits }) => fits);
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only.profile;
  if (fitting.length > 1) {
    throw new AppError('bad_input', 'several profiles read this file: say which with --profile', {
      details: fitting.map(({ profile }) => `${profile.name}: ${profile.description}`),
    });
  }
  const text = tries.find((attempt) => attempt.text !== undefined)?.text ?? decodedAnyhow(bytes);
  throw new AppError('bad_input', 'no profile reads this file', {
    details: [
      ...headerSeen(text),
      ...tries.map(({ profile, reason }) => `profile ${profile.name}: the file ${reason}`),
    ],
  });
}

/** @throws AppError `bad_input` that shows the columns of the profile and the header that the file has. */
export function requireHeader(text: string, profile: StatementProfile): CsvHeader {
  const header = findHeader(text, profile);
  if (header !== undefined) return header;
  throw new AppError('bad_input', `the profile ${profile.name} does not read this file`, {
    details: [...headerSeen(text), `the file ${headerFault(profile)}`],
  });
}

function tryProfile(
  bytes: Uint8Array,
  profile: StatementProfile,
): { fits: boolean; reason: string; text: string | undefined } {
  const decoded = decodeText(bytes, profile.encoding);
  if (!decoded.ok) return { fits: false, reason: decoded.reason, text: undefined };
  const fits = findHeader(decoded.text, profile) !== undefined;
  return { fits, reason: headerFault(profile), text: decoded.text };
}

function headerFault(profile: StatementProfile): string {
  return `has no line with each of the columns ${columnNames(profile).map(quoted).join(', ')} once`;
}

function headerSeen(text: string | undefined): string[] {
  const header = text === undefined ? undefined : likelyHeader(text);
  return header === undefined
    ? []
    : [`line ${header.line} looks like the header: ${header.cells.map(quoted).join(' ')}`];
}

function decodedAnyhow(bytes: Uint8Array): string | undefined {
  const decoded = decodeText(bytes, 'utf-8');
  return decoded.ok ? decoded.text : undefined;
}
