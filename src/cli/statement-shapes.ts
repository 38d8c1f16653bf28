import { type CsvField, csvFigure, formatInstant } from '../kernel';
import {
  type AcceptOutcome,
  type AnyProfile,
  type LineOnStatement,
  type ListedStatement,
  minorUnitsText,
  type PendingEntry,
  type StatementFile,
} from '../statements';
import type { CsvColumn } from './print-csv';

/** The JSON and CSV shapes of `millime statements`: amounts as decimal text in the currency of the statement. */

export function fileJson(file: StatementFile): Record<string, unknown> {
  return { ...file, importedAt: formatInstant(file.importedAt) };
}

export function listedJson(listed: ListedStatement): Record<string, unknown> {
  const { statement, file, acceptance, exclusion, isWaiting, knownEntries } = listed;
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
    waiting: isWaiting,
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
    excluded:
      exclusion === undefined
        ? null
        : { at: formatInstant(exclusion.excludedAt), by: exclusion.excludedBy, reason: exclusion.reason },
    file: fileJson(file),
  };
}

/** Returns the opening balance plus the booked lines less the closing balance; 0 if the statement is proven. */
export function differenceOf(statement: ListedStatement['statement']): number | undefined {
  const { openingMinor, closingMinor, creditsMinor, debitsMinor } = statement;
  if (openingMinor === undefined || closingMinor === undefined) return undefined;
  return openingMinor + creditsMinor - debitsMinor - closingMinor;
}

/** Returns what an acceptance posts, as decimal text in dinars. */
export function toPostJson(posts: AcceptOutcome['posts']): Record<string, unknown> | null {
  if (posts === undefined) return null;
  const { lines, ...amounts } = posts;
  const texts = Object.entries(amounts).map(([name, amount]) => [name, minorUnitsText(Number(amount), 'TND')]);
  return { lines, ...(Object.fromEntries(texts) as Record<string, string>) };
}

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
