import type { Instant } from '../../kernel';

/** A window is not split below this, because times have whole seconds. */
const WINDOW_MIN_MS = 1_000;

/** The interval `[from, until)`. */
export interface TimeWindow {
  readonly from: Instant;
  readonly until: Instant;
}

/**
 * Reads all rows of a window from a list without pages (open point 81). If the maximum number of rows arrives, more may
 * exist, so the two halves are read separately. A single second that is still full is returned incomplete and reported
 * to `onFull`.
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
