import type { ReadBody } from './codec/read-body';
import { GatewayError, isGatewayError } from './gateway-error';

const PAGES_MAX = 100_000;
/** A few new rows push the old ones onto the next page; a gateway that shows nothing else repeats itself. */
const REPEATED_PAGES_MAX = 3;

/** One page of a list of the gateway. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Whether another page follows. `perhaps`: the gateway says nothing of it, nor how many rows there are. */
  readonly next: 'named' | 'none' | 'perhaps';
  /** How many rows it says that all pages have together; undefined when it does not say. */
  readonly count: number | undefined;
}

/** Reads a page of at most `size` rows in `results`, as all lists with pages have them. */
export function decodePage<T>(body: ReadBody, size: number, decodeItem: (item: ReadBody) => T): Page<T> {
  const items = body.list('results', decodeItem);
  const count = body.rowCount();
  const isSilent = body.value('next') === undefined && count === undefined;
  const otherwise = isSilent && items.length >= size ? 'perhaps' : 'none';
  return { items, next: body.hasNext() ? 'named' : otherwise, count };
}

export interface PageWalk<T> {
  /** As the client names it, for errors. */
  readonly operation: string;
  fetchPage(page: number): Promise<Page<T>>;
  /** What makes a row the same one on another page. */
  keyOf(item: T): string;
}

/**
 * Walks through all pages by their numbers, from 1; an address that the gateway names is never followed (open point
 * 63). A row that comes again because newer ones moved it is given once. The walk goes on while the gateway names a
 * next page or fewer rows came than its first page counted, and after a full page of which it says nothing; an empty
 * page, or several in a row without anything new, end it, so that a gateway that repeats itself cannot hold the caller forever
 * (open point 71).
 *
 * @throws GatewayError `unexpected_shape` at the end, after the rows that came, when they are fewer than were counted:
 *   a part must not pass for the whole. Rows that are new since the first page raise no alarm.
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

/** A page that the gateway did not name may not be there: then it is the same as an empty one. */
async function fetchUnnamed<T>(fetchPage: () => Promise<Page<T>>): Promise<Page<T>> {
  try {
    return await fetchPage();
  } catch (error) {
    if (!isGatewayError(error, 'not_found')) throw error;
    return { items: [], next: 'none', count: undefined };
  }
}
