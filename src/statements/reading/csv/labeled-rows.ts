import { quoted } from '../../../kernel';
import { type Problems } from '../problems';
import type { FixedOrLabeled, LabeledValue, StatementProfile } from '../statement-profile';
import type { CsvRow } from './csv-rows';

/** A row around the lines. */
export interface LabeledRow extends CsvRow {
  /** The balance that it states, if it has a date. Its columns show the meaning of its amounts. */
  readonly dated?: { readonly value: string } | undefined;
}

/** Returns whether the profile knows a row below the header by its label: a total, a balance, a remark. */
export function isLabeledRow(row: CsvRow, profile: StatementProfile): boolean {
  const label = row.cells.find((cell) => cell.trim() !== '')?.trim() ?? '';
  const patterns = [profile.opening?.label, profile.closing?.label, profile.totals?.label, ...profile.otherRows];
  return patterns.some((pattern) => pattern?.test(label) === true);
}

export interface FoundValue {
  readonly line: number;
  readonly text: string;
}

/** Finds the value beside a label. A repeated label is a problem, because the right one is unknown. */
export function findLabeled(
  rows: readonly LabeledRow[],
  wanted: LabeledValue,
  problems: Problems,
): FoundValue | undefined {
  const all = rows.filter((row) => labelIndex(row, wanted) !== -1);
  // A bank that states a balance above its lines may repeat it among them, with its date.
  const undated = all.filter(({ dated }) => dated === undefined);
  const [found, second] = undated.length > 0 ? undated : all;
  if (found === undefined) return undefined;
  if (second !== undefined) {
    problems.add(twice(wanted.label, found, second));
    return undefined;
  }
  return { line: found.line, text: valueBeside(found, wanted).trim() };
}

/** Returns a value that the profile fixes, or that is beside a label. A missing one is a problem. */
export function fixedOrFound(
  rows: readonly LabeledRow[],
  wanted: FixedOrLabeled,
  request: { readonly what: string; readonly problems: Problems },
): string | undefined {
  if ('fixed' in wanted) return wanted.fixed;
  const found = findLabeled(rows, wanted, request.problems);
  if (found !== undefined && found.text !== '') return found.text;
  const place = found === undefined ? '' : `line ${found.line}: `;
  request.problems.add(
    `${place}expected the ${request.what} in a row with the label ${quoted(wanted.label.source)}, got none`,
  );
  return undefined;
}

/** Returns the one row with a label, or undefined. */
export function findRow(rows: readonly CsvRow[], label: RegExp, problems: Problems): CsvRow | undefined {
  const [found, second] = rows.filter((row) => labelIndex(row, { label }) !== -1);
  if (second !== undefined) problems.add(twice(label, found, second));
  return second === undefined ? found : undefined;
}

function twice(label: RegExp, first: { readonly line: number } | undefined, second: { readonly line: number }): string {
  return `line ${second.line}: expected ${label} once, got it on line ${first?.line ?? 0} as well`;
}

function labelIndex(row: CsvRow, { label }: LabeledValue): number {
  return row.cells.findIndex((cell) => label.test(cell.trim()));
}

function valueBeside(row: LabeledRow, wanted: LabeledValue): string {
  const at = labelIndex(row, wanted);
  const inside = wanted.label.exec(row.cells[at]?.trim() ?? '')?.[1];
  if (inside !== undefined) return inside;
  if (wanted.cell !== undefined) return row.cells[wanted.cell - 1] ?? '';
  if (row.dated !== undefined && row.dated.value !== '') return row.dated.value;
  return row.cells.slice(at + 1).find((cell) => cell.trim() !== '') ?? '';
}
