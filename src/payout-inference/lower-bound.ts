import { at } from './at';

/** Returns the first position of `[from, to)` whose key is not less than `least`; `to` if none is. Keys ascend. */
export function lowerBound(key: Float64Array, least: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(key, middle) >= least) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the first position of `[from, to)` whose key is greater than `most`; `to` if none is. Keys ascend. */
export function upperBound(key: Float64Array, most: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(key, middle) > most) high = middle;
    else low = middle + 1;
  }
  return low;
}
