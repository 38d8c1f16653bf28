import type { ReadBody } from './codec/read-body';
import { GatewayError, isGatewayError } from './gateway-error';

const PAGES_MAX = 100_000;
/**
 * New rows push old rows onto the next page, so some pages may repeat. A gateway that repeats more pages than this
 * loops.
 */
const REPEATED_PAGES_MAX = 3;

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Whether another page follows. `perhaps`: the gateway sends neither a next page nor a row count. */
  readonly next: 'named' | 'none' | 'perhaps';
  /** The gateway's row count of all pages; undefined when it sends none. */
  readonly count: number | undefined;
}

/** Reads a page of at most `size` rows from `results`, where all paged lists have them. */
export function decodePage<T>(body: ReadBody, size: number, decodeItem: (item: ReadBody) => T): Page<T> {
  const items = body.list('results', decodeItem);
  const count = body.rowCount();
  const isSilent = body.value('next') === undefined && count === undefined;
  const otherwise = isSilent && items.length >= size ? 'perhaps' : 'none';
  return { items, next: body.hasNext() ? 'named' : otherwise, count };
}

export interface PageWalk<T> {
  /** The client's name of the operation, for errors. */
  readonly operation: string;
  fetchPage(page: number): Promise<Page<T>>;
  /** Returns the key by which a row is recognized on another page. */
  keyOf(item: T): string;
}

/**
 * Yields the rows of all pages, by page number from 1; it never follows an address from the gateway (open point 63). A
 * row that repeats because newer rows moved it is yielded once. The walk continues while the gateway names a next page,
 * while fewer rows arrived than the first page counted, and after a full page without information about a next one. An
 * empty page ends it. So do several pages in a row without new rows, so that a gateway that repeats itself cannot
 * occupy the caller forever (open point 71).
 *
 * @throws GatewayError `unexpected_shape` at the end, after the rows, if fewer arrived than were counted: a part must
 * not pass for the whole. Rows that are new since the first page cause no error.
 */
export async function* eachOfPages<T>({
  operation,
  fetchPage,
  keyOf,
}: PageWalk<T>): AsyncGenerator<T, void, undefined> {
  const seen = new Set<string>();
  let promised = 0;
  let isNamed = true;
  let repeatedPages = 0;
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const fetched: Page<T> = isNamed ? await fetchPage(page) : await fetchUnnamed(() => fetchPage(page));
    if (page === 1) promised = fetched.count ?? 0;
    const seenBefore = seen.size;
    for (const item of fetched.items) {
      const key = keyOf(item);
      if (seen.has(key)) continue;
      seen.add(key);
      yield item;
    }
    repeatedPages = seen.size > seenBefore ? 0 : repeatedPages + 1;
    isNamed = fetched.next === 'named';
    const isWhole = fetched.next === 'none' && seen.size >= promised;
    if (isWhole || fetched.items.length === 0 || repeatedPages >= REPEATED_PAGES_MAX) break;
  }
  if (seen.size >= promised) return;
  const text = `the list ended after ${seen.size} of ${promised} promised entries`;
  throw new GatewayError('unexpected_shape', text, { operation });
}

/** Fetches a page that the gateway did not name. If the page does not exist, it counts as empty. */
async function fetchUnnamed<T>(fetchPage: () => Promise<Page<T>>): Promise<Page<T>> {
  try {
    return await fetchPage();
  } catch (error) {
    if (!isGatewayError(error, 'not_found')) throw error;
    return { items: [], next: 'none', count: undefined };
  }
}
