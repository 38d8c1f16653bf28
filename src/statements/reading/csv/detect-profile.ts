import { AppError } from '../../../kernel';
import { decodeText } from '../decode-text';
import { quoted } from '../problems';
import type { StatementProfile } from '../statement-profile';
import { columnNames, findHeader, likelyHeader, type CsvHeader } from './find-header';

/**
 * Finds the one profile whose encoding and header fit the file; undefined when none does.
 *
 * @throws AppError `bad_input` when several do; it lists them.
 */
export function detectProfile(bytes: Uint8Array, profiles: readonly StatementProfile[]): StatementProfile | undefined {
  const fitting = profiles.filter((profile) => fits(bytes, profile));
  if (fitting.length < 2) return fitting[0];
  throw new AppError('bad_input', 'several profiles read this file: say which with --profile', {
    details: fitting.map(({ name, description }) => `${name}: ${description}`),
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

function fits(bytes: Uint8Array, profile: StatementProfile): boolean {
  const decoded = decodeText(bytes, profile.encoding);
  return decoded.ok && findHeader(decoded.text, profile) !== undefined;
}

function headerFault(profile: StatementProfile): string {
  return `has no line with each of the columns ${columnNames(profile).map(quoted).join(', ')} once`;
}

/** The line that looks most like a header, for a message; nothing for a text without lines. */
export function headerSeen(text: string): string[] {
  const header = likelyHeader(text);
  return header === undefined
    ? []
    : [`line ${header.line} looks like the header: ${header.cells.map(quoted).join(' ')}`];
}
