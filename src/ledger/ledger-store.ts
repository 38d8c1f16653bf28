import { type Column, column, insertRows, rowCodec, ROWS_PER_STATEMENT, rowsOf, type Session } from '../db';
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
const TOTAL = rowCodec({ total: column.total('total') });

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
  /** Reads balances and locks them, in byte order, until the transaction ends. Fails with `duplicate_key` in a race. */
  lockBalances(accounts: readonly Account[]): Promise<Map<Account, Millimes>>;
  /** Reads and locks only the balances that are stored, in byte order, until the transaction ends. */
  lockStoredBalances(accounts: readonly Account[]): Promise<Map<Account, Millimes>>;
  /** Stores and locks balances of 0 for accounts that have none. Fails with `duplicate_key` in a race. */
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
      transactions.forEach(assertPostable);
      const ordered = [...transactions].sort((a, b) => compareBytes(a.reference, b.reference));
      const openFrom = await openPeriodLock(session).openFrom();
      const late = ordered.filter(({ recordedAt }) => recordedAt < openFrom);
      const rows = ordered.map((each) => toTransactionRow(each, openFrom));
      await insertRows(session, 'ledger_transactions', rows);
      for (const page of pagesOf(late, ROWS_PER_STATEMENT)) {
        await session('ledger_late_transactions').insert(page.map((each) => toLateRow(each, openFrom)));
      }
      await insertRows(session, 'postings', ordered.flatMap(toPostingRows));
      for (const [account, change] of balanceChanges(ordered)) await changeBalance(session, account, change);
    },
    async lockBalances(accounts) {
      const balances = await lockedBalances(session, accounts);
      const missing = [...balances].filter(([, balance]) => balance === undefined).map(([account]) => account);
      await createBalances(session, missing);
      return withZeros(balances);
    },
    lockStoredBalances: async (accounts) => withoutMissing(await lockedBalances(session, accounts)),
    createBalances: (accounts) => createBalances(session, accounts),
    balances: async (accounts) => withZeros(await readBalances(session, accounts, false)),
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

async function lockedBalances(
  session: Session,
  accounts: readonly Account[],
): Promise<Map<Account, Millimes | undefined>> {
  accounts.forEach((account) => assert(keepsBalance(account), 'only a stored balance can be locked'));
  return readBalances(session, accounts, true);
}

/**
 * A missing row cannot be locked, so an account's first row is inserted. A concurrent insert fails with a duplicate key,
 * and its transaction runs again. So a balance that was read is still correct when it is changed.
 */
async function createBalances(session: Session, accounts: readonly Account[]): Promise<void> {
  for (const page of pagesOf([...accounts].sort(compareBytes), ROWS_PER_STATEMENT)) {
    await session('ledger_balances').insert(page.map((account) => ({ account, balance_millimes: 0 })));
  }
}

async function changeBalance(session: Session, account: Account, change: Millimes): Promise<void> {
  if (change === 0 || (await addToBalance(session, account, change))) return;
  // Locked, so that a row that another transaction has just inserted still allows the change when it is updated.
  const [stored] = (await readBalances(session, [account], true)).values();
  if (stored === undefined) {
    // Of two concurrent first postings to one account, one fails with a duplicate key, and its transaction runs again.
    await session('ledger_balances').insert({ account, balance_millimes: change });
  } else if (!(await addToBalance(session, account, change))) {
    throw new AppError('balance_too_large', { account });
  }
}

/** Returns false when the account has no row, or its balance would leave the safe integers. */
async function addToBalance(session: Session, account: Account, change: Millimes): Promise<boolean> {
  const changed = await session('ledger_balances')
    .where('account', account)
    .whereBetween('balance_millimes', balancesThatBear(change))
    .update({ balance_millimes: session.fragment('balance_millimes + ?', [change]) });
  assert(changed <= 1, 'an account has one balance row');
  return changed === 1;
}

/** Returns the lowest and highest balance that stays a safe integer after the change. */
function balancesThatBear(change: Millimes): [number, number] {
  const limit = Number.MAX_SAFE_INTEGER;
  return change > 0 ? [-limit, limit - change] : [-limit - change, limit];
}

async function readBalances(
  session: Session,
  accounts: readonly Account[],
  lock: boolean,
): Promise<Map<Account, Millimes | undefined>> {
  const ordered = [...new Set(accounts)].sort(compareBytes);
  const balances = new Map<Account, Millimes | undefined>(ordered.map((account) => [account, undefined]));
  for (const page of pagesOf(ordered, ROWS_PER_STATEMENT)) {
    const query = session('ledger_balances as b')
      .select(BALANCE.columns('b'))
      .whereIn('b.account', page)
      .orderBy('b.account');
    for (const { account, balance } of await BALANCE.all(lock ? query.forUpdate() : query)) {
      balances.set(account, balance);
    }
  }
  return balances;
}

function withoutMissing(balances: ReadonlyMap<Account, Millimes | undefined>): Map<Account, Millimes> {
  const stored = new Map<Account, Millimes>();
  for (const [account, balance] of balances) if (balance !== undefined) stored.set(account, balance);
  return stored;
}

function withZeros(balances: ReadonlyMap<Account, Millimes | undefined>): Map<Account, Millimes> {
  return new Map([...balances].map(([account, balance]) => [account, balance ?? ZERO_MILLIMES]));
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
