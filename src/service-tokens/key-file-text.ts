import { assert, isJsonObject, ownValue } from '../kernel';

type Entry = Readonly<Record<string, unknown>>;

export function newKeyFileText(entry: Entry): string {
  return print({ keys: [entry] });
}

/**
 * Returns a checked key file with a new key in front. Previously active keys become `verify_only`, and the keys in
 * `retired` are removed. Everything else in the file stays.
 */
export function rotatedKeyFileText(text: string, entry: Entry, retired: ReadonlySet<string>): string {
  const file: unknown = JSON.parse(text);
  const keys = isJsonObject(file) ? ownValue(file, 'keys') : undefined;
  assert(isJsonObject(file) && Array.isArray(keys) && keys.every(isJsonObject), 'the key file was checked before');
  const kept = keys.filter((key) => !retired.has(String(key['kid'])));
  return print({ ...file, keys: [entry, ...kept.map((key) => ({ ...key, status: 'verify_only' }))] });
}

function print(file: Entry): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}
