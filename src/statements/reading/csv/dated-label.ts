import { quoted } from '../../../kernel';
import { hasValue } from '../amount-text';
import type { StatementProfile } from '../statement-profile';
import { balanceSeen, knownBalance } from './balance-seen';
import type { CsvRow } from './csv-rows';
import type { CsvHeader } from './find-header';
import { KNOWN_LABELS } from './known-labels';
import { cellOf } from './row-cells';

export type DatedLabel =
  | { readonly kind: 'label'; readonly row: CsvRow }
  /** A balance carried from page to page. Anywhere else it is a fault. */
  | { readonly kind: 'carried'; readonly row: CsvRow; readonly fault: string }
  /** By its label the row has no meaning for the profile, but it moves money. */
  | { readonly kind: 'doubt'; readonly row: CsvRow; readonly fault: string };

const TOTALS = new RegExp(KNOWN_LABELS.totals, 'iu');

/**
 * Returns whether the profile knows a row with a booking date by its label; undefined if no label fits. Some banks
 * write the balance like a line, and reading it as a line would create money that never moved. Only for rows above the
 * first line or below the last of a page.
 */
export function datedLabel(row: CsvRow, header: CsvHeader, profile: StatementProfile): DatedLabel | undefined {
  const { opening, closing, otherRows, columns } = profile;
  const text = cellOf(row, header, columns.remittance) ?? '';
  if (opening?.label.test(text) === true || closing?.label.test(text) === true) return { kind: 'label', row };
  const place = `line ${row.line}, column ${quoted(columns.remittance)}: `;
  const fitting = otherRows.filter((pattern) => pattern.test(text));
  if (fitting.every(({ source }) => source === KNOWN_LABELS.other)) {
    // A remark has no date, so only the balances among the known labels are no lines.
    const seen = fitting.length === 0 ? undefined : balanceSeen(text);
    return seen === undefined ? undefined : { kind: 'carried', row, fault: `${place}${seen}` };
  }
  const moves = [columns.debit, columns.credit, columns.amount].some((column) =>
    hasValue(cellOf(row, header, column) ?? ''),
  );
  if (!moves || knownBalance(text) !== undefined) return { kind: 'label', row };
  // A label of totals also fits TOTAL ENERGIES, which is a payee.
  if (TOTALS.test(text)) return undefined;
  const fault =
    `${place}${quoted(text)} fits otherRows, and its row moves money: ` +
    'name it as opening or closing in the profile when it is a balance, and let otherRows not fit it when it is a line';
  return { kind: 'doubt', row, fault };
}
