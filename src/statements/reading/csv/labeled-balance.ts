import { foldText, quoted } from '../../../kernel';
import { amountParts, hasValue, parseAmountText } from '../amount-text';
import { currencyOf } from '../currencies';
import type { Decimal } from '../decimal';
import { type Direction, directionOf } from '../direction-words';
import type { LabeledValue, StatementProfile } from '../statement-profile';
import { DATE_INSIDE } from './balance-end';
import type { CsvHeader } from './find-header';
import { firstText, type LabeledRow, labelIndex, labelValue } from './labeled-rows';
import { isOneOf } from './row-cells';

/** The columns that show whether an amount is a debit or a credit, by their index from 0. */
export interface AmountColumns {
  readonly debit: number | undefined;
  readonly credit: number | undefined;
  readonly amount: number | undefined;
  readonly balance: number | undefined;
}

export type BalanceReading =
  | { readonly ok: true; readonly amount: Decimal | undefined; readonly currency: string | undefined }
  | { readonly ok: false; readonly fault: string };

/** A cell with a balance, and whether its column makes it a debit or a credit. */
interface BalanceCell {
  readonly text: string;
  readonly column?: Direction | 'amount' | 'unclear' | undefined;
}

const DATE = new RegExp(`^${DATE_INSIDE.source}$`, 'u');

/** Returns the columns of a header that a profile reads. */
export function amountColumns({ indexOf }: CsvHeader, { columns }: StatementProfile): AmountColumns {
  const at = (name: string | undefined): number | undefined => (name === undefined ? undefined : indexOf.get(name));
  return {
    debit: at(columns.debit),
    credit: at(columns.credit),
    amount: at(columns.amount),
    balance: at(columns.balance),
  };
}

/** Returns the texts of a row that may be its balance, for the proof of the decimal sign. */
export function balanceTexts(row: LabeledRow, wanted: LabeledValue, columns: AmountColumns): string[] {
  return balanceCells(row, wanted, columns).map(({ text }) => text);
}

/**
 * Reads the balance of a labeled row with its sign: written, from the column of debits, or from a word in the label or
 * beside the amount. A sign that two of them contradict, or that none of them shows where one must, is a fault: a net of
 * zero would prove a balance with either sign.
 */
export function labeledBalance(
  row: LabeledRow,
  wanted: LabeledValue,
  { header, profile }: { readonly header: CsvHeader; readonly profile: StatementProfile },
): BalanceReading {
  const cells = balanceCells(row, wanted, amountColumns(header, profile));
  const [cell, ...others] = cells.filter(({ text }) => hasValue(text));
  const fault = (what: string): BalanceReading => ({ ok: false, fault: `line ${row.line}: ${what}` });
  const chosen = cell ?? cells[0];
  if (chosen === undefined) return { ok: true, amount: undefined, currency: undefined };
  const reading = parseAmountText(chosen.text, profile);
  if (!reading.ok) return fault(`expected ${reading.expected}, got ${quoted(chosen.text)}`);
  const { amount, currency } = reading;
  if (cell === undefined) return { ok: true, amount, currency };
  if (others.length > 0) return fault(unclear(row, `${quoted(cell.text)} and ${quoted(others[0]?.text ?? '')}`));
  const written = { signed: reading.signed, negative: amount.units < 0n };
  const sign = signOf(cell, written, { said: directionsBeside(row, wanted, profile), profile });
  if (sign === undefined) return fault(unclear(row, quoted(cell.text)));
  const units = amount.units < 0n ? -amount.units : amount.units;
  return { ok: true, amount: { ...amount, units: sign === 'debit' ? -units : units }, currency };
}

function unclear(row: LabeledRow, got: string): string {
  return (
    `expected a balance that is clearly a debit or a credit in the row ${quoted(firstText(row.cells))}, got ${got}; ` +
    'write it with a sign, or beside "débiteur" or "créditeur"'
  );
}

/** Returns the sign that a cell, its column and the words beside it show together; undefined if they contradict. */
function signOf(
  { column }: BalanceCell,
  written: { readonly signed: boolean; readonly negative: boolean },
  { said, profile }: { readonly said: ReadonlySet<Direction>; readonly profile: StatementProfile },
): Direction | undefined {
  const [word, second] = said;
  if (second !== undefined) return undefined;
  const side = column === 'debit' || column === 'credit' ? column : undefined;
  if (word !== undefined && side !== undefined && word !== side) return undefined;
  const shown = word ?? side;
  if (written.negative) {
    if (word === 'credit') return undefined;
    // A minus beside other debits without one may be a reversal, so a credit.
    return column === 'debit' && word === undefined && profile.debitSign === 'none' ? undefined : 'debit';
  }
  if (written.signed) return shown === 'debit' ? undefined : 'credit';
  if (shown !== undefined) return shown;
  const isPlain = column === undefined || (column === 'amount' && profile.columns.direction === undefined);
  return isPlain ? 'credit' : undefined;
}

