import { type Column, column, rowCodec, type Session } from '../db';
import type { LineDetail } from './reading/parsed-statement';

// One codec per table. Tables that are read together have one codec each, and one more for columns that only their
// query has.

/** A list, stored as JSON; null if it is empty. */
const list = <Item>(name: string): Column<readonly Item[]> => ({
  name,
  read: (value) => (typeof value === 'string' ? (JSON.parse(value) as Item[]) : []),
  write: (items) => (items.length === 0 ? null : JSON.stringify(items)),
});

/** A transaction inside a batch line. Empty texts are omitted. */
export interface StoredDetail extends Partial<Omit<LineDetail, 'amount' | 'currency'>> {
  /** Decimal text; positive: credit. */
  readonly amount?: string;
  readonly currency?: string;
}

export const FILE = rowCodec({
  id: column.text('id'),
  sha256: column.text('sha256'),
  name: column.text('name'),
  sizeBytes: column.number('size_bytes'),
  format: column.text('format'),
  /** Empty if the format needs none. */
  profile: column.text('profile'),
  importedAt: column.number('imported_at'),
  importedBy: column.text('imported_by'),
});

export const STATEMENT = rowCodec({
  id: column.text('id'),
  fileId: column.text('file_id'),
  /** Its position in the file, from 1. */
  position: column.number('position'),
  kind: column.word('kind', ['statement', 'interim', 'notification']),
  account: column.text('account'),
  currency: column.text('currency'),
  bankId: column.text('bank_id'),
  number: column.text('number'),
  verdict: column.word('verdict', ['ok', 'unbalanced', 'no-proof']),
  openingMinor: column.optional(column.number('opening_minor')),
  closingMinor: column.optional(column.number('closing_minor')),
  /** Of the booked lines. */
  creditsMinor: column.number('credits_minor'),
  debitsMinor: column.number('debits_minor'),
  entries: column.number('entries'),
  /** The number of announced lines. */
  pendingEntries: column.number('pending_entries'),
  /** The days that it covers according to the bank. */
  from: column.optional(column.businessDate('from_date')),
  through: column.optional(column.businessDate('through_date')),
  /** The days from the first to the last booked line; undefined for a statement without lines. */
  firstDate: column.optional(column.businessDate('first_date')),
  lastDate: column.optional(column.businessDate('last_date')),
  /** Equal for the same statement in another file. */
  fingerprint: column.text('fingerprint'),
  notes: list<string>('notes'),
});

/** A statement with its hold. */
export const HELD_STATEMENT = rowCodec({
  ...STATEMENT.fields,
  /** `overlap`: another proven statement has other lines on its days. */
  hold: column.optional(column.word('hold', ['overlap'])),
});

/** Starts a SELECT of statements `s` with their holds `h`, for `HELD_STATEMENT`. */
export function selectStatements(session: Session): ReturnType<Session> {
  return session('bank_statements as s')
    .leftJoin('statement_holds as h', 'h.statement_id', 's.id')
    .select(...STATEMENT.columns('s'), 'h.kind as hold');
}

/** Excludes the statements `s` of a file that is loading. */
export function onlyVisible(query: ReturnType<Session>): ReturnType<Session> {
  return query.join('statement_loads as w', 'w.file_id', 's.file_id').whereNot('w.state', 'loading');
}

/** The columns of a movement, booked or announced. */
export const MOVEMENT = rowCodec({
  id: column.text('id'),
  statementId: column.text('statement_id'),
  /** 1 for the first of its statement. */
  position: column.number('position'),
  account: column.text('account'),
  currency: column.text('currency'),
  bookingDate: column.businessDate('booking_date'),
  valueDate: column.optional(column.businessDate('value_date')),
  /** Positive: credit. */
  amountMinor: column.number('amount_minor'),
  counterparty: column.text('counterparty'),
  counterpartyAccount: column.text('counterparty_account'),
  remittance: column.text('remittance'),
  bankReference: column.text('bank_reference'),
  endToEndId: column.text('end_to_end_id'),
  raw: column.text('raw'),
});

export const LINE = rowCodec({
  ...MOVEMENT.fields,
  /** The line of its file on which it starts. */
  fileLine: column.optional(column.number('file_line')),
  transactionCode: column.text('transaction_code'),
  details: list<StoredDetail>('details'),
  payoutCandidate: column.flag('payout_candidate'),
  balanceAfterMinor: column.optional(column.number('balance_after_minor')),
  identity: column.text('identity'),
});

export const PENDING = rowCodec({
  ...MOVEMENT.fields,
  /** `interim`: on an interim report, whatever the bank calls it there. */
  status: column.word('status', ['pending', 'information', 'interim']),
});

/** The keys of an announced entry, by which its booked line is found. */
export const PENDING_KEYS = rowCodec({
  referenceKey: column.optional(column.text('reference_key')),
  contentKey: column.text('content_key'),
});

export const ACCEPTANCE = rowCodec({
  statementId: column.text('statement_id'),
  acceptedAt: column.number('accepted_at'),
  acceptedBy: column.text('accepted_by'),
  reason: column.text('reason'),
});

export const EXCLUSION = rowCodec({
  statementId: column.text('statement_id'),
  excludedAt: column.number('excluded_at'),
  excludedBy: column.text('excluded_by'),
  reason: column.text('reason'),
});
