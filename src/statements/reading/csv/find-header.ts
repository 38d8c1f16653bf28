import type { StatementProfile } from '../statement-profile';
import { firstLines, looseCells, type PhysicalLine } from './csv-rows';
import type { CsvDialect } from './split-record';

/** The header row of a file, and the position of each column of the profile in it. */
export interface CsvHeader {
  readonly line: number;
  /** The offset of the header's text. */
  readonly start: number;
  readonly width: number;
  /** The index of each column, by its name in the profile, from 0. */
  readonly indexOf: ReadonlyMap<string, number>;
}

/** The limit on the lines above the header. */
export const PREAMBLE_LINES_MAX = 100;

/** Finds the first line that has every column of the profile exactly once. */
export function findHeader(text: string, profile: StatementProfile): CsvHeader | undefined {
  const wanted = columnNames(profile);
  for (const line of firstLines(text, PREAMBLE_LINES_MAX)) {
    const names = looseCells(line.text, profile).map(headerName);
    const places = wanted.map((name) => [name, names.indexOf(headerName(name))] as const);
    const unique = places.every(([, index]) => index !== -1 && names.lastIndexOf(names[index] ?? '') === index);
    if (unique) return { line: line.line, start: line.start, width: names.length, indexOf: new Map(places) };
  }
  return undefined;
}

export function columnNames({ columns }: StatementProfile): string[] {
  return Object.values(columns).flatMap((column) =>
    column === undefined ? [] : typeof column === 'string' ? [column] : [column.column],
  );
}

export const LIKELY_DELIMITERS = [';', ',', '\t', '|'];

/**
 * Returns the line that looks most like a header, the first one with the most cells. It is for the message that no
 * profile knows it.
 */
export function likelyHeader(text: string): { line: number; cells: readonly string[] } | undefined {
  const split = (line: PhysicalLine): { line: number; cells: readonly string[] }[] =>
    LIKELY_DELIMITERS.map((delimiter) => {
      const dialect: CsvDialect = { delimiter, quote: '"' };
      return { line: line.line, cells: looseCells(line.text, dialect).filter((cell) => cell.trim() !== '') };
    });
  return firstLines(text, PREAMBLE_LINES_MAX)
    .flatMap(split)
    .reduce<{ line: number; cells: readonly string[] } | undefined>(
      (best, candidate) => (best === undefined || candidate.cells.length > best.cells.length ? candidate : best),
      undefined,
    );
}

/** Normalizes a column name: without outer spaces, and in one Unicode form, because exports use two. */
export function headerName(cell: string): string {
  return cell.normalize('NFC').replace(/\s+/gu, ' ').trim();
}
