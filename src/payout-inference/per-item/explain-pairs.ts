import { at } from '../at';
import type { Explanation } from '../model-answer';
import type { PreparedFile } from '../prepare-file';
import type { FoundPairs } from './find-pairs';
import type { OrderedWaits } from './ordered-waits';
import { cutOf } from './wait-of-item';
import type { WeighedPairs } from './weigh-pairs';

/** Pairs with a smaller weight count as none. */
export const SHARE_MIN = 1e-7;

export interface ExplainedPairs {
  readonly waiting: OrderedWaits;
  readonly found: FoundPairs;
  readonly weighed: WeighedPairs;
  /** By pair, its probability, less the error of an ambiguous return. */
  readonly shares: Float64Array;
}

/** Returns, by the credit's index, its possible payments, the likeliest first. */
export function explainPairs(
  { grid }: PreparedFile,
  { waiting: { sequence, waits }, found: { pairs, crowded }, weighed: { hazard }, shares }: ExplainedPairs,
): Map<number, readonly Explanation[]> {
  const byCredit = new Map<number, Map<string, Explanation>>();
  pairs.forEach(({ credit, positions, wait }, index) => {
    const share = at(shares, index);
    if (share < SHARE_MIN) return;
    const items = positions.map((position) => at(sequence.item, position)).sort((a, b) => a - b);
    const known = byCredit.get(credit.index) ?? new Map<string, Explanation>();
    const before = known.get(items.join());
    known.set(items.join(), {
      stream: 'item',
      items,
      kind: 'run',
      nearError: 0,
      ...(before ?? cutOf(wait, hazard, grid, credit.bookingDay)),
      share: Math.min(1, share + (before?.share ?? 0)),
    });
    byCredit.set(credit.index, known);
  });
  const explanations = new Map<number, readonly Explanation[]>();
  for (const [credit, known] of byCredit) {
    explanations.set(
      credit,
      [...known.values()].sort((a, b) => b.share - a.share),
    );
  }
  for (const [credit, positions] of crowded) {
    explanations.set(
      credit.index,
      positions.flatMap((position): Explanation[] => {
        const wait = waits[position];
        const items = [at(sequence.item, position)];
        const cut = wait === undefined ? { cutFrom: 0, cutTo: 0 } : cutOf(wait, hazard, grid, credit.bookingDay);
        return [{ stream: 'item', items, kind: 'run', nearError: 0, share: 1 / positions.length, ...cut }];
      }),
    );
  }
  return explanations;
}
