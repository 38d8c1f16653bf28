import type { Instant } from '../../kernel';

/** A window is not split below this: times have seconds. */
const WINDOW_MIN_MS = 1_000;

/** `[from, until)`. */
export interface TimeWindow {
  readonly from: Instant;
  readonly until: Instant;
}

/**
 * All rows of a window of a list that has no pages (open point 81): when as many rows come as were asked for, there may
 * be more, and the two halves are asked for. A second that is still full is given as it came, and `onFull` is told.
 */
export async function splitFullWindows<Row>(
  read: (window: TimeWindow) => Promise<readonly Row[]>,
  window: TimeWindow,
  { rowsMax, onFull }: { readonly rowsMax: number; readonly onFull: (window: TimeWindow) => void },
): Promise<readonly Row[]> {
  const { from, until } = window;
  const rows = await read(window);
  if (rows.length < rowsMax) return rows;
  if (until - from <= WINDOW_MIN_MS) {
    onFull(window);
    return rows;
  }
  const middle = from + Math.ceil((until - from) / 2);
  const limits = { rowsMax, onFull };
  const older = await splitFullWindows(read, { from, until: middle }, limits);
  return [...older, ...(await splitFullWindows(read, { from: middle, until }, limits))];
}
