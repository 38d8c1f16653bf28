/** With more amounts, the subsets outnumber the sums, and nothing is enumerated. */
export const UNDECIDED_MAX = 22;

/**
 * Returns subsets of the amounts with this sum, at most `most`, as bit masks. Meets in the middle. Pass at most
 * UNDECIDED_MAX amounts.
 */
export function subsetsWithSum(amounts: readonly number[], sum: number, most: number): number[] {
  const half = amounts.length >> 1;
  const low = subsetSums(amounts.slice(0, half));
  const high = subsetSums(amounts.slice(half));
  const bySum = new Map<number, number[]>();
  low.forEach((value, mask) => {
    const masks = bySum.get(value);
    if (masks === undefined) bySum.set(value, [mask]);
    else if (masks.length < most) masks.push(mask);
  });
  const found: number[] = [];
  for (const [mask, value] of high.entries()) {
    for (const other of bySum.get(sum - value) ?? []) {
      found.push(mask * 2 ** half + other);
      if (found.length >= most) return found;
    }
  }
  return found;
}

function subsetSums(amounts: readonly number[]): number[] {
  let sums = [0];
  for (const amount of amounts) sums = [...sums, ...sums.map((sum) => sum + amount)];
  return sums;
}
