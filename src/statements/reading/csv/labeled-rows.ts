import { type Problems } from '../problems';
import type { FixedOrLabeled, LabeledValue, StatementProfile } from '../statement-profile';
import type { CsvRow } from './csv-rows';

/** A row around the lines. */
export interface LabeledRow extends CsvRow {
  /** Above the heading, cells need not stand in the columns of the lines. */
  readonly place: 'above' | 'below';
  /** Whether it has a booking date, like a line. */
  readonly dated: boolean;
}

export interface FoundValue {
  readonly line: number;
  readonly text: string;
}

/** Returns the first filled cell of a row. */
export function firstText(cells: readonly string[]): string {
  return cells.find((cell) => cell.trim() !== '')?.trim() ?? '';
}

/** Returns whether the profile knows a row below the header by its label: a total, a balance, a remark. */
export function isLabeledRow(row: CsvRow, profile: StatementProfile): boolean {
  const label = firstText(row.cells);
  const patterns = [profile.opening?.label, profile.closing?.label, profile.totals?.label, ...profile.otherRows];
  return patterns.some((pattern) => pattern?.test(label) === true);
}

/** Finds the row with a label. A repeated label is a problem, because the right one is unknown. */
export function findLabeled(
  rows: readonly LabeledRow[],
  wanted: LabeledValue,
  problems: Problems,
): LabeledRow | undefined {
  const all = rows.filter((row) => labelIndex(row, wanted) !== -1);
  // A bank that states a balance above its lines may repeat it among them, with its date.
  const undated = all.filter(({ dated }) => !dated);
  const [found, second] = undated.length > 0 ? undated : all;
  if (found !== undefined && second !== undefined) {
    problems.add(`line ${second.line}: expected ${wanted.label} once, got it on line ${found.line} as well`);
    return undefined;
  }
  return found;
}

/** Finds the text beside a label: group 1 of its pattern, the cell of the given number, or the next filled cell. */
export function findText(
  rows: readonly LabeledRow[],
  wanted: LabeledValue,
  problems: Problems,
): FoundValue | undefined {
  const row = findLabeled(rows, wanted, problems);
  return row && { line: row.line, text: textBeside(row, wanted) };
}

/**
 * Returns a value that the profile fixes, or that is beside a label; undefined without one. A person, or stored
 * statements, may state a missing one, so it is no problem of the rows.
 */
export function fixedOrFound(
  rows: readonly LabeledRow[],
  wanted: FixedOrLabeled,
  problems: Problems,
): string | undefined {
  if ('fixed' in wanted) return wanted.fixed;
  const found = findText(rows, wanted, problems);
  return found === undefined || found.text === '' ? undefined : found.text;
}

/** Returns the index of the cell with a label; -1 without one. */
export function labelIndex(row: CsvRow, { label }: LabeledValue): number {
  return row.cells.findIndex((cell) => label.test(cell.trim()));
}

/** Returns the value inside the label's cell, which is group 1 of its pattern; undefined if the group is empty. */
export function labelValue(row: CsvRow, wanted: LabeledValue): string | undefined {
  return wanted.label.exec(row.cells[labelIndex(row, wanted)]?.trim() ?? '')?.[1]?.trim();
}

/** Returns the text beside the label of a row; empty without one. */
export function textBeside(row: CsvRow, wanted: LabeledValue): string {
  const inside = labelValue(row, wanted);
  if (inside !== undefined) return inside;
  if (wanted.cell !== undefined) return (row.cells[wanted.cell - 1] ?? '').trim();
  return firstText(row.cells.slice(labelIndex(row, wanted) + 1));
}
