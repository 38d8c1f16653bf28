import type { BusinessDate } from '../../../kernel';
import type { LineStatus, ParsedLine } from '../parsed-statement';
import { refusalAt } from '../refusal';
import { signed } from './camt-detail';
import type { EntryDraft, StatementDraft } from './camt-drafts';
import { referenceOf } from './camt-fields';

/**
 * Converts an entry to a statement line. Refuses an entry without an amount, a side or any date.
 * @param createdOn the day on which the message was created.
 */
export function parsedLine(
  entry: EntryDraft,
  statement: StatementDraft,
  createdOn: BusinessDate | undefined,
): ParsedLine {
  const { fileLine, details } = entry;
  if (entry.amount === undefined) throw refusalAt(fileLine, 'expected an entry with Amt, got none');
  const amount = signed(entry.amount, entry.side);
  if (amount === undefined) throw refusalAt(fileLine, 'expected an entry with CdtDbtInd, got none');
  const [only, another] = details;
  const single = another === undefined ? only : undefined;
  const remittance = single === undefined || single.remittance === '' ? entry.additional : single.remittance;
  return {
    status: entry.status ?? assumedStatus(entry, statement),
    fileLine,
    bookingDate: entry.bookingDate ?? assumedDate(entry, statement, createdOn),
    valueDate: entry.valueDate,
    amount,
    currency: entry.currency,
    counterparty: single?.counterparty ?? '',
    counterpartyAccount: single?.counterpartyAccount ?? '',
    remittance: remittance === '' ? entry.batchId : remittance,
    bankReference: bankReference(entry),
    endToEndId: single?.endToEndId ?? '',
    transactionCode: entry.domainCode === '' ? entry.ownCode : entry.domainCode,
    details,
    balanceAfter: undefined,
    payoutCandidate: undefined,
    raw: entry.raw,
  };
}

function bankReference({ servicerReference, entryReference }: EntryDraft): string {
  const reference = referenceOf(servicerReference);
  return reference === '' ? referenceOf(entryReference) : reference;
}

/** A statement contains booked entries by definition; a report or a notification may contain any. */
function assumedStatus({ fileLine }: EntryDraft, statement: StatementDraft): LineStatus {
  const status = statement.kind === 'statement' ? 'booked' : 'pending';
  note(statement, fileLine, `an entry has no status and is taken as ${status}`);
  return status;
}

function assumedDate(
  { fileLine, valueDate }: EntryDraft,
  statement: StatementDraft,
  createdOn: BusinessDate | undefined,
): BusinessDate {
  const candidates: [BusinessDate | undefined, string][] = [
    [valueDate, 'its value date'],
    [statement.through, 'the last day of the statement'],
    [statement.created ?? createdOn, 'the day on which the statement was made'],
  ];
  for (const [date, what] of candidates) {
    if (date === undefined) continue;
    note(statement, fileLine, `an entry has no booking date; it has ${what} instead`);
    return date;
  }
  throw refusalAt(fileLine, 'expected an entry with BookgDt, got no date at all');
}

/** Adds a note for people, once for each kind of finding, because a file may have it in every entry. */
export function note(statement: StatementDraft, fileLine: number, text: string): void {
  if (!statement.notes.has(text)) statement.notes.set(text, fileLine);
}
