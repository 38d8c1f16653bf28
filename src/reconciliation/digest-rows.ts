import { createHash } from 'node:crypto';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { pagesOf } from '../kernel';

const ROWS_AT_ONCE = 500;

/**
 * A digest over many rows, a page at a time: their text together may be longer than a string can be, and what else is at
 * work goes on between the pages.
 */
export async function digestRows(...lists: readonly (readonly unknown[])[]): Promise<string> {
  const hash = createHash('sha256');
  for (const list of lists) {
    hash.update(`[${list.length}]`);
    for (const page of pagesOf(list, ROWS_AT_ONCE)) {
      hash.update(JSON.stringify(page));
      await letOthersRun();
    }
  }
  return hash.digest('hex');
}
