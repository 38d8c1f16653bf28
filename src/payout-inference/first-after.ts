/** The first position from `from` on, below `to`, whose key is greater than an instant; `to` when there is none. */
export function firstAfter(key: Float64Array, instant: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((key[middle] ?? 0) > instant) high = middle;
    else low = middle + 1;
  }
  return low;
}
