import { createHash } from 'node:crypto';

/** A digest over many rows, one at a time: their text together may be longer than a string can be. */
export function digestRows(...lists: readonly (readonly unknown[])[]): string {
  const hash = createHash('sha256');
  for (const list of lists) {
    hash.update(`[${list.length}]`);
    for (const row of list) hash.update(`${JSON.stringify(row)}\n`);
  }
  return hash.digest('hex');
}
