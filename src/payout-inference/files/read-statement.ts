import type { BankLine } from '../match-request';
import { CsvRows, type InputFile } from './csv-rows';
import type { FaultList } from './fault-list';
import { checkId, readAmount, readDay } from './read-fields';

const COLUMNS = {
  required: ['line_id', 'booking_date', 'value_date', 'amount_millimes', 'counterparty', 'remittance'],
} as const;

/**
 * Reads `statement.csv`. The booking date replaces a missing value date. The result is valid only if no fault was
 * noted.
 */
export function readStatement(file: InputFile, faults: FaultList): BankLine[] {
  const rows = new CsvRows(file, COLUMNS, faults);
  const idColumn = rows.column('line_id');
  const bookingColumn = rows.column('booking_date');
  const valueColumn = rows.column('value_date');
  const amountColumn = rows.column('amount_millimes');
  const counterpartyColumn = rows.column('counterparty');
  const remittanceColumn = rows.column('remittance');
  const lines: BankLine[] = [];
  const lineOfId = new Map<string, number>();
  while (rows.next()) {
    const isNamed = checkId(rows, idColumn);
    const bookingDate = readDay(rows, bookingColumn);
    const valueDate = rows.text(valueColumn) === '' ? bookingDate : readDay(rows, valueColumn);
    const amount = readAmount(rows, amountColumn);
    if (!isNamed || bookingDate === undefined || valueDate === undefined || amount === undefined) continue;
    const lineId = rows.text(idColumn);
    const first = lineOfId.get(lineId);
    if (first !== undefined) {
      rows.fault(idColumn, `stands on line ${first} already`);
      continue;
    }
    lineOfId.set(lineId, rows.line);
    const counterparty = rows.text(counterpartyColumn);
    lines.push({ lineId, bookingDate, valueDate, amount, counterparty, remittance: rows.text(remittanceColumn) });
  }
  return lines;
}
