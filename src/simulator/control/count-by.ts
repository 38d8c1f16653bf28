/** Counts the elements of each kind, the kinds in order of their names. */
export function countBy<T>(all: Iterable<T>, kindOf: (one: T) => string): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(kindOf(one), (counts.get(kindOf(one)) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