/** Returns what the label, and cells that contain nothing but such a word, say of the balance. */
function directionsBeside(
  row: LabeledRow,
  wanted: LabeledValue,
  { columns: { direction } }: StatementProfile,
): ReadonlySet<Direction> {
  const at = labelIndex(row, wanted);
  return new Set(
    row.cells.flatMap((each, index) => {
      const cell = each.trim();
      return index === at ? labelDirections(cell) : (directionOf(cell) ?? wordOfProfile(cell, direction) ?? []);
    }),
  );
}

function wordOfProfile(cell: string, direction: StatementProfile['columns']['direction']): Direction | undefined {
  if (direction === undefined) return undefined;
  return isOneOf(cell, direction.debit) ? 'debit' : isOneOf(cell, direction.credit) ? 'credit' : undefined;
}

/** One letter counts only at the end: the `d` of `Solde d'ouverture` is no debit. */
function labelDirections(label: string): Direction[] {
  const words = foldText(label).split(' ');
  return words.flatMap((word, index) =>
    word.length > 1 || index === words.length - 1 ? (directionOf(word) ?? []) : [],
  );
}

/** Returns the cells that state the balance: several if it is unclear which one does. */
function balanceCells(row: LabeledRow, wanted: LabeledValue, columns: AmountColumns): BalanceCell[] {
  const at = labelIndex(row, wanted);
  const inside = labelValue(row, wanted);
  if (inside !== undefined) return inside === '' ? [] : [{ text: inside }];
  const textAt = (index: number | undefined): string => (index === undefined ? '' : (row.cells[index] ?? '').trim());
  if (wanted.cell !== undefined) {
    const index = wanted.cell - 1;
    return textAt(index) === '' ? [] : [{ text: textAt(index), column: columnOf(row, index, at, columns) }];
  }
  if (row.place === 'below') {
    const found = cellsBelow(textAt, columns);
    if (found.length > 0) return found;
  }
  for (let index = at + 1; index < row.cells.length; index += 1) {
    const text = textAt(index);
    if (text === '' || DATE.test(text) || directionOf(text) !== undefined || currencyOf(text) !== undefined) continue;
    return [{ text, column: columnOf(row, index, at, columns) }];
  }
  const behind = /[:=]([^:=]*)$/u.exec(textAt(at))?.[1]?.trim() ?? '';
  return !/\d/.test(behind) || DATE.test(behind) ? [] : [{ text: behind }];
}

/**
 * Returns the balance in the columns of the lines. The column of balances comes first, and beside it an equal amount on
 * one side shows the sign; other amounts there are totals.
 */
function cellsBelow(textAt: (index: number | undefined) => string, columns: AmountColumns): BalanceCell[] {
  const balance = textAt(columns.balance);
  const sides = (['debit', 'credit'] as const)
    .map((column) => ({ text: textAt(columns[column]), column }))
    .filter(({ text }) => text !== '');
  if (balance !== '') {
    const equal = sides.filter(({ text }) => hasValue(text) && digitsOf(text) === digitsOf(balance));
    const parts = amountParts(balance);
    if (equal.length !== 1 || parts?.signed === true) return [{ text: balance }];
    return [{ text: balance, column: equal[0]?.column === 'debit' ? 'unclear' : 'credit' }];
  }
  if (sides.length > 0) return sides;
  const amount = textAt(columns.amount);
  return amount === '' ? [] : [{ text: amount, column: 'amount' }];
}

/** Returns the meaning of a cell's column. Above the header, a value right beside its label is in no column. */
function columnOf(
  { place }: LabeledRow,
  index: number,
  labelAt: number,
  { debit, credit, amount }: AmountColumns,
): BalanceCell['column'] {
  const isBeside = place === 'above' && index === labelAt + 1;
  if (index === debit) return isBeside ? 'unclear' : 'debit';
  if (isBeside) return undefined;
  return index === credit ? 'credit' : index === amount ? 'amount' : undefined;
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}
