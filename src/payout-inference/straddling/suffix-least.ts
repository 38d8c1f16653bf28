/** Returns the least value from each position on. */
export function suffixLeast(size: number, of: (position: number) => number): Float64Array {
  const least = new Float64Array(size + 1).fill(Infinity);
  for (let position = size - 1; position >= 0; position -= 1) {
    least[position] = Math.min(least[position + 1] ?? Infinity, of(position));
  }
  return least;
}
