/** Counts things for people: `1 break`, `2 breaks`, `0 entries` with the plural given. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
