import { addMillimes, type BusinessDate, formatMoney, type Millimes } from '../../kernel';
import type { BankStatement } from './bank-statement';
import { sumMillimes } from './payable-item';

const COLUMNS = 7;
const LINE_END = '\r\n';
const HEADER = ['Date opération', 'Date valeur', 'Libellé', 'Référence', 'Débit', 'Crédit', 'Solde'];

/**
 * Writes the statement as a bank exports it: the format of the shipped profile `releve-fr-tn`, with a running balance,
 * totals and both balances. Returns decoded text; see `bankStatementBytes`.
 */
export function bankStatementCsv(statement: BankStatement): string {
  const { account, from, through, lines } = statement;
  const amounts = lines.map(({ amountMillimes }) => amountMillimes);
  const debits = sumMillimes(amounts.filter((amount) => amount < 0));
  const credits = sumMillimes(amounts.filter((amount) => amount > 0));
  const rows = [
    ['RELEVE DE COMPTE SIMULE'],
    ['RIB :', account],
    ['Devise :', 'TND'],
    ['Période :', `du ${frenchDate(from)} au ${frenchDate(through)}`],
    ['Solde initial :', '', '', '', '', '', dinars(statement.openingMillimes)],
    [],
    HEADER,
    ...lineRows(statement),
    [],
    ['Totaux :', '', '', '', unsignedDinars(debits), dinars(credits)],
    [`Solde final au ${frenchDate(through)} :`, '', '', '', '', '', dinars(statement.closingMillimes)],
  ];
  return rows.map(csvRow).join('');
}

/** Returns the file in windows-1252, as the profile expects. Characters outside this encoding became question marks. */
export function bankStatementBytes(statement: BankStatement): Uint8Array {
  // The two encodings are equal for all characters that `narrowed` keeps.
  return Buffer.from(bankStatementCsv(statement), 'latin1');
}

function lineRows({ openingMillimes, lines }: BankStatement): string[][] {
  let balance = openingMillimes;
  return lines.map(({ bookingDate, valueDate, remittance, bankReference, amountMillimes }) => {
    balance = addMillimes(balance, amountMillimes);
    const [debit, credit] = amountMillimes < 0 ? [unsignedDinars(amountMillimes), ''] : ['', dinars(amountMillimes)];
    return [frenchDate(bookingDate), frenchDate(valueDate), remittance, bankReference, debit, credit, dinars(balance)];
  });
}

function csvRow(cells: readonly string[]): string {
  const all = Array.from({ length: COLUMNS }, (_, index) => quotedWhereNeeded(narrowed(cells[index] ?? '')));
  return `${all.join(';')}${LINE_END}`;
}

/** Keeps one line of characters that windows-1252 and ISO 8859-1 encode alike. */
function narrowed(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/gu, ' ').replace(/[^\u0000-\u00ff]/gu, '?');
}

function quotedWhereNeeded(text: string): string {
  return /[;"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Writes `-1 234,567`, with no-break spaces, as the bank does; it is exact. */
function dinars(amount: Millimes): string {
  return `${amount < 0 ? '-' : ''}${unsignedDinars(amount)}`;
}

function unsignedDinars(amount: Millimes): string {
  return formatMoney(BigInt(Math.abs(amount)), { decimals: 3, currency: undefined }).replaceAll(' ', '\u00a0');
}

function frenchDate(date: BusinessDate): string {
  const [year = '', month = '', day = ''] = date.split('-');
  return `${day}/${month}/${year}`;
}
