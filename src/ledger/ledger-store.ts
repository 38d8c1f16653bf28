import { insertRows, rowsOf, type Row, type Session } from '../db';
import {
  AppError,
  assert,
  compareBytes,
  millimes,
  pagesOf,
  toMillimes,
  toTotal,
  ZERO_MILLIMES,
  type Instant,
  type Millimes,
} from '../kernel';
import { keepsBalance, toAccount, type Account } from './accounts';
import { openPeriodLock } from './period-lock-store';
import {
  assertPostable,
  balanceChanges,
  type LedgerCode,
  type LedgerTransaction,
  type NewLedgerTransaction,
  type Posting,
} from './ledger-transaction';

/** Rows in one statement: seven columns each stay far below SQLite's limit of variables. */
const ROWS_PER_STATEMENT = 500;

/** The ledger inside one transaction of the database. */
export interface Ledger {
  /**
   * Writes transactions and changes the balances that are kept. A reference that exists already makes the whole
   * database transaction fail with `duplicate_key`. What would be recorded in a day that is closed is recorded at the
   * first instant of the next open day, with a pointer to where it belongs.
   *
   * @throws AppError `conflict` when a balance would be larger than can be counted.
   */
  post(transactions: readonly NewLedgerTransaction[]): Promise<void>;
  /** Reads balances and locks them, in byte order, until the transaction ends. Fails with `duplicate_key` in a race. */
  lockBalances(accounts: readonly Account[]): Promise<Map<Account, Millimes>>;
  /** Balances that are kept; an account without postings has 0. */
  balances(accounts: readonly Account[]): Promise<Map<Account, Millimes>>;
  /** Debits less credits of one account, summed over its postings. */
  sumOf(account: Account): Promise<bigint>;
  find(reference: string): Promise<LedgerTransaction | undefined>;
  /** Whether a reversal takes the transaction with this reference back. */
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
      for (const page of pagesOf(late, ROWS_PER_STATEMENT))
        await session('ledger_late_transactions').insert(page.map((each) => toLateRow(each, openFrom)));
      await insertRows(session, 'postings', ordered.flatMap(toPostingRows));
      for (const [account, change] of balanceChanges(ordered)) await changeBalance(session, account, change);
    },
    async lockBalances(accounts) {
      accounts.forEach((account) => assert(keepsBalance(account), 'only a balance that is kept can be locked'));
      const balances = await readBalances(session, accounts, true);
      // Nothing can be locked where there is no row: an account's first row is made now, and a second maker of it meets
      // a duplicate key and runs again. So a balance that was read here is still true when it is changed.
      const missing = [...balances].filter(([, balance]) => balance === undefined).map(([account]) => account);
      for (const page of pagesOf(missing, ROWS_PER_STATEMENT)) {
        await session('ledger_balances').insert(page.map((account) => ({ account, balance_millimes: 0 })));
      }
      return withZeros(balances);
    },
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
      const [row] = await rowsOf(
        session('ledger_transactions as t')
          .select('t.id', 't.reference', 't.code', 't.occurred_at', 't.recorded_at', 't.reverses_id', 't.recorded_by')
          .where('t.reference', reference),
      );
      if (row === undefined) return undefined;
      const postings = await rowsOf(
        session('postings as p')
          .select('p.debit_account', 'p.credit_account', 'p.amount_millimes')
          .where('p.transaction_id', row['id'] as string)
          .orderBy('p.position'),
      );
      return toTransaction(row, postings.map(toPosting));
    },
  };
}

async function changeBalance(session: Session, account: Account, change: Millimes): Promise<void> {
  if (change === 0 || (await addToBalance(session, account, change))) return;
  // Locked: a row that another transaction made meanwhile is one that bears the change, and must stay so.
  const [kept] = (await readBalances(session, [account], true)).values();
  if (kept === undefined) {
    // Two first postings to one account at once: one of them meets the other's row, and its transaction runs again.
    await session('ledger_balances').insert({ account, balance_millimes: change });
  } else if (!(await addToBalance(session, account, change))) {
    throw new AppError('conflict', `the balance of ${account} would be larger than can be counted`);
  }
}

/** False when the account has no row, or a balance that does not bear the change. */
async function addToBalance(session: Session, account: Account, change: Millimes): Promise<boolean> {
  const changed = await session('ledger_balances')
    .where('account', account)
    .whereBetween('balance_millimes', balancesThatBear(change))
    .update({ balance_millimes: session.fragment('balance_millimes + ?', [change]) });
  assert(changed <= 1, 'an account has one balance row');
  return changed === 1;
}

/** Between which two balances this change leaves one that is still a safe number, on both sides of 0. */
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
      .select('b.account', 'b.balance_millimes')
      .whereIn('b.account', page)
      .orderBy('b.account');
    for (const row of await rowsOf(lock ? query.forUpdate() : query)) {
      balances.set(toAccount(row['account']), toMillimes(row['balance_millimes']));
    }
  }
  return balances;
}

function withZeros(balances: ReadonlyMap<Account, Millimes | undefined>): Map<Account, Millimes> {
  return new Map([...balances].map(([account, balance]) => [account, balance ?? ZERO_MILLIMES]));
}

async function sumSide(session: Session, side: 'debit_account' | 'credit_account', account: Account): Promise<bigint> {
  const [row] = await rowsOf(
    session('postings as p')
      .select(session.fragment('cast(sum(p.amount_millimes) as char) as total'))
      .where(`p.${side}`, account),
  );
  return toTotal(row?.['total']);
}

function toTransactionRow(transaction: NewLedgerTransaction, openFrom: Instant): Record<string, unknown> {
  return {
    id: transaction.id,
    reference: transaction.reference,
    code: transaction.code,
    occurred_at: transaction.occurredAt,
    recorded_at: Math.max(transaction.recordedAt, openFrom),
    reverses_id: transaction.reversesId ?? null,
    recorded_by: transaction.recordedBy,
  };
}

function toLateRow({ id, recordedAt }: NewLedgerTransaction, openFrom: Instant): Record<string, unknown> {
  return { ledger_transaction_id: id, belongs_at: recordedAt, recorded_at: openFrom };
}

function toPostingRows(transaction: NewLedgerTransaction): Record<string, unknown>[] {
  return transaction.postings.map(({ debit, credit, amount }, index) => ({
    transaction_id: transaction.id,
    position: index + 1,
    debit_account: debit,
    credit_account: credit,
    amount_millimes: amount,
  }));
}

function toTransaction(row: Row, postings: Posting[]): LedgerTransaction {
  return {
    id: row['id'] as string,
    reference: row['reference'] as string,
    code: row['code'] as LedgerCode,
    occurredAt: Number(row['occurred_at']),
    recordedAt: Number(row['recorded_at']),
    recordedBy: row['recorded_by'] as string,
    postings,
    ...(row['reverses_id'] === null ? {} : { reversesId: row['reverses_id'] as string }),
  };
}

function toPosting(row: Row): Posting {
  return {
    debit: toAccount(row['debit_account']),
    credit: toAccount(row['credit_account']),
    amount: millimes(Number(row['amount_millimes'])),
  };
}
