import {
  type Column,
  column,
  type NewRows,
  type Question,
  type QuestionLock,
  rowCodec,
  type RowLock,
  ROWS_PER_STATEMENT,
  rowsOf,
  type Session,
} from '../db';
import { AppError, assert, compareBytes, type Instant, type Millimes, pagesOf, ZERO_MILLIMES } from '../kernel';
import { type Account, keepsBalance, toAccount } from './accounts';
import {
  assertPostable,
  balanceChanges,
  LEDGER_CODES,
  type LedgerTransaction,
  type NewLedgerTransaction,
} from './ledger-transaction';
import { openPeriodLock } from './period-lock-store';

const accountColumn = (name: string): Column<Account> => ({ name, read: toAccount, write: (account) => account });

const TRANSACTION = rowCodec({
  id: column.text('id'),
  reference: column.text('reference'),
  code: column.word('code', LEDGER_CODES),
  occurredAt: column.number('occurred_at'),
  recordedAt: column.number('recorded_at'),
  recordedBy: column.text('recorded_by'),
  reversesId: column.optional(column.text('reverses_id')),
});

const POSTING = rowCodec({
  debit: accountColumn('debit_account'),
  credit: accountColumn('credit_account'),
  amount: column.millimes('amount_millimes'),
});

const BALANCE = rowCodec({ account: accountColumn('account'), balance: column.millimes('balance_millimes') });
const BALANCES = `select ${BALANCE.columns('b').join(', ')} from ledger_balances as b
  where b.account in (?) order by b.account`;
const TOTAL = rowCodec({ total: column.total('total') });

/** What a transaction has read and locked before it posts. */
export interface LockedBooks {
  /** The stored balances of the accounts that it changes. */
  readonly balances: ReadonlyMap<Account, Millimes>;
  readonly openFrom: Instant;
}

/** The ledger inside one transaction of the database. */
export interface Ledger {
  /**
   * Writes ledger transactions and changes the stored balances. An existing reference makes the whole database
   * transaction fail with `duplicate_key`. A ledger transaction of a closed day is recorded at the first instant of the
   * next open day, and a separate row stores its original instant.
   *
   * @throws AppError `conflict` when a balance would exceed the largest countable amount.
   */
  post(transactions: readonly NewLedgerTransaction[]): Promise<void>;
  /**
   * Reads balances and locks them, in byte order, until the transaction ends. Stores a balance of 0 for an account that
   * has none, because a missing row cannot be locked.
   */
  lockBalances(accounts: readonly Account[]): Promise<Map<Account, Millimes>>;
  /**
   * Stores and locks balances of 0 for accounts that have none. The balance of another one may be read after this only,
   * because another transaction may have stored it meanwhile.
   */
  createBalances(accounts: readonly Account[]): Promise<void>;
  /** Returns stored balances; an account without postings has 0. */
  balances(accounts: readonly Account[]): Promise<Map<Account, Millimes>>;
  /** Returns debits less credits of one account, summed over its postings. */
  sumOf(account: Account): Promise<bigint>;
  find(reference: string): Promise<LedgerTransaction | undefined>;
  /** Returns whether the transaction with this reference was reversed. */
  isTakenBack(reference: string): Promise<boolean>;
}

export function openLedger(session: Session): Ledger {
  return {
    async post(transactions) {
      if (transactions.length === 0) return;
      const balances = await lockBalances(
        session,
        balanceChanges(transactions).map(([account]) => account),
      );
      const openFrom = await openPeriodLock(session).openFrom();
      await session.insert(postingRows(transactions, { balances, openFrom }));
    },
    lockBalances: (accounts) => lockBalances(session, accounts),
    createBalances: (accounts) => createBalances(session, accounts),
    async balances(accounts) {
      const stored = await readBalances(session, accounts);
      return new Map(accounts.map((account) => [account, stored.get(account) ?? ZERO_MILLIMES]));
    },
    async sumOf(account) {
      const debits = await sumSide(session, 'debit_account', account);
      const credits = await sumSide(session, 'credit_account', account);
      return debits - credits;
    },
    async isTakenBack(reference) {
      const reversals = await rowsOf(
        session('ledger_transactions as t')
          .join('ledger_transactions as r', 'r.reverses_id', 't.id')
          .select('r.id')
          .where('t.reference', reference)
          .limit(1),
      );
      return reversals.length > 0;
    },
    async find(reference) {
      const found = await TRANSACTION.first(
        session('ledger_transactions as t').select(TRANSACTION.columns('t')).where('t.reference', reference),
      );
      if (found === undefined) return undefined;
      const { reversesId, ...transaction } = found;
      const postings = await POSTING.all(
        session('postings as p')
          .select(POSTING.columns('p'))
          .where('p.transaction_id', transaction.id)
          .orderBy('p.position'),
      );
      return { ...transaction, postings, ...(reversesId === undefined ? {} : { reversesId }) };
    },
  };
}

