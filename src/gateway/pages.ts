const PAGES_MAX = 100_000;
/** A few new rows push the old ones onto the next page; a gateway that shows nothing else repeats itself. */
const REPEATED_PAGES_MAX = 3;

/** One page of a list of the gateway. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Whether the gateway says that another page follows. */
  readonly hasNext: boolean;
}

/**
 * Walks through all pages by their numbers; an address that the gateway names is never followed (open point 63). A row
 * that comes again because newer ones moved it is given once; an empty page, or several in a row without anything new,
 * end the walk, so that a gateway that repeats itself cannot hold us for ever (open point 71).
 */
export async function* eachOfPages<T>(
  fetchPage: (page: number) => Promise<Page<T>>,
  keyOf: (item: T) => string,
): AsyncGenerator<T, void, undefined> {
  const seen = new Set<string>();
  let repeatedPages = 0;
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const { items, hasNext } = await fetchPage(page);
    const seenBefore = seen.size;
    for (const item of items) {
      const key = keyOf(item);
      if (seen.has(key)) continue;
      seen.add(key);
      yield item;
    }
    repeatedPages = seen.size > seenBefore ? 0 : repeatedPages + 1;
    if (!hasNext || items.length === 0 || repeatedPages >= REPEATED_PAGES_MAX) return;
  }
}
