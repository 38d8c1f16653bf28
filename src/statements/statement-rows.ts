import { optionalNumber, optionalText, type Row } from '../db';
import { assert, businessDate, toMillimes, type BusinessDate } from '../kernel';
import type { StatementKind } from './reading/parsed-statement';
import type { StatementVerdict } from './reading/prove-statement';
import type {
  Acceptance,
  PayoutCandidate,
  PendingEntry,
  Statement,
  StatementFile,
  StatementHold,
  StatementLine,
  StoredDetail,
} from './statement-records';

/** The codecs between the rows of the tables and what the room speaks of. */

export const FILE_COLUMNS = [
  'f.id',
  'f.sha256',
  'f.name',
  'f.size_bytes',
  'f.format',
  'f.profile',
  'f.imported_at',
  'f.imported_by',
] as const;

export function fromFile(file: StatementFile): Row {
  return {
    id: file.id,
    sha256: file.sha256,
    name: file.name,
    size_bytes: file.sizeBytes,
    format: file.format,
    profile: file.profile,
    imported_at: file.importedAt,
    imported_by: file.importedBy,
  };
}

export function toFile(row: Row): StatementFile {
  return {
    id: String(row['id']),
    sha256: String(row['sha256']),
    name: String(row['name']),
    sizeBytes: Number(row['size_bytes']),
    format: String(row['format']),
    profile: String(row['profile']),
    importedAt: Number(row['imported_at']),
    importedBy: String(row['imported_by']),
  };
}

export const STATEMENT_COLUMNS = [
  's.id',
  's.file_id',
  's.position',
  's.kind',
  's.account',
  's.currency',
  's.bank_id',
  's.number',
  's.verdict',
  'h.kind as hold',
  's.opening_minor',
  's.closing_minor',
  's.credits_minor',
  's.debits_minor',
  's.entries',
  's.pending_entries',
  's.from_date',
  's.through_date',
  's.first_date',
  's.last_date',
  's.fingerprint',
  's.notes',
] as const;

export function fromStatement(statement: Statement): Row {
  return {
    id: statement.id,
    file_id: statement.fileId,
    position: statement.position,
    kind: statement.kind,
    account: statement.account,
    currency: statement.currency,
    bank_id: statement.bankId,
    number: statement.number,
    verdict: statement.verdict,
    opening_minor: statement.openingMinor ?? null,
    closing_minor: statement.closingMinor ?? null,
    credits_minor: statement.creditsMinor,
    debits_minor: statement.debitsMinor,
    entries: statement.entries,
    pending_entries: statement.pendingEntries,
    from_date: statement.from ?? null,
    through_date: statement.through ?? null,
    first_date: statement.firstDate ?? null,
    last_date: statement.lastDate ?? null,
    fingerprint: statement.fingerprint,
    notes: statement.notes.length === 0 ? null : JSON.stringify(statement.notes),
  };
}

export function toStatement(row: Row): Statement {
  return {
    id: String(row['id']),
    fileId: String(row['file_id']),
    position: Number(row['position']),
    kind: toKind(row['kind']),
    account: String(row['account']),
    currency: String(row['currency']),
    bankId: String(row['bank_id']),
    number: String(row['number']),
    verdict: toVerdict(row['verdict']),
    hold: toHold(row['hold']),
    openingMinor: optionalNumber(row['opening_minor']),
    closingMinor: optionalNumber(row['closing_minor']),
    creditsMinor: Number(row['credits_minor']),
    debitsMinor: Number(row['debits_minor']),
    entries: Number(row['entries']),
    pendingEntries: Number(row['pending_entries']),
    from: toOptionalDate(row['from_date']),
    through: toOptionalDate(row['through_date']),
    firstDate: toOptionalDate(row['first_date']),
    lastDate: toOptionalDate(row['last_date']),
    fingerprint: String(row['fingerprint']),
    notes: toList<string>(row['notes']),
  };
}

export const LINE_COLUMNS = [
  'l.id',
  'l.statement_id',
  'l.position',
  'l.file_line',
  'l.account',
  'l.currency',
  'l.booking_date',
  'l.value_date',
  'l.amount_minor',
  'l.counterparty',
  'l.counterparty_account',
  'l.remittance',
  'l.bank_reference',
  'l.end_to_end_id',
  'l.transaction_code',
  'l.details',
  'l.payout_candidate',
  'l.balance_after_minor',
  'l.identity',
  'l.raw',
] as const;

export function fromLine(line: StatementLine): Row {
  return {
    id: line.id,
    statement_id: line.statementId,
    position: line.position,
    file_line: line.fileLine ?? null,
    account: line.account,
    currency: line.currency,
    booking_date: line.bookingDate,
    value_date: line.valueDate ?? null,
    amount_minor: line.amountMinor,
    counterparty: line.counterparty,
    counterparty_account: line.counterpartyAccount,
    remittance: line.remittance,
    bank_reference: line.bankReference,
    end_to_end_id: line.endToEndId,
    transaction_code: line.transactionCode,
    details: line.details.length === 0 ? null : JSON.stringify(line.details),
    payout_candidate: line.payoutCandidate ? 1 : 0,
    balance_after_minor: line.balanceAfterMinor ?? null,
    identity: line.identity,
    raw: line.raw,
  };
}

