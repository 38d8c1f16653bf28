import { AssertionError } from '../kernel';

// Two functions, each short enough to be inlined: one function for lists and typed arrays would take twice the time.
// Three loops with a comment read arrays directly. Their `?? 0` is never evaluated.

/**
 * Returns the number at an index that is inside the array.
 * @throws AssertionError if it is outside
 */
export function at(
  numbers: Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array | Int8Array,
  index: number,
): number {
  return numbers[index] ?? outside(index);
}

/**
 * Returns the element of a list at an index that is inside the list.
 * @throws AssertionError if it is outside
 */
export function elementAt<T>(list: readonly T[], index: number): T {
  return list[index] ?? outside(index);
}

function outside(index: number): never {
  throw new AssertionError(`index ${index} is outside its list`);
}
