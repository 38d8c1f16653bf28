import type { Session } from '../db';
import { millimes, newId, type BusinessCalendar, type Instant, type Millimes } from '../kernel';
import {
  BANK_UNMATCHED,
  bankAccount,
  OPENING_BALANCES,
  openLedger,
  type Account,
  type NewLedgerTransaction,
  type Posting,
} from '../ledger';
import type { Statement, StatementLine } from './statement-records';

export interface PostStatement {
  readonly statement: Statement;
  readonly lines: readonly StatementLine[];
  readonly recordedAt: Instant;
  readonly recordedBy: string;
}

/**
 * Posts each line against bank_unmatched, and what stood on the account before its first statement against
 * opening_balances. After this `bank:<account>` equals the statement's closing balance.
 */
export async function postStatement(
  session: Session,
  calendar: BusinessCalendar,
  { statement, lines, recordedAt, recordedBy }: PostStatement,
): Promise<void> {
  const bank = bankAccount(statement.account);
  const recorded = { recordedAt, recordedBy };
  const opening: NewLedgerTransaction = {
    ...recorded,
    id: newId(),
    reference: `opening:${statement.account}`,
    code: 'opening_balance',
    occurredAt: statement.firstDate === undefined ? recordedAt : calendar.startOf(statement.firstDate),
    postings: moved(bank, OPENING_BALANCES, statement.opening),
  };
  const movements = lines.map((line): NewLedgerTransaction => ({
    ...recorded,
    id: newId(),
    reference: `line:${line.id}`,
    code: 'statement_line',
    occurredAt: calendar.startOf(line.bookingDate),
    postings: moved(bank, BANK_UNMATCHED, line.amount),
  }));
  const transactions = statement.sequence === 1 ? [opening, ...movements] : movements;
  await openLedger(session).post(transactions.filter(({ postings }) => postings.length > 0));
}

/** A posting moves a positive amount: a negative one goes the other way, and nothing moves for zero. */
function moved(bank: Account, other: Account, amount: Millimes): Posting[] {
  if (amount === 0) return [];
  if (amount > 0) return [{ debit: bank, credit: other, amount }];
  return [{ debit: other, credit: bank, amount: millimes(-amount) }];
}
