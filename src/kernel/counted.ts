/** Formats a count for people: `1 break`, `2 breaks`, or `0 entries` with an irregular plural. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
