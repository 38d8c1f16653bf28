import { isDeepStrictEqual } from 'node:util';
import type { StatementProfile } from '../statement-profile';
import type { HeadRow, RowSource } from './row-source';
import type { CsvDialect } from './split-record';

/** The names above the columns. A bank may break them over two rows. */
export interface Heading {
  /** The line of the file on which it starts; 0 for a file without one. */
  readonly line: number;
  readonly lastLine: number;
  /** The second of two equal names is `Name (2)`. */
  readonly names: readonly string[];
  /** Its rows as `rowText` returns them, because banks repeat them on each page. */
  readonly rows: readonly string[];
}

/** The heading of a file, and the position of each column of the profile in it. */
export interface CsvHeader extends Heading {
  readonly width: number;
  /** The index of each column, by its name in the profile, from 0. */
  readonly indexOf: ReadonlyMap<string, number>;
}

export const LIKELY_DELIMITERS = [';', ',', '\t', '|'];

/** Finds the first heading that has every column of the profile, and of all that it had when it was saved. */
export function findHeader(source: RowSource, profile: StatementProfile): CsvHeader | undefined {
  const { headings: saved } = profile;
  return headerLike(source, profile, ({ names }) => saved === undefined || isDeepStrictEqual(names, saved));
}

/** Finds the first heading that has every column of the profile exactly once, whatever else it has. */
export function headerLike(
  source: RowSource,
  profile: StatementProfile,
  isWanted: (heading: Heading) => boolean = () => true,
): CsvHeader | undefined {
  const wanted = columnNames(profile);
  if (profile.header === 'none') return positionsOf(source, profile, wanted);
  for (const heading of headings(source, profile).filter(isWanted)) {
    const { names } = heading;
    const places = wanted.map((name) => [name, names.indexOf(headerName(name))] as const);
    const isUnique = places.every(([, index]) => index !== -1 && !names.includes(`${names[index] ?? ''} (2)`));
    if (isUnique || (profile.headings !== undefined && places.every(([, index]) => index !== -1))) {
      return { ...heading, width: names.length, indexOf: new Map(places) };
    }
  }
  return undefined;
}

/** Returns every row near the beginning as a possible heading, alone and together with the row below it. */
export function headings(source: RowSource, dialect: CsvDialect): Heading[] {
  const rows = source.head(dialect);
  return rows.flatMap((row, index) => {
    const next = rows[index + 1];
    return next !== undefined && mayContinue(next) ? [headingOf([row]), headingOf([row, next])] : [headingOf([row])];
  });
}

export function columnNames({ columns }: StatementProfile): string[] {
  return Object.values(columns).flatMap((column) =>
    column === undefined ? [] : typeof column === 'string' ? [column] : [column.column],
  );
}

/**
 * Returns the heading that looks most like one, the first with the most cells. It is for the message that no profile
 * knows it.
 */
export function likelyHeader(source: RowSource): Heading | undefined {
  const filled = (heading: Heading | undefined): number => heading?.names.filter((name) => name !== '').length ?? 0;
  return LIKELY_DELIMITERS.flatMap((delimiter) => source.head({ delimiter, quote: '"' }))
    .sort((a, b) => a.line - b.line)
    .map((row) => headingOf([row]))
    .reduce<Heading | undefined>((best, each) => (filled(each) > filled(best) ? each : best), undefined);
}

/** Normalizes a column name: without outer spaces, and in one Unicode form, because exports use two. */
export function headerName(cell: string): string {
  return cell.normalize('NFC').replace(/\s+/gu, ' ').trim();
}

/** Returns the cells of a row as one text, so that a repeated row is found whatever its spaces and empty cells. */
export function rowText(cells: readonly string[]): string {
  return cells.map(headerName).join('\n').trimEnd();
}

/** A file without a heading: the profile names its columns by number, and every row is one below the heading. */
function positionsOf(source: RowSource, profile: StatementProfile, wanted: readonly string[]): CsvHeader | undefined {
  const places = wanted.map((name) => [name, Number(name) - 1] as const);
  const width = Math.max(0, ...source.head(profile).map(({ cells }) => cells.length));
  if (places.some(([, index]) => index >= width)) return undefined;
  return { line: 0, lastLine: 0, names: [], rows: [], width, indexOf: new Map(places) };
}

function headingOf(rows: readonly HeadRow[]): Heading {
  const cells = rows.map((row) => row.cells);
  const width = Math.max(...cells.map(({ length }) => length));
  const names = Array.from({ length: width }, (_, index) => headerName(cells.map((row) => row[index] ?? '').join(' ')));
  const times = new Map<string, number>();
  return {
    line: rows[0]?.line ?? 0,
    lastLine: rows.at(-1)?.lastLine ?? 0,
    names: names.map((name) => {
      const time = (times.get(name) ?? 0) + 1;
      times.set(name, time);
      return name === '' || time === 1 ? name : `${name} (${time})`;
    }),
    rows: cells.map(rowText),
  };
}

/** A row with a digit is a line or a balance, never a part of column names. */
function mayContinue({ cells }: HeadRow): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '');
  return filled.length > 0 && filled.every((cell) => !/\d/.test(cell));
}
