import { type CliIo, writeAside } from './command';
import { texts } from './language';

/** A column of a list: its heading, with `right` for figures. */
export type Column = string | { readonly right: string };

/** The text of an empty cell, so that no column shifts. */
const EMPTY = '-';
const GAP = '  ';

type Row = readonly (string | undefined)[];

/**
 * Prints rows as aligned columns. On a terminal the headings come first and `summary` last. A pipe gets only the rows,
 * so that the next command can read them. For an empty list the summary then goes to standard error.
 */
export function printTable(io: CliIo, columns: readonly Column[], rows: readonly Row[], summary: string): void {
  for (const line of tableLines(io, columns, rows)) io.line(line);
  if (io.isTerminal === true) io.line(summary);
  else if (rows.length === 0) writeAside(summary);
}

/** Prints a list that is a part of a longer output under its title. Prints `none` for an empty list. */
export function printSection(io: CliIo, title: string, columns: readonly Column[], rows: readonly Row[]): void {
  io.line(title);
  const indent = `${/^ */.exec(title)?.[0] ?? ''}${GAP}`;
  const lines = rows.length === 0 ? [texts().t('cli:table.none')] : tableLines(io, columns, rows);
  for (const line of lines) io.line(`${indent}${line}`);
}

function tableLines({ isTerminal }: CliIo, columns: readonly Column[], rows: readonly Row[]): string[] {
  const headings = columns.map((column) =>
    columnText(typeof column === 'string' ? column : column.right).toUpperCase(),
  );
  const shown = isTerminal === true && rows.length > 0 ? [headings, ...rows] : rows;
  const cells = shown.map((row) => columns.map((_, index) => cellText(row[index])));
  const widths = columns.map((_, index) => cells.reduce((width, row) => Math.max(width, row[index]?.length ?? 0), 0));
  return cells.map((row) => {
    const padded = row.map((cell, index) =>
      typeof columns[index] === 'string' ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
    );
    return padded.join(GAP).trimEnd();
  });
}

/** Returns the heading of a column: the name of a column is the end of the key of its text. */
export function columnText(name: string): string {
  return texts().find('cli', `column.${name}`) ?? name;
}

function cellText(cell: string | undefined): string {
  return cell === undefined || cell === '' ? EMPTY : cell;
}