/**
 * Returns the rows that post ledger transactions, for `session.insert` beside those of another room. The books must be
 * locked in the same transaction.
 *
 * @throws AppError `conflict` when a balance would exceed the largest countable amount.
 */
export function postingRows(
  transactions: readonly NewLedgerTransaction[],
  { balances, openFrom }: LockedBooks,
): readonly NewRows[] {
  transactions.forEach(assertPostable);
  const ordered = [...transactions].sort((a, b) => compareBytes(a.reference, b.reference));
  const changes = balanceChanges(ordered).filter(([, change]) => change !== 0);
  for (const [account, change] of changes) {
    const balance = balances.get(account);
    assert(balance !== undefined, 'a posting changes only locked balances');
    if (!Number.isSafeInteger(balance + change)) throw new AppError('balance_too_large', { account });
  }
  const late = ordered.filter(({ recordedAt }) => recordedAt < openFrom);
  return [
    { table: 'ledger_transactions', rows: ordered.map((each) => toTransactionRow(each, openFrom)) },
    { table: 'ledger_late_transactions', rows: late.map((each) => toLateRow(each, openFrom)) },
    { table: 'postings', rows: ordered.flatMap(toPostingRows) },
    {
      table: 'ledger_balances',
      rows: changes.map(([account, change]) => ({ account, balance_millimes: change })),
      whenTaken: { key: 'account', add: 'balance_millimes' },
    },
  ];
}

/** Asks for the stored balances among at most `ROWS_PER_STATEMENT` accounts; locks them in byte order. */
export function balancesQuestion(accounts: readonly Account[], lock?: QuestionLock): Question<Map<Account, Millimes>> {
  return {
    sql: BALANCES,
    values: [[...accounts].sort(compareBytes)],
    lock,
    read: (rows) => new Map(rows.map(BALANCE.read).map(({ account, balance }) => [account, balance])),
  };
}

async function lockBalances(session: Session, accounts: readonly Account[]): Promise<Map<Account, Millimes>> {
  accounts.forEach((account) => assert(keepsBalance(account), 'only a stored balance can be locked'));
  const stored = await readBalances(session, accounts, 'update');
  const missing = [...new Set(accounts)].filter((account) => !stored.has(account));
  if (missing.length === 0) return stored;
  await createBalances(session, missing);
  return readBalances(session, accounts, 'update');
}

async function createBalances(session: Session, accounts: readonly Account[]): Promise<void> {
  const rows = [...accounts].sort(compareBytes).map((account) => ({ account, balance_millimes: 0 }));
  await session.insert([{ table: 'ledger_balances', rows, whenTaken: { key: 'account' } }]);
}

async function readBalances(
  session: Session,
  accounts: readonly Account[],
  lock?: RowLock,
): Promise<Map<Account, Millimes>> {
  const balances = new Map<Account, Millimes>();
  for (const page of pagesOf([...new Set(accounts)].sort(compareBytes), ROWS_PER_STATEMENT)) {
    const [stored] = await session.ask([balancesQuestion(page, lock)]);
    for (const [account, balance] of stored) balances.set(account, balance);
  }
  return balances;
}

async function sumSide(session: Session, side: 'debit_account' | 'credit_account', account: Account): Promise<bigint> {
  const sum = await TOTAL.first(
    session('postings as p')
      .select(session.fragment('cast(sum(p.amount_millimes) as char) as total'))
      .where(`p.${side}`, account),
  );
  return sum?.total ?? 0n;
}

function toTransactionRow(transaction: NewLedgerTransaction, openFrom: Instant): Record<string, unknown> {
  const { id, reference, code, occurredAt, recordedBy, reversesId } = transaction;
  const recordedAt = Math.max(transaction.recordedAt, openFrom);
  return TRANSACTION.write({ id, reference, code, occurredAt, recordedAt, recordedBy, reversesId });
}

function toLateRow({ id, recordedAt }: NewLedgerTransaction, openFrom: Instant): Record<string, unknown> {
  return { ledger_transaction_id: id, belongs_at: recordedAt, recorded_at: openFrom };
}

function toPostingRows({ id, postings }: NewLedgerTransaction): Record<string, unknown>[] {
  return postings.map((posting, index) => ({
    transaction_id: id,
    position: index + 1,
    ...POSTING.write(posting),
  }));
}
