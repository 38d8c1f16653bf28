import type { CliIo } from './command';

/** A column of a list: its heading, with `right` for figures. */
export type Column = string | { readonly right: string };

/** The text of an empty cell, so that no column shifts. */
const EMPTY = '-';
const GAP = '  ';

/**
 * Prints rows as aligned columns. On a terminal the headings come first and `summary` last. A pipe gets only the rows,
 * so that the next command can read them.
 */
export function printTable(
  io: CliIo,
  columns: readonly Column[],
  rows: readonly (readonly (string | undefined)[])[],
  summary: string,
): void {
  const headings = columns.map((column) => (typeof column === 'string' ? column : column.right).toUpperCase());
  const shown = io.isTerminal === true && rows.length > 0 ? [headings, ...rows] : rows;
  const cells = shown.map((row) => columns.map((_, index) => cellText(row[index])));
  const widths = columns.map((_, index) => cells.reduce((width, row) => Math.max(width, row[index]?.length ?? 0), 0));
  for (const row of cells) {
    const padded = row.map((cell, index) =>
      typeof columns[index] === 'string' ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
    );
    io.line(padded.join(GAP).trimEnd());
  }
  if (io.isTerminal === true) io.line(summary);
}

function cellText(cell: string | undefined): string {
  return cell === undefined || cell === '' ? EMPTY : cell;
}
