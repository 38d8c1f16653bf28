import type { StatementRound } from './import-statement';

const BYTES_PER_MEGABYTE = 1_000_000;
const MS_PER_SECOND = 1_000;
const HEAD = ['', 'seconds', 'MB/s', 'rows/s', 'import/plain', 'peak memory (MB)'];

/** Returns one line for each measurement. The speed of each import is a share of the plain inserts after it. */
export function roundTable(rounds: readonly StatementRound[]): string {
  const rows = rounds.flatMap((round, index) => {
    const share = `${Math.round((100 * round.plainMs) / round.importMs)} %`;
    return [
      [`import ${index + 1}`, ...speeds(round, round.importMs), share, megabytes(round.peakBytes)],
      [`plain inserts ${index + 1}`, ...speeds(round, round.plainMs), '', ''],
    ];
  });
  const cells = [HEAD, ...rows];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return cells.map(line).join('\n');
}

function speeds({ fileBytes, rows }: StatementRound, tookMs: number): string[] {
  const seconds = tookMs / MS_PER_SECOND;
  return [
    seconds.toFixed(1),
    (fileBytes / BYTES_PER_MEGABYTE / seconds).toFixed(1),
    String(Math.round(rows / seconds)),
  ];
}

function megabytes(bytes: number): string {
  return String(Math.round(bytes / BYTES_PER_MEGABYTE));
}
