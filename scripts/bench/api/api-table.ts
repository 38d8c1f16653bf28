import type { MeasuredCase } from './bench-api';

const HEAD = ['request', 'ms', 'rows answered', 'rows read', 'bound'];

/** Returns one line for each request. A request above its bound is marked. */
export function apiTable(measured: readonly MeasuredCase[]): string {
  const rows = measured.map(({ name, ms, rowsAnswered, rowsRead, rowsMax }) => [
    ...[name, ms.toFixed(1), String(rowsAnswered), String(rowsRead), String(rowsMax)],
    rowsRead > rowsMax ? 'above' : '',
  ]);
  return textTable(HEAD, rows);
}

/** Returns a table with aligned columns; the rows may have one more cell, a mark. */
export function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [[...head, ''], ...rows];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return cells.map(line).join('\n');
}
