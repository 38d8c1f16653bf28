import { assert } from '../../../src/kernel';
import type { SeededRandom } from '../../../src/simulator';

/** A choice and its relative frequency: an integer, 0 for never. */
export type Weighted<T> = readonly [value: T, weight: number];

export function pickWeighted<T>(random: SeededRandom, choices: readonly Weighted<T>[]): T {
  let left = random.int(
    1,
    choices.reduce((sum, [, weight]) => sum + weight, 0),
  );
  for (const [value, weight] of choices) {
    left -= weight;
    if (left <= 0) return value;
  }
  assert(false, 'the weights add up to the total that was drawn from');
}
