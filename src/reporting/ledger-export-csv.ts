import type { Session } from '../db';
import { type BusinessCalendar, csvLine, formatInstant } from '../kernel';
import { type ExportedTransaction, transactionPages } from './ledger-export-read-model';

const COLUMNS = [
  'transaction_id',
  'reference',
  'code',
  'date',
  'occurred_at',
  'recorded_at',
  'recorded_by',
  'reverses_id',
  'position',
  'debit_account',
  'credit_account',
  'amount_millimes',
];

/** Yields the ledger as one row per posting, in pages. Names stand as they are stored, quoted and safe in spreadsheets. */
export async function* postingsCsv(session: Session, calendar: BusinessCalendar): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for await (const page of transactionPages(session)) {
    yield page.map((transaction) => postingLines(transaction, calendar)).join('');
  }
}

function postingLines(transaction: ExportedTransaction, calendar: BusinessCalendar): string {
  const { id, reference, code, occurredAt, recordedAt, recordedBy, reversesId, postings } = transaction;
  const ofTransaction = [
    id,
    reference,
    code,
    calendar.dateOf(occurredAt),
    formatInstant(occurredAt),
    formatInstant(recordedAt),
    recordedBy,
    reversesId ?? '',
  ];
  return postings
    .map(({ position, debit, credit, amount }) => csvLine([...ofTransaction, position, debit, credit, amount]))
    .join('');
}
