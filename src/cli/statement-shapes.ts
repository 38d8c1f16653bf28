import { type CsvField, csvFigure, formatInstant } from '../kernel';
import {
  type AnyProfile,
  type LineOnStatement,
  type ListedStatement,
  minorUnitsText,
  type PendingEntry,
  type StatementFile,
} from '../statements';

/** The JSON and CSV shapes of `millime statements`: amounts as decimal text in the currency of the statement. */

export function fileJson(file: StatementFile): Record<string, unknown> {
  return { ...file, importedAt: formatInstant(file.importedAt) };
}

export function listedJson({ statement, file, acceptance, knownEntries }: ListedStatement): Record<string, unknown> {
  const { currency } = statement;
  const text = (minor: number | undefined): string | null =>
    minor === undefined ? null : minorUnitsText(minor, currency);
  return {
    id: statement.id,
    kind: statement.kind,
    account: statement.account,
    currency,
    bankId: statement.bankId,
    number: statement.number,
    verdict: statement.verdict,
    difference: text(differenceOf(statement)),
    hold: statement.hold ?? null,
    opening: text(statement.openingMinor),
    closing: text(statement.closingMinor),
    entries: statement.entries,
    pendingEntries: statement.pendingEntries,
    knownEntries,
    credits: minorUnitsText(statement.creditsMinor, currency),
    debits: minorUnitsText(statement.debitsMinor, currency),
    from: statement.from ?? null,
    through: statement.through ?? null,
    firstDate: statement.firstDate ?? null,
    lastDate: statement.lastDate ?? null,
    notes: statement.notes,
    accepted:
      acceptance === undefined
        ? null
        : { at: formatInstant(acceptance.acceptedAt), by: acceptance.acceptedBy, reason: acceptance.reason },
    file: fileJson(file),
  };
}

/** Returns the opening balance plus the booked lines less the closing balance; 0 if the statement is proven. */
export function differenceOf(statement: ListedStatement['statement']): number | undefined {
  const { openingMinor, closingMinor, creditsMinor, debitsMinor } = statement;
  if (openingMinor === undefined || closingMinor === undefined) return undefined;
  return openingMinor + creditsMinor - debitsMinor - closingMinor;
}

export const LISTED_HEADER = [
  'id',
  'account',
  'currency',
  'number',
  'verdict',
  'hold',
  'accepted_by',
  'first_date',
  'last_date',
  'entries',
  'opening',
  'credits',
  'debits',
  'closing',
  'file',
] as const;

export function listedCells({ statement, file, acceptance }: ListedStatement): CsvField[] {
  const { currency } = statement;
  const text = (minor: number | undefined): CsvField =>
    minor === undefined ? '' : csvFigure(minorUnitsText(minor, currency));
  return [
    statement.id,
    statement.account,
    currency,
    statement.number,
    statement.verdict,
    statement.hold ?? '',
    acceptance?.acceptedBy ?? '',
    statement.firstDate ?? '',
    statement.lastDate ?? '',
    statement.entries,
    text(statement.openingMinor),
    text(statement.creditsMinor),
    text(statement.debitsMinor),
    text(statement.closingMinor),
    file.name,
  ];
}

export function lineJson({ line, position, known }: LineOnStatement): Record<string, unknown> {
  const { amountMinor, balanceAfterMinor, statementId, identity: _identity, ...rest } = line;
  return {
    ...rest,
    position,
    known,
    // The statement that brought the line: this one or an earlier one.
    statementId,
    valueDate: line.valueDate ?? null,
    amount: minorUnitsText(amountMinor, line.currency),
    balanceAfter: balanceAfterMinor === undefined ? null : minorUnitsText(balanceAfterMinor, line.currency),
    ...(line.currency === 'TND'
      ? { amountMillimes: amountMinor, balanceAfterMillimes: balanceAfterMinor ?? null }
      : {}),
  };
}

export const LINE_HEADER = [
  'line_id',
  'position',
  'booking_date',
  'value_date',
  'amount',
  'currency',
  'counterparty',
  'counterparty_account',
  'remittance',
  'bank_reference',
  'end_to_end_id',
  'transaction_code',
  'payout_candidate',
] as const;

export function lineCells({ line, position }: LineOnStatement): CsvField[] {
  return [
    line.id,
    position,
    line.bookingDate,
    line.valueDate ?? '',
    csvFigure(minorUnitsText(line.amountMinor, line.currency)),
    line.currency,
    line.counterparty,
    line.counterpartyAccount,
    line.remittance,
    line.bankReference,
    line.endToEndId,
    line.transactionCode,
    line.payoutCandidate ? 'yes' : 'no',
  ];
}

export function pendingJson(entry: PendingEntry): Record<string, unknown> {
  const { amountMinor, ...rest } = entry;
  return { ...rest, valueDate: entry.valueDate ?? null, amount: minorUnitsText(amountMinor, entry.currency) };
}

export function profileJson(profile: AnyProfile): Record<string, unknown> {
  const { payoutPattern, ...rest } = profile;
  // A pattern is printed as its source.
  const shown = JSON.parse(
    JSON.stringify(rest, (_key, value: unknown) => (value instanceof RegExp ? value.source : value)),
  ) as Record<string, unknown>;
  return { ...shown, payoutPattern: payoutPattern?.source ?? null };
}
