import { addDecimals, equalDecimals } from '../decimal';
import type { ParsedLine } from '../parsed-statement';
import type { CsvProfileText } from '../statement-profile';
import type { ProvenDates } from './date-proof';
import { proposed } from './no-proposal';
import { readRows } from './read-csv-statement';
import type { RowSource } from './row-source';

/**
 * Proposes the order of the lines: by the days; if they show nothing or contradict each other, by the running balance;
 * otherwise the oldest first.
 */
export function proposeOrder(
  source: RowSource,
  draft: CsvProfileText,
  { rises, falls }: ProvenDates,
): 'oldest-first' | 'newest-first' {
  if (rises !== falls) return falls ? 'newest-first' : 'oldest-first';
  if (draft.columns.balance === undefined) return 'oldest-first';
  const profile = proposed(draft);
  const lines = readRows(source, { profile }).flatMap((event) => (event.kind === 'line' ? [event.line] : []));
  return !follows(lines) && follows(lines.reverse()) ? 'newest-first' : 'oldest-first';
}

/** Returns whether each running balance is the previous one plus the line's amount. */
function follows(lines: readonly ParsedLine[]): boolean {
  return lines.every((line, index) => {
    const before = lines[index - 1]?.balanceAfter;
    if (before === undefined || line.balanceAfter === undefined) return true;
    return equalDecimals(addDecimals(before, line.amount), line.balanceAfter);
  });
}
