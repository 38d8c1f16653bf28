import { addToGroup } from '../../kernel';
/** The limit on numbers that are combined in every way: two halves of 2^15 sums. */
export const SUBSET_NUMBERS_MAX = 30;

/** All subsets of a few numbers. */
export interface SubsetSums {
  readonly least: number;
  readonly most: number;
  /** The cost of one call of `reaching`, in sums read. */
  readonly cost: number;
  /** Returns the subsets with a target sum, as lists of indexes; `undefined` if there are more than `limit`. */
  reaching(target: number, limit: number): readonly (readonly number[])[] | undefined;
}

interface Half {
  readonly from: number;
  /** By the bit mask of the chosen numbers. */
  readonly sums: Float64Array;
}

/** Meets in the middle: searches the sums of one half in a table of the other half. */
export function subsetSums(numbers: readonly number[]): SubsetSums {
  const middle = Math.floor(numbers.length / 2);
  const low = halfOf(numbers, 0, middle);
  const high = halfOf(numbers, middle, numbers.length);
  const table = new Map<number, number[]>();
  high.sums.forEach((sum, mask) => {
    addToGroup(table, sum, mask);
  });
  return {
    least: numbers.reduce((sum, number) => sum + Math.min(0, number), 0),
    most: numbers.reduce((sum, number) => sum + Math.max(0, number), 0),
    cost: low.sums.length,
    reaching(target, limit) {
      const found: number[][] = [];
      for (let mask = 0; mask < low.sums.length; mask += 1) {
        for (const other of table.get(target - (low.sums[mask] ?? 0)) ?? []) {
          if (found.length >= limit) return undefined;
          found.push([...placesOf(mask, low.from), ...placesOf(other, high.from)]);
        }
      }
      return found;
    },
  };
}

function halfOf(numbers: readonly number[], from: number, to: number): Half {
  const sums = new Float64Array(2 ** (to - from));
  for (let place = from; place < to; place += 1) {
    const size = 2 ** (place - from);
    for (let mask = 0; mask < size; mask += 1) sums[size + mask] = (sums[mask] ?? 0) + (numbers[place] ?? 0);
  }
  return { from, sums };
}

function placesOf(mask: number, from: number): number[] {
  const places: number[] = [];
  for (let bit = 0; mask >> bit > 0; bit += 1) if (((mask >> bit) & 1) === 1) places.push(from + bit);
  return places;
}
