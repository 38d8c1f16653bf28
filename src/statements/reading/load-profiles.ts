import { readFileSync } from 'node:fs';
import { AppError, isJsonObject, ownValue, parseStrictJson, quoted } from '../../kernel';
import { type AnyProfile, profilesFileSchema } from './statement-profile';

const DEPTH_MAX = 12;

/**
 * Reads the profiles of an installation.
 *
 * @throws AppError `misconfigured` that names STATEMENT_PROFILES_FILE, the profile and the field.
 */
export function loadProfiles(file: string): readonly AnyProfile[] {
  const fault = (what: string, cause?: unknown): AppError =>
    new AppError('misconfigured', { field: 'STATEMENT_PROFILES_FILE', fault: `${file}: ${what}` }, { cause });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
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
