import { AssertionError } from '../kernel';

// Two functions, short enough to be inlined: one for both lists and typed arrays takes twice the time. Loops over the bytes of a
// file, and three others that say so, read arrays without them; their `?? 0` is never taken.

/**
 * Returns the number at an index that is known to be inside.
 *
 * @throws AssertionError when it is outside
 */
export function at(
  numbers: Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array | Int8Array,
  index: number,
): number {
  return numbers[index] ?? outside(index);
}

/**
 * Returns the element of a list at an index that is known to be inside.
 *
 * @throws AssertionError when it is outside
 */
export function elementAt<T>(list: readonly T[], index: number): T {
  return list[index] ?? outside(index);
}

function outside(index: number): never {
  throw new AssertionError(`index ${index} is outside its list`);
}
