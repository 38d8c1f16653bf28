import { assert, isJsonObject, ownValue } from '../kernel';

type Entry = Readonly<Record<string, unknown>>;

/** A new key file with one key. */
export function newKeyFileText(entry: Entry): string {
  return print({ keys: [entry] });
}

/**
 * A key file that was read and found good, with a new key in front; the ones that were active only verify from now on,
 * and the ones named in `retired` are gone. Whatever else the file says stays as it is.
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
