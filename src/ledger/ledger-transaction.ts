import { assert, compareBytes, type Instant, type Millimes, millimes, ZERO_MILLIMES } from '../kernel';
import { type Account, keepsBalance } from './accounts';

/** One positive amount moved from the credited account to the debited one, so debits and credits always balance. */
export interface Posting {
  readonly debit: Account;
  readonly credit: Account;
  readonly amount: Millimes;
}

export const LEDGER_CODES = [
  'due_assessed',
  'due_cancelled',
  'agent_payment',
  'payment',
  'refund',
  'fee',
  'fee_correction',
  'opening_balance',
  'statement_line',
  'payout',
  'write_off',
  'payout_fee',
  'reversal',
] as const;
/** Why a ledger transaction was recorded. */
export type LedgerCode = (typeof LEDGER_CODES)[number];

export interface NewLedgerTransaction {
  readonly id: string;
  /** Its unique reference outside the ledger, such as `service:<transactionId>`. */
  readonly reference: string;
  readonly code: LedgerCode;
  /** When it happened, and when Millime recorded it. */
  readonly occurredAt: Instant;
  readonly recordedAt: Instant;
  readonly recordedBy: string;
  readonly postings: readonly Posting[];
  /** The id of the transaction that this one reverses. */
  readonly reversesId?: string;
}

export interface LedgerTransaction extends NewLedgerTransaction {}

/** Returns the posting that moves an amount from credit to debit; a negative amount moves the other way. */
export function moved(debit: Account, credit: Account, amount: Millimes): Posting {
  return amount > ZERO_MILLIMES
    ? { debit, credit, amount }
    : { debit: credit, credit: debit, amount: millimes(-amount) };
}

/** Returns the postings that reverse `original`: the same amounts, with the accounts swapped. */
export function swapped(original: readonly Posting[]): Posting[] {
  return original.map(({ debit, credit, amount }) => ({ debit: credit, credit: debit, amount }));
}

export function assertPostable(transaction: NewLedgerTransaction): void {
  assert(transaction.postings.length > 0, 'a ledger transaction has at least one posting');
  for (const { debit, credit, amount } of transaction.postings) {
    assert(amount > 0, 'a posting moves a positive amount');
    assert(debit !== credit, 'a posting moves money between two accounts');
  }
}

/** Returns the change of each account whose balance is stored, in the byte order of the accounts. */
export function balanceChanges(transactions: readonly NewLedgerTransaction[]): [Account, Millimes][] {
  const changes = new Map<Account, number>();
  const add = (account: Account, amount: number): void => {
    if (keepsBalance(account)) changes.set(account, (changes.get(account) ?? 0) + amount);
  };
  for (const { postings } of transactions) {
    for (const { debit, credit, amount } of postings) {
      add(debit, amount);
      add(credit, -amount);
    }
  }
  return [...changes].sort(([a], [b]) => compareBytes(a, b)).map(([account, change]) => [account, millimes(change)]);
}
