import { quoted } from '../../../kernel';
import type { StatementProfile } from '../statement-profile';
import { knownBalance } from './balance-seen';
import type { CsvRow } from './csv-rows';
import type { CsvHeader } from './find-header';
import { KNOWN_LABELS } from './known-labels';
import type { LabeledRow } from './labeled-rows';
import { cellOf, isOneOf } from './row-cells';

export type DatedLabel =
  | { readonly kind: 'label'; readonly row: LabeledRow }
  /** By its label the row has no meaning for the profile, but it moves money. */
  | { readonly kind: 'doubt'; readonly row: CsvRow; readonly fault: string };

const TOTALS = new RegExp(KNOWN_LABELS.totals, 'iu');
const HAS_VALUE = /[1-9]/;

/**
 * Returns whether the profile knows a row with a booking date by its label; undefined if no label fits. Some banks
 * write the balance like a line, and reading it as a line would create money that never moved. Only for rows above the
 * first line or below the last.
 */
export function datedLabel(row: CsvRow, header: CsvHeader, profile: StatementProfile): DatedLabel | undefined {
  const { opening, closing, otherRows, columns } = profile;
  const text = cellOf(row, header, columns.remittance) ?? '';
  const label: DatedLabel = { kind: 'label', row: { ...row, dated: { value: balanceOf(row, header, profile) } } };
  if (opening?.label.test(text) === true || closing?.label.test(text) === true) return label;
  if (!otherRows.some((pattern) => pattern.test(text))) return undefined;
  const moves = [columns.debit, columns.credit, columns.amount].some((column) =>
    HAS_VALUE.test(cellOf(row, header, column) ?? ''),
  );
  if (!moves || knownBalance(text) !== undefined) return label;
  // A label of totals also fits TOTAL ENERGIES, which is a payee.
  if (TOTALS.test(text)) return undefined;
  const fault =
    `line ${row.line}, column ${quoted(columns.remittance)}: ${quoted(text)} fits otherRows, and its row moves money: ` +
    'name it as opening or closing in the profile when it is a balance, and let otherRows not fit it when it is a line';
  return { kind: 'doubt', row, fault };
}

/**
 * Returns the balance that a row states: in its own column, otherwise in the column of the movement. Empty without one.
 */
function balanceOf(row: CsvRow, header: CsvHeader, { columns }: StatementProfile): string {
  const at = (column: string | undefined): string => cellOf(row, header, column) ?? '';
  const balance = at(columns.balance);
  if (balance !== '') return balance;
  const { direction } = columns;
  const amount = at(columns.amount);
  if (amount !== '') return direction && isOneOf(at(direction.column), direction.debit) ? negative(amount) : amount;
  const debit = at(columns.debit);
  const credit = at(columns.credit);
  if (!HAS_VALUE.test(debit)) return credit === '' ? debit : credit;
  return HAS_VALUE.test(credit) ? '' : negative(debit);
}

function negative(amount: string): string {
  return /^[-\u2212]/u.test(amount) ? amount : `-${amount.replace(/^\+/, '')}`;
}
