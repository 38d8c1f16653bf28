/** Formats rows below their headings. Columns from `numbersFrom` on are numbers, to the right. */
export function inColumns(head: readonly string[], rows: readonly (readonly string[])[], numbersFrom: number): string {
  const cells = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column < numbersFrom ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return cells.map(line).join('\n');
}
