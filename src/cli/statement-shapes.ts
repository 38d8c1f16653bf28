import { type CsvField, csvFigure } from '../kernel';
import { type LineOnStatement, type ListedStatement, minorUnitsText } from '../statements';
import type { CsvColumn } from './print-csv';

/** The CSV shapes of `millime statements`: amounts as decimal text in the currency of the statement. */

export const LISTED_CSV: readonly CsvColumn<ListedStatement>[] = [
  ['id', ({ statement }) => statement.id],
  ['account', ({ statement }) => statement.account],
  ['currency', ({ statement }) => statement.currency],
  ['number', ({ statement }) => statement.number],
  ['verdict', ({ statement }) => statement.verdict],
  ['hold', ({ statement }) => statement.hold ?? ''],
  ['accepted_by', ({ acceptance }) => acceptance?.acceptedBy ?? ''],
  ['first_date', ({ statement }) => statement.firstDate ?? ''],
  ['last_date', ({ statement }) => statement.lastDate ?? ''],
  ['entries', ({ statement }) => statement.entries],
  ['opening', ({ statement }) => figureOf(statement.openingMinor, statement)],
  ['credits', ({ statement }) => figureOf(statement.creditsMinor, statement)],
  ['debits', ({ statement }) => figureOf(statement.debitsMinor, statement)],
  ['closing', ({ statement }) => figureOf(statement.closingMinor, statement)],
  ['file', ({ file }) => file.name],
  ['waiting', ({ isWaiting }) => (isWaiting ? 'yes' : 'no')],
  ['excluded_by', ({ exclusion }) => exclusion?.excludedBy ?? ''],
];

function figureOf(minor: number | undefined, { currency }: { readonly currency: string }): CsvField {
  return minor === undefined ? '' : csvFigure(minorUnitsText(minor, currency));
}

export const LINE_CSV: readonly CsvColumn<LineOnStatement>[] = [
  ['line_id', ({ line }) => line.id],
  ['position', ({ position }) => position],
  ['booking_date', ({ line }) => line.bookingDate],
  ['value_date', ({ line }) => line.valueDate ?? ''],
  ['amount', ({ line }) => figureOf(line.amountMinor, line)],
  ['currency', ({ line }) => line.currency],
  ['counterparty', ({ line }) => line.counterparty],
  ['counterparty_account', ({ line }) => line.counterpartyAccount],
  ['remittance', ({ line }) => line.remittance],
  ['bank_reference', ({ line }) => line.bankReference],
  ['end_to_end_id', ({ line }) => line.endToEndId],
  ['transaction_code', ({ line }) => line.transactionCode],
  ['payout_candidate', ({ line }) => (line.payoutCandidate ? 'yes' : 'no')],
];
