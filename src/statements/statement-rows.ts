import type { Row } from '../db';
import { assert, businessDate, toMillimes, type BusinessDate, type Millimes } from '../kernel';
import type { PayoutCandidate, Statement, StatementFile, StatementLine } from './statement-records';
import type { StatementVerdict } from './prove-statement';

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
  's.account',
  's.sequence',
  's.currency',
  's.verdict',
  's.opening_millimes',
  's.closing_millimes',
  's.credits_millimes',
  's.debits_millimes',
  's.entries',
  's.first_date',
  's.last_date',
] as const;

export function fromStatement(statement: Statement): Row {
  return {
    id: statement.id,
    file_id: statement.fileId,
    account: statement.account,
    sequence: statement.sequence,
    currency: statement.currency,
    verdict: statement.verdict,
    opening_millimes: statement.opening,
    closing_millimes: statement.closing,
    credits_millimes: statement.credits,
    debits_millimes: statement.debits,
    entries: statement.entries,
    first_date: statement.firstDate ?? null,
    last_date: statement.lastDate ?? null,
  };
}

export function toStatement(row: Row): Statement {
  return {
    id: String(row['id']),
    fileId: String(row['file_id']),
    account: String(row['account']),
    sequence: Number(row['sequence']),
    currency: String(row['currency']),
    verdict: toVerdict(row['verdict']),
    opening: toMillimes(row['opening_millimes']),
    closing: toMillimes(row['closing_millimes']),
    credits: toMillimes(row['credits_millimes']),
    debits: toMillimes(row['debits_millimes']),
    entries: Number(row['entries']),
    firstDate: toOptionalDate(row['first_date']),
    lastDate: toOptionalDate(row['last_date']),
  };
}

export const LINE_COLUMNS = [
  'l.id',
  'l.statement_id',
  'l.position',
  'l.account',
  'l.booking_date',
  'l.value_date',
  'l.amount_millimes',
  'l.counterparty',
  'l.remittance',
  'l.bank_reference',
  'l.payout_candidate',
  'l.balance_after_millimes',
  'l.raw',
] as const;

export function fromLine(line: StatementLine): Row {
  return {
    id: line.id,
    statement_id: line.statementId,
    position: line.position,
    account: line.account,
    booking_date: line.bookingDate,
    value_date: line.valueDate ?? null,
    amount_millimes: line.amount,
    counterparty: line.counterparty,
    remittance: line.remittance,
    bank_reference: line.bankReference,
    payout_candidate: line.payoutCandidate ? 1 : 0,
    balance_after_millimes: line.balanceAfter ?? null,
    raw: line.raw,
  };
}

export function toLine(row: Row): StatementLine {
  return {
    id: String(row['id']),
    statementId: String(row['statement_id']),
    position: Number(row['position']),
    account: String(row['account']),
    bookingDate: businessDate(String(row['booking_date'])),
    valueDate: toOptionalDate(row['value_date']),
    amount: toMillimes(row['amount_millimes']),
    counterparty: String(row['counterparty']),
    remittance: String(row['remittance']),
    bankReference: String(row['bank_reference']),
    payoutCandidate: Number(row['payout_candidate']) === 1,
    balanceAfter: toOptionalMillimes(row['balance_after_millimes']),
    raw: String(row['raw']),
  };
}

export function toPayoutCandidate(row: Row): PayoutCandidate {
  return {
    lineId: String(row['id']),
    account: String(row['account']),
    bookingDate: businessDate(String(row['booking_date'])),
    valueDate: toOptionalDate(row['value_date']),
    amount: toMillimes(row['amount_millimes']),
    counterparty: String(row['counterparty']),
    remittance: String(row['remittance']),
  };
}

function toOptionalDate(value: unknown): BusinessDate | undefined {
  if (value === null) return undefined;
  assert(typeof value === 'string', 'a stored date is text');
  return businessDate(value);
}

function toOptionalMillimes(value: unknown): Millimes | undefined {
  return value === null ? undefined : toMillimes(value);
}

function toVerdict(value: unknown): StatementVerdict {
  assert(value === 'ok' || value === 'unbalanced' || value === 'no-proof', 'a stored verdict is one of three');
  return value;
}
