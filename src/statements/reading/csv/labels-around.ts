import { quoted } from '../../../kernel';
import { exponentOf } from '../currencies';
import { Problems } from '../problems';
import type { CsvRow } from './csv-rows';
import { ACCOUNT_LABELS, KNOWN_LABELS } from './known-labels';
import { findLabeled, type FoundValue } from './labeled-rows';
import { noProposal } from './no-proposal';

/** Returns whether a row below the header belongs around the lines, by its first filled cell. */
export function isAround(cells: readonly string[]): boolean {
  const { opening, closing, totals, other } = KNOWN_LABELS;
  return [opening, closing, totals, other].some((label) => startsWith(cells, label));
}

export function isTotals(cells: readonly string[]): boolean {
  return startsWith(cells, KNOWN_LABELS.totals);
}

export function hasTotals(rows: readonly CsvRow[]): boolean {
  return rows.some(({ cells }) => isTotals(cells));
}

export function hasOther(rows: readonly CsvRow[]): boolean {
  return rows.some(({ cells }) => startsWith(cells, KNOWN_LABELS.other));
}

/** Returns the balance around the lines. @throws AppError `bad_input` if the label occurs twice. */
export function balanceAround(rows: readonly CsvRow[], which: 'opening' | 'closing'): FoundValue | undefined {
  const problems = new Problems();
  const found = findLabeled(rows, { label: labelOf(KNOWN_LABELS[which]) }, problems);
  problems.throwIfAny();
  return found;
}

/**
 * Returns the currency around the lines. @throws AppError `bad_input` if the label occurs twice, or its value is no
 * currency.
 */
export function currencyAround(rows: readonly CsvRow[]): FoundValue | undefined {
  const problems = new Problems();
  const found = findLabeled(rows, { label: labelOf(KNOWN_LABELS.currency) }, problems);
  problems.throwIfAny();
  if (found !== undefined && exponentOf(found.text.toUpperCase()) === undefined) {
    throw noProposal(`line ${found.line}: expected a currency of ISO 4217, got ${quoted(found.text)}`);
  }
  return found;
}

/** Returns the label of the account; none if no label has one, or the clearest occurs twice. */
export function accountLabelAround(rows: readonly CsvRow[]): string | undefined {
  return ACCOUNT_LABELS.find((label) =>
    /\d/.test(findLabeled(rows, { label: labelOf(label) }, new Problems())?.text ?? ''),
  );
}

function startsWith(cells: readonly string[], label: string): boolean {
  return labelOf(label).test(cells.find((cell) => cell.trim() !== '')?.trim() ?? '');
}

function labelOf(source: string): RegExp {
  return new RegExp(source, 'iu');
}
