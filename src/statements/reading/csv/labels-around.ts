import { quoted } from '../../../kernel';
import { currencyOf } from '../currencies';
import { Problems } from '../problems';
import type { LabeledValue } from '../statement-profile';
import { ACCOUNT_LABELS, KNOWN_LABELS } from './known-labels';
import { findLabeled, findText, firstText, type FoundValue, type LabeledRow } from './labeled-rows';
import { noProposal } from './no-proposal';

type Label = keyof typeof KNOWN_LABELS;

/** Returns whether a row belongs around the lines, by its first filled cell. */
export function isAround(cells: readonly string[]): boolean {
  return (['opening', 'closing', 'totals', 'other'] as const).some((label) => isLabeled(cells, label));
}

export function isLabeled(cells: readonly string[], label: Label): boolean {
  return valueOf(label).label.test(firstText(cells));
}

export function valueOf(label: Label): LabeledValue {
  return { label: new RegExp(KNOWN_LABELS[label], 'iu') };
}

/** Returns the row of a balance around the lines. @throws AppError `bad_input` if the label occurs twice. */
export function balanceAround(rows: readonly LabeledRow[], which: 'opening' | 'closing'): LabeledRow | undefined {
  const problems = new Problems();
  const found = findLabeled(rows, valueOf(which), problems);
  problems.throwIfAny();
  return found;
}

/**
 * Returns the currency around the lines. @throws AppError `bad_input` if the label occurs twice, or its value is no
 * currency.
 */
export function currencyAround(rows: readonly LabeledRow[]): FoundValue | undefined {
  const problems = new Problems();
  const found = findText(rows, valueOf('currency'), problems);
  problems.throwIfAny();
  if (found !== undefined && currencyOf(found.text) === undefined) {
    throw noProposal(`line ${found.line}: expected a currency of ISO 4217, got ${quoted(found.text)}`);
  }
  return found;
}

/** Returns the label of the account; none if no label has one, or the clearest occurs twice. */
export function accountLabelAround(rows: readonly LabeledRow[]): string | undefined {
  return ACCOUNT_LABELS.find((label) =>
    /\d/.test(findText(rows, { label: new RegExp(label, 'iu') }, new Problems())?.text ?? ''),
  );
}
