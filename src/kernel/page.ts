import { compareBytes } from './outside-id';

/** One page of a list in a fixed order. */
export interface Page<Row, Key> {
  readonly rows: readonly Row[];
  /** The sort key after which the next page begins; undefined after the last row. A page may be short and have one. */
  readonly next: Key | undefined;
}

/** Returns a page of at most `limit` rows. `found` has one row more if more rows follow. */
export function pageOf<Row, Key>(found: readonly Row[], limit: number, keyOf: (row: Row) => Key): Page<Row, Key> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? keyOf(last) : undefined };
}

/** One page examines at most this number of rows, however few of them its filter accepts. */
export const ROWS_EXAMINED_MAX = 2_000;

/** Each read of a page examines more rows than the one before, up to this number. */
const ROWS_PER_STEP_MAX = 500;

/** The rows of a list, read by key, and the part of its filter that no index serves. */
export interface RowsByKey<Row, Key> {
  /** Returns the first `count` rows after a key, in the order of the list; fewer only at its end. */
  readonly read: (after: Key | undefined, count: number) => Promise<readonly Row[]>;
  readonly keyOf: (row: Row) => Key;
  /** Returns whether the list contains the row (default: it contains every row). */
  readonly keep?: (row: Row) => boolean;
  readonly after: Key | undefined;
  readonly limit: number;
}

/** Returns a page of the rows that a filter accepts. It stops after `ROWS_EXAMINED_MAX` rows and can be short then. */
export function pageByKey<Row, Key>({ keep, ...list }: RowsByKey<Row, Key>): Promise<Page<Row, Key>> {
  const kept = (found: readonly Row[]): readonly Row[] => (keep === undefined ? found : found.filter(keep));
  return filteredPage({ ...list, examinedMax: ROWS_EXAMINED_MAX, keep: (found) => Promise.resolve(kept(found)) });
}

/** The values by which a list is sorted: numbers, and texts compared byte by byte. */
export type SortKey = readonly (number | string)[];

/** Returns the first `count` rows of several lists, each of which has the order of this key. */
export function mergeByKey<Row>(
  lists: readonly (readonly Row[])[],
  keyOf: (row: Row) => SortKey,
  order: 'asc' | 'desc',
  count: number,
): Row[] {
  const sign = order === 'asc' ? 1 : -1;
  const sorted = lists.flat().sort((a, b) => sign * compareKeys(keyOf(a), keyOf(b)));
  return sorted.slice(0, count);
}

/** Compares the keys of two rows of one list. */
export function compareKeys(a: SortKey, b: SortKey): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  const [left, right] = [a[at], b[at]];
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return left === undefined || right === undefined ? 0 : compareBytes(String(left), String(right));
}

/** Reads pages until they have `limit` rows together, or the list ends. */
export async function rowsOfPages<Row, Key>(
  limit: number,
  page: (after: Key | undefined, limit: number) => Promise<Page<Row, Key>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let after: Key | undefined;
  do {
    const found = await page(after, limit - rows.length);
    rows.push(...found.rows);
    after = found.next;
  } while (after !== undefined && rows.length < limit);
  return rows;
}

/** A list of which a filter keeps some rows, and the number of rows that one page may examine. */
export interface FilteredList<Found, Row, Key> {
  readonly limit: number;
  readonly after: Key | undefined;
  readonly examinedMax: number;
  /** Returns at most `count` rows after a key, in the order of the list. */
  read(after: Key | undefined, count: number): Promise<readonly Found[]>;
  /** Returns the rows that the filter keeps, in the same order. */
  keep(found: readonly Found[]): Promise<readonly Row[]>;
  keyOf(row: Found | Row): Key;
}

/** Reads a page of a filtered list. It is short if the rows that it may examine have too few that the filter keeps. */
export async function filteredPage<Found, Row, Key>({
  limit,
  after,
  examinedMax,
  read,
  keep,
  keyOf,
}: FilteredList<Found, Row, Key>): Promise<Page<Row, Key>> {
  const rows: Row[] = [];
  let last = after;
  for (let left = Math.max(examinedMax, limit + 1), count = limit + 1; left > 0; count = nextStep(count)) {
    const asked = Math.min(count, left);
    const found = await read(last, asked);
    rows.push(...(await keep(found)));
    if (rows.length > limit || found.length < asked) return pageOf(rows, limit, keyOf);
    left -= asked;
    const examined = found.at(-1);
    if (examined !== undefined) last = keyOf(examined);
  }
  return { rows, next: last };
}

function nextStep(count: number): number {
  return Math.max(count, Math.min(4 * count, ROWS_PER_STEP_MAX));
}