export function toLine(row: Row): StatementLine {
  return {
    id: String(row['id']),
    statementId: String(row['statement_id']),
    position: Number(row['position']),
    fileLine: optionalNumber(row['file_line']),
    account: String(row['account']),
    currency: String(row['currency']),
    bookingDate: businessDate(String(row['booking_date'])),
    valueDate: toOptionalDate(row['value_date']),
    amountMinor: Number(row['amount_minor']),
    counterparty: String(row['counterparty']),
    counterpartyAccount: String(row['counterparty_account']),
    remittance: String(row['remittance']),
    bankReference: String(row['bank_reference']),
    endToEndId: String(row['end_to_end_id']),
    transactionCode: String(row['transaction_code']),
    details: toList<StoredDetail>(row['details']),
    payoutCandidate: Number(row['payout_candidate']) === 1,
    balanceAfterMinor: optionalNumber(row['balance_after_minor']),
    identity: String(row['identity']),
    raw: String(row['raw']),
  };
}

/** What a pending entry is found by when it is booked. */
export interface PendingKeys {
  readonly referenceKey: string | undefined;
  readonly contentKey: string;
}

export function fromPending(entry: PendingEntry, { referenceKey, contentKey }: PendingKeys): Row {
  return {
    id: entry.id,
    statement_id: entry.statementId,
    position: entry.position,
    status: entry.status,
    account: entry.account,
    currency: entry.currency,
    booking_date: entry.bookingDate,
    value_date: entry.valueDate ?? null,
    amount_minor: entry.amountMinor,
    counterparty: entry.counterparty,
    counterparty_account: entry.counterpartyAccount,
    remittance: entry.remittance,
    bank_reference: entry.bankReference,
    end_to_end_id: entry.endToEndId,
    reference_key: referenceKey ?? null,
    content_key: contentKey,
    raw: entry.raw,
  };
}

export const PENDING_COLUMNS = [
  'p.id',
  'p.statement_id',
  'p.position',
  'p.status',
  'p.account',
  'p.currency',
  'p.booking_date',
  'p.value_date',
  'p.amount_minor',
  'p.counterparty',
  'p.counterparty_account',
  'p.remittance',
  'p.bank_reference',
  'p.end_to_end_id',
  'p.raw',
] as const;

export function toPending(row: Row): PendingEntry {
  const status = row['status'];
  assert(
    status === 'pending' || status === 'information' || status === 'interim',
    'a stored pending entry has one of three states',
  );
  return {
    id: String(row['id']),
    statementId: String(row['statement_id']),
    position: Number(row['position']),
    status,
    account: String(row['account']),
    currency: String(row['currency']),
    bookingDate: businessDate(String(row['booking_date'])),
    valueDate: toOptionalDate(row['value_date']),
    amountMinor: Number(row['amount_minor']),
    counterparty: String(row['counterparty']),
    counterpartyAccount: String(row['counterparty_account']),
    remittance: String(row['remittance']),
    bankReference: String(row['bank_reference']),
    endToEndId: String(row['end_to_end_id']),
    raw: String(row['raw']),
  };
}

/** Undefined where a left join found none. */
export function toAcceptance(row: Row): Acceptance | undefined {
  const reason = optionalText(row['reason']);
  if (reason === undefined) return undefined;
  return {
    statementId: String(row['id']),
    acceptedAt: Number(row['accepted_at']),
    acceptedBy: String(row['accepted_by']),
    reason,
  };
}

export function toPayoutCandidate(row: Row): PayoutCandidate {
  return {
    lineId: String(row['id']),
    account: String(row['account']),
    bookingDate: businessDate(String(row['booking_date'])),
    valueDate: toOptionalDate(row['value_date']),
    amount: toMillimes(row['amount_minor']),
    counterparty: String(row['counterparty']),
    remittance: String(row['remittance']),
    importedAt: Number(row['imported_at']),
  };
}

/** A list that is kept as JSON; null when it is empty. */
function toList<Item>(value: unknown): Item[] {
  return typeof value === 'string' ? (JSON.parse(value) as Item[]) : [];
}

export function toOptionalDate(value: unknown): BusinessDate | undefined {
  if (value === null || value === undefined) return undefined;
  assert(typeof value === 'string', 'a stored date is text');
  return businessDate(value);
}

function toVerdict(value: unknown): StatementVerdict {
  assert(value === 'ok' || value === 'unbalanced' || value === 'no-proof', 'a stored verdict is one of three');
  return value;
}

function toKind(value: unknown): StatementKind {
  assert(value === 'statement' || value === 'interim' || value === 'notification', 'a stored kind is one of three');
  return value;
}

function toHold(value: unknown): StatementHold | undefined {
  assert(value === null || value === 'overlap', 'a stored hold is a known one');
  return value ?? undefined;
}
