import { isDeepStrictEqual } from 'node:util';
import { AppError, quoted } from '../../../kernel';
import { fileFault } from '../refusal';
import type { StatementProfile } from '../statement-profile';
import { columnNames, type CsvHeader, findHeader, headerLike, likelyHeader } from './find-header';
import type { RowSource } from './row-source';

/**
 * Finds the one profile whose header fits the file; undefined if none does. `rowsFor` returns the rows in the encoding of
 * a profile; undefined if the bytes do not fit it.
 * @throws AppError `bad_input` if several do; it lists them.
 */
export function detectProfile(
  rowsFor: (profile: StatementProfile) => RowSource | undefined,
  profiles: readonly StatementProfile[],
): StatementProfile | undefined {
  const fits = (profile: StatementProfile): boolean => {
    const source = rowsFor(profile);
    return source !== undefined && findHeader(source, profile) !== undefined;
  };
  // Every file has a first and a second column, so a profile without names is used only if a person names it.
  const fitting = profiles.filter((profile) => profile.header === 'names' && fits(profile));
  if (fitting.length < 2) return fitting[0];
  throw new AppError(
    'bad_input',
    { field: 'profile', expected: 'one of the profiles that match this file, got several', fix: 'name one of them' },
    { details: fitting.map(({ name, description }) => `${name}: ${description}`) },
  );
}

/** Returns what differs between the headings of a file and those with which some profiles were saved, one sentence each. */
export function changesSince(
  rowsFor: (profile: StatementProfile) => RowSource | undefined,
  profiles: readonly StatementProfile[],
): string[] {
  return profiles.flatMap((profile) => {
    const source = profile.headings === undefined ? undefined : rowsFor(profile);
    const names = source && headerLike(source, profile)?.names;
    const { headings = [] } = profile;
    if (names === undefined || isDeepStrictEqual(names, headings)) return [];
    const listed = (all: readonly string[], others: readonly string[]): string =>
      all
        .filter((name) => name !== '' && !others.includes(name))
        .map(quoted)
        .join(', ');
    const [added, gone] = [listed(names, headings), listed(headings, names)];
    const changes = [
      ...(added === '' ? [] : [`new columns ${added}`]),
      ...(gone === '' ? [] : [`columns that are gone ${gone}`]),
    ];
    return [`profile ${profile.name} was saved with other headings: ${changes.join('; ') || 'another order'}`];
  });
}

/**
 * Returns the header. @throws AppError `bad_input` that shows the columns of the profile and the header of the file.
 */
export function requireHeader(source: RowSource, profile: StatementProfile): CsvHeader {
  const header = findHeader(source, profile);
  if (header !== undefined) return header;
  throw fileFault(`profile ${profile.name} does not match this file`, {
    details: [...changesSince(() => source, [profile]), `expected ${wantedHeader(profile)}`, ...headerSeen(source)],
  });
}

function wantedHeader(profile: StatementProfile): string {
  if (profile.header === 'none') return `at least ${Math.max(...columnNames(profile).map(Number))} columns`;
  return `a line with each of these columns once: ${columnNames(profile).map(quoted).join(', ')}`;
}

/** Returns the line that looks most like a header, for a message; nothing for a file without lines. */
export function headerSeen(source: RowSource): string[] {
  const header = likelyHeader(source);
  if (header === undefined) return [];
  const names = header.names.filter((name) => name !== '').map(quoted);
  return [`line ${header.line} looks like the header: ${names.join(' ')}`];
}
