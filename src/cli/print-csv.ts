import { type CsvField, csvLine } from '../kernel';
import type { CliIo } from './command';

/** Prints a header and rows as CSV. */
export function printCsv(io: CliIo, header: readonly string[], rows: readonly (readonly CsvField[])[]): void {
  for (const row of [header, ...rows]) io.line(csvLine(row).trimEnd());
}
