import { at } from './at';
import type { Gap } from './find-gaps';
import { type Credit, type Link, linkFinder, type LinkSearch } from './find-links';
import { pricedAt, runSum } from './run-sum';

/** A gap on fewer paths does not show what its credit lacks. */
const SURE = 0.5;
/** A difference above this share of the run is another amount altogether. */
const SHARE_MAX = 0.2;
/** By chance, two gaps may lack the same amount, but hardly three. */
const GAPS_MIN = 3;
const DIFFERENCES_MAX = 3;

interface GapsOfStream extends Pick<LinkSearch, 'sequence' | 'priced' | 'grid'> {
  readonly gaps: readonly Gap[];
  /** The credits that no link explains. */
  readonly free: readonly Credit[];
}

/**
 * Returns the amounts in millimes that several credits lack of their clear runs, such as a bank's charge, the most
 * frequent first. Negative: the credits hold more.
 */
export function recurringDifferences({ sequence, priced, grid, gaps, free }: GapsOfStream): number[] {
  const gapsWith = new Map<number, number>();
  for (const gap of gaps) {
    const prices = pricedAt(priced, sequence, gap.to, grid);
    if (gap.share < SURE || prices === undefined) continue;
    const total = runSum(sequence, prices, gap.from, gap.to);
    const [begin, end] = [at(sequence.key, gap.to - 1), at(sequence.key, gap.to)];
    const lacking = free
      .filter(({ earliest, latest }) => latest > begin && earliest < end)
      .map(({ amount }) => total - amount)
      .filter((lacks) => lacks !== 0 && Math.abs(lacks) <= SHARE_MAX * total);
    for (const lacks of new Set(lacking)) gapsWith.set(lacks, (gapsWith.get(lacks) ?? 0) + 1);
  }
  return [...gapsWith]
    .filter(([, count]) => count >= GAPS_MIN)
    .sort(([a, first], [b, second]) => second - first || Math.abs(a) - Math.abs(b) || a - b)
    .slice(0, DIFFERENCES_MAX)
    .map(([lacks]) => lacks);
}

/** Finds the links from the given positions whose credits lack one of the differences. */
export function lackingLinks(
  search: LinkSearch,
  { differences, starts }: { readonly differences: readonly number[]; readonly starts: readonly number[] },
): Link[] {
  return differences.flatMap((lacks) => {
    const credits = search.credits.map((credit) => ({ ...credit, amount: credit.amount + lacks }));
    const finder = linkFinder({ ...search, credits: credits.filter(({ amount }) => amount > 0) });
    return starts
      .filter((start) => start < search.sequence.size)
      .flatMap((start) =>
        finder.from(start).map((link) => ({
          ...link,
          credit: { ...link.credit, amount: link.credit.amount - lacks },
          lacks,
        })),
      );
  });
}
