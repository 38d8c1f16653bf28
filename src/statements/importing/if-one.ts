/** Returns the value that all of them are; undefined if they differ or there is none. */
export function ifOne<T>(values: readonly T[]): T | undefined {
  const [value, ...others] = new Set(values);
  return others.length === 0 ? value : undefined;
}
