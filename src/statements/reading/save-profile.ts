import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../kernel';
import { loadAllProfiles, type ProfilesSource, SHIPPED_FILE } from './load-profiles';
import { type AnyProfile, PROFILE_NAME, profileOf, type ProfileText } from './statement-profile';

const OWNER_ONLY = 0o600;
const VARIABLE = 'STATEMENT_PROFILES_FILE';

/** Returns whether the profiles file belongs to the installation. */
export function isOwnProfilesFile(file: string): boolean {
  return resolve(file) !== SHIPPED_FILE;
}

/**
 * Checks that a profile can be saved under a name, and writes nothing.
 * @throws AppError `bad_input` or `conflict` that names the option or the variable.
 */
export function requireSavable(
  { profilesFile: file }: ProfilesSource,
  entry: ProfileText,
  profiles: readonly AnyProfile[],
): void {
  const { name } = entry;
  if (!PROFILE_NAME.test(name) || name === 'proposed') {
    throw new AppError('bad_input', {
      field: 'saveProfile',
      expected: 'a name of lower-case letters, digits and hyphens, at most 64, other than "proposed"',
      got: name,
    });
  }
  if (!isOwnProfilesFile(file)) {
    throw new AppError('bad_input', {
      field: VARIABLE,
      expected: 'the path of a file of yours',
      got: '',
      fix: `remove the variable, or copy ${SHIPPED_FILE} to a path of yours and set the variable to it`,
    });
  }
  const same = profiles.find((profile) => profile.name === name);
  if (same !== undefined && !isEqual(same, entry)) throw new AppError('profile_exists', { name });
  requireWritable(file);
}

/** A new file replaces the old one, so its folder must be writable, too. */
function requireWritable(file: string): void {
  try {
    const path = realPathOf(file);
    if (existsSync(path)) accessSync(path, constants.W_OK);
    let folder = dirname(path);
    while (!existsSync(folder)) folder = dirname(folder); // it is created with the file
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw notWritable(file, error);
  }
}

/** Follows a symbolic link, so that it stays one. */
function realPathOf(file: string): string {
  return existsSync(file) ? realpathSync(file) : resolve(file);
}

function notWritable(file: string, error: unknown): AppError {
  const { code = 'unknown reason' } = error as { code?: string };
  const fault = `${file}: cannot be written (${code})`;
  const fix = 'give this user the right to write the file and its folder; nothing was stored';
  return new AppError('bad_input', { field: VARIABLE, fault, fix }, { cause: error });
}

/**
 * Adds a profile to the profiles file in one step, and keeps the others, the mode and the owner of the file. Creates a
 * missing file with mode 0600. Changes nothing if an equal profile has the name.
 * @throws AppError as `requireSavable`; `file_locked` if another process saves a profile.
 */
export function saveProfile(source: ProfilesSource, entry: ProfileText): void {
  const { profilesFile: file } = source;
  const path = realPathOf(file);
  const next = `${path}.new`;
  const opened = openNext(file, next);
  try {
    // Read after the new file was created, because that excludes other writers.
    const profiles = loadAllProfiles(source);
    requireSavable(source, entry, profiles);
    if (profiles.some(({ name }) => name === entry.name)) return unlinkSync(next);
    writeFileSync(opened, `${JSON.stringify(withProfile(path, entry), null, 2)}\n`);
    keepOwner(opened, path);
    fsyncSync(opened);
    renameSync(next, path);
  } catch (error) {
    unlinkSync(next);
    throw error instanceof AppError ? error : notWritable(file, error);
  } finally {
    closeSync(opened);
  }
}

function withProfile(path: string, entry: ProfileText): object {
  if (!existsSync(path)) return { profiles: [entry] };
  const stored = JSON.parse(readFileSync(path, 'utf8')) as { readonly profiles: readonly unknown[] };
  return { ...stored, profiles: [...stored.profiles, entry] };
}

/** Creates the file that will replace the old one. Only one process can. */
function openNext(file: string, next: string): number {
  try {
    mkdirSync(dirname(next), { recursive: true });
    return openSync(next, 'wx', OWNER_ONLY);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EEXIST') throw new AppError('file_locked', { path: next, holder: 'another process' });
    throw notWritable(file, error);
  }
}

/** A first file belongs to the owner of its folder: the service must read what an administrator saves. */
function keepOwner(opened: number, path: string): void {
  const isNew = !existsSync(path);
  const { mode, uid, gid } = statSync(isNew ? dirname(path) : path);
  if (!isNew) fchmodSync(opened, mode);
  try {
    fchownSync(opened, uid, gid);
  } catch {
    // Only the system's administrator may give a file to another user; the mode still holds.
  }
}

/** Compares the meaning of two profiles, so that a default may be written or left out. */
function isEqual(stored: AnyProfile, entry: ProfileText): boolean {
  const parsed = profileOf(entry);
  return parsed !== undefined && isDeepStrictEqual(comparable(stored), comparable(parsed));
}

/** Two equal patterns are two objects. */
function comparable(profile: AnyProfile): unknown {
  return JSON.parse(
    JSON.stringify(profile, (_key, value: unknown) => (value instanceof RegExp ? String(value) : value)),
  );
}
