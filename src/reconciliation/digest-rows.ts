import { createHash } from 'node:crypto';
import { pagesOf } from '../kernel';

const ROWS_AT_ONCE = 500;

/** A digest over many rows, a page at a time: their text together may be longer than a string can be. */
export function digestRows(...lists: readonly (readonly unknown[])[]): string {
  const hash = createHash('sha256');
  for (const list of lists) {
    hash.update(`[${list.length}]`);
    for (const page of pagesOf(list, ROWS_AT_ONCE)) {
      hash.update(page.map((row) => `${JSON.stringify(row)}\n`).join(''));
    }
  }
  return hash.digest('hex');
}
