import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, isJsonObject, ownValue, PACKAGE_ROOT, parseStrictJson, quoted, systemCodeOf } from '../../kernel';
import { type AnyProfile, profilesFileSchema } from './statement-profile';

/** Each upgrade replaces it. */
export const SHIPPED_FILE = join(PACKAGE_ROOT, 'reference-data', 'statement-profiles.json');
const DEPTH_MAX = 12;

/** Where an installation has its profiles. */
export interface ProfilesSource {
  /** The file in which profiles are saved. */
  readonly profilesFile: string;
  /** Whether the file only adds to the shipped one; it may then be missing. */
  readonly besideShipped?: boolean;
}

/**
 * Reads all profiles of an installation. A saved profile replaces the shipped one of its name, because an upgrade may
 * ship a name that a person has used before.
 *
 * @throws AppError as `loadProfiles`.
 */
export function loadAllProfiles({ profilesFile, besideShipped = false }: ProfilesSource): readonly AnyProfile[] {
  if (!besideShipped) return loadProfiles(profilesFile);
  const saved = loadProfiles(profilesFile, { mayBeMissing: true });
  const names = new Set(saved.map(({ name }) => name));
  return [...saved, ...loadProfiles(SHIPPED_FILE).filter(({ name }) => !names.has(name))];
}

/** Returns a function that reads all profiles, and reads them again only when the file of the installation changed. */
export function profilesReader(source: ProfilesSource): () => readonly AnyProfile[] {
  let loaded: { readonly stamp: string; readonly profiles: readonly AnyProfile[] } | undefined;
  return () => {
    const stamp = stampOf(source.profilesFile);
    if (stamp === undefined) return loadAllProfiles(source);
    if (loaded?.stamp !== stamp) loaded = { stamp, profiles: loadAllProfiles(source) };
    return loaded.profiles;
  };
}

/** Returns what differs after a change of a file; undefined if the file cannot be reached, and its reading says why. */
function stampOf(file: string): string | undefined {
  try {
    const { ino, mtimeMs, size } = statSync(file, { throwIfNoEntry: false }) ?? {};
    return [ino, mtimeMs, size].join(' ');
  } catch {
    return undefined;
  }
}

/**
 * Reads the profiles of one file.
 *
 * @throws AppError `misconfigured` that names STATEMENT_PROFILES_FILE, the profile and the field.
 */
export function loadProfiles(file: string, { mayBeMissing = false } = {}): readonly AnyProfile[] {
  const fault = (what: string, cause?: unknown): AppError =>
    new AppError('misconfigured', { field: 'STATEMENT_PROFILES_FILE', fault: `${file}: ${what}` }, { cause });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (mayBeMissing && systemCodeOf(error) === 'ENOENT') return [];
    throw fault('cannot be read', error);
  }
  const json = parseStrictJson(text, { depthMax: DEPTH_MAX, refuseDuplicateKeys: true });
  if (!json.ok) throw fault(json.fault === 'duplicate_key' ? 'expected each key once, got one twice' : 'expected JSON');
  const result = profilesFileSchema.safeParse(json.value);
  if (result.success) return result.data.profiles;
  throw fault(result.error.issues.map(({ path, message }) => `${placeOf(json.value, path)} ${message}`).join('; '));
}

/** Returns `profile "releve-fr-tn": columns.debit`, so that a reader of the message need not count brackets. */
function placeOf(file: unknown, path: readonly PropertyKey[]): string {
  const [root, index, ...field] = path;
  if (root !== 'profiles' || typeof index !== 'number') return path.map(String).join('.') || 'the file';
  const list = isJsonObject(file) ? ownValue(file, 'profiles') : undefined;
  const entry: unknown = Array.isArray(list) ? list[index] : undefined;
  const name = isJsonObject(entry) ? ownValue(entry, 'name') : undefined;
  const profile = typeof name === 'string' ? `profile ${quoted(name)}` : `profile ${index + 1}`;
  return field.length === 0 ? profile : `${profile}: ${field.map(String).join('.')}`;
}
