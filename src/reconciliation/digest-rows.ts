import { createHash } from 'node:crypto';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { pagesOf } from '../kernel';

/** A part of the digest: another size gives the same rows another digest. */
const ROWS_AT_ONCE = 500;

/**
 * Returns a digest over many rows. It is computed in pages, because their whole text may exceed the longest string, and
 * so that other work continues between the pages.
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
