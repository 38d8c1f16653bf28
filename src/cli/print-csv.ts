import { type CsvField, csvLine } from '../kernel';
import type { CliIo } from './command';

/** A column of a CSV: its heading, and its field in the row of each thing. */
export type CsvColumn<Thing> = readonly [heading: string, field: (thing: Thing) => CsvField];

/** Prints a header and one row for each thing. */
export function printCsv<Thing>(io: CliIo, columns: readonly CsvColumn<Thing>[], things: readonly Thing[]): void {
  const rows = things.map((thing) => columns.map(([, field]) => field(thing)));
  for (const row of [columns.map(([heading]) => heading), ...rows]) io.line(csvLine(row).trimEnd());
}
