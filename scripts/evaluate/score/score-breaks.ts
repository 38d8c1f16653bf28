import type { FoundBreak } from '../../../src/payout-inference';
import type { TrueBreak } from '../world';
import type { BreakScore, BreakScores } from './world-score';

/** The engine may divide a break differently, such as one for each item. Half of its rows must agree. */
const KNOWN_ROWS_SHARE_MIN = 0.5;
const SAYS_NOT_SURE = 'ambiguous_payout';

type AnyBreak = Pick<FoundBreak, 'breakClass' | 'itemIds' | 'lineIds'>;

/**
 * Compares the breaks by class and by their rows: lines if there are any, otherwise items. A break on a credit in
 * `openLines` is right whether or not the truth lists it: the credit cannot be resolved, or the engine proposes its
 * true items to a person.
 */
export function scoreBreaks(
  found: readonly FoundBreak[],
  justified: readonly TrueBreak[],
  openLines: ReadonlySet<string>,
): BreakScores {
  const foundRows = rowsByClass(found);
  const justifiedRows = rowsByClass(justified);
  for (const lineId of openLines) addRow(justifiedRows, SAYS_NOT_SURE, `line:${lineId}`);
  const scores: Record<string, BreakScore> = {};
  for (const breakClass of [...new Set([...found, ...justified].map((each) => each.breakClass))].sort()) {
    const reported = found.filter((each) => each.breakClass === breakClass);
    const wanted = justified.filter((each) => each.breakClass === breakClass);
    scores[breakClass] = {
      justified: wanted.length,
      justifiedFound: wanted.filter((each) => isKnown(each, foundRows)).length,
      reported: reported.length,
      reportedRight: reported.filter((each) => isKnown(each, justifiedRows)).length,
    };
  }
  return scores;
}

function rowsOf({ itemIds, lineIds }: AnyBreak): string[] {
  return lineIds.length > 0 ? lineIds.map((id) => `line:${id}`) : itemIds.map((id) => `item:${id}`);
}

function rowsByClass(breaks: readonly AnyBreak[]): Map<string, Set<string>> {
  const rows = new Map<string, Set<string>>();
  for (const each of breaks) for (const row of rowsOf(each)) addRow(rows, each.breakClass, row);
  return rows;
}

function addRow(rows: Map<string, Set<string>>, breakClass: string, row: string): void {
  rows.set(breakClass, (rows.get(breakClass) ?? new Set()).add(row));
}

function isKnown(each: AnyBreak, known: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const rows = rowsOf(each);
  const ofClass = known.get(each.breakClass);
  return rows.filter((row) => ofClass?.has(row) === true).length >= KNOWN_ROWS_SHARE_MIN * rows.length;
}
