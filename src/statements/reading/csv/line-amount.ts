import { quoted } from '../../../kernel';
import { type AmountReading, parseAmountText } from '../amount-text';
import { type Decimal, negateDecimal } from '../decimal';
import { isOneOf, type RowCells } from './row-cells';
import { withoutSign } from './without-sign';

/** A cell for an amount: empty, an amount, or invalid. */
type AmountCell =
  | { readonly kind: 'empty' }
  | { readonly kind: 'amount'; readonly amount: Decimal; readonly signed: boolean }
  | { readonly kind: 'bad' };

/** Returns the amount of a line, positive for a credit. Undefined, with a problem, if it cannot be read. */
export function signedAmountAt(cells: RowCells): Decimal | undefined {
  const { amount: column, direction } = cells.profile.columns;
  if (column === undefined) return debitOrCredit(cells);
  const cell = amountAt(cells, column, direction === undefined ? 'signed' : 'unsigned');
  if (cell.kind === 'empty') cells.complain(column, 'expected an amount, got nothing');
  const factor = directionAt(cells);
  if (cell.kind !== 'amount' || factor === undefined) return undefined;
  const isDebit = factor === 'debit' || (direction === undefined && !cell.signed && cells.profile.unmarked === 'debit');
  return isDebit ? negateDecimal(cell.amount) : cell.amount;
}

/** Returns the running balance, if the bank writes one. Beside debits and credits, words for a direction are its sign. */
export function balanceAt(cells: RowCells): Decimal | undefined {
  const { amount, balance, direction } = cells.profile.columns;
  const isMarked = amount === undefined && direction !== undefined;
  const cell = amountAt(cells, balance, isMarked ? 'unsigned' : 'signed');
  if (cell.kind !== 'amount') return undefined;
  return isMarked && cell.amount.units !== 0n && directionAt(cells) === 'debit'
    ? negateDecimal(cell.amount)
    : cell.amount;
}

function directionAt(cells: RowCells): 'debit' | 'as written' | undefined {
  const { direction } = cells.profile.columns;
  if (direction === undefined) return 'as written';
  const text = cells.textOf(direction.column) ?? '';
  if (isOneOf(text, direction.debit)) return 'debit';
  if (isOneOf(text, direction.credit)) return 'as written';
  cells.complain(direction.column, `expected one of the profile's words for debit or credit, got ${quoted(text)}`);
  return undefined;
}

function debitOrCredit(cells: RowCells): Decimal | undefined {
  const { debit: debitColumn, credit: creditColumn } = cells.profile.columns;
  const debit = amountAt(cells, debitColumn, 'debit');
  const credit = amountAt(cells, creditColumn, 'credit');
  if (debit.kind === 'bad' || credit.kind === 'bad') return undefined;
  if (debit.kind === 'empty' && credit.kind === 'empty') {
    cells.complain(debitColumn, `expected an amount here or in ${quoted(creditColumn ?? '')}, got none`);
    return undefined;
  }
  if (debit.kind === 'empty') return credit.kind === 'amount' ? credit.amount : undefined;
  if (credit.kind === 'empty') return negateDecimal(debit.amount);
  // Some banks write 0,000 on the other side.
  if (debit.amount.units === 0n) return credit.amount;
  if (credit.amount.units === 0n) return negateDecimal(debit.amount);
  cells.complain(debitColumn, `expected an amount here or in ${quoted(creditColumn ?? '')}, got both`);
  return undefined;
}

type AmountKind = 'signed' | 'unsigned' | 'debit' | 'credit';

function amountAt(cells: RowCells, column: string | undefined, kind: AmountKind): AmountCell {
  const text = cells.textOf(column) ?? '';
  if (text === '') return { kind: 'empty' };
  const reading = signChecked(parseAmountText(text, cells.profile), kind, cells);
  const fault = reading.ok
    ? reading.currency && cells.faultOfCurrency(reading.currency)
    : `expected ${reading.expected}, got ${quoted(text)}`;
  if (reading.ok && fault === undefined) return { kind: 'amount', amount: reading.amount, signed: reading.signed };
  cells.complain(column, fault ?? '');
  return { kind: 'bad' };
}

function signChecked(reading: AmountReading, kind: AmountKind, { profile }: RowCells): AmountReading {
  if (kind === 'signed') return reading;
  if (kind === 'unsigned') return withoutSign(reading, 'credit', { debitSign: 'none', reversals: false });
  return withoutSign(reading, kind, profile);
}
