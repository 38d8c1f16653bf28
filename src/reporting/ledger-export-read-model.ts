import { column, type Decoded, rowCodec, ROWS_PER_STATEMENT, rowsOf, type Session } from '../db';
import { addToGroup } from '../kernel';

const TRANSACTION = rowCodec({
  id: column.text('id'),
  reference: column.text('reference'),
  code: column.text('code'),
  occurredAt: column.number('occurred_at'),
  recordedAt: column.number('recorded_at'),
  recordedBy: column.text('recorded_by'),
  reversesId: column.optional(column.text('reverses_id')),
});
const TRANSACTION_ID = rowCodec({ transactionId: column.text('transaction_id') });
const POSTING = rowCodec({
  position: column.number('position'),
  debit: column.text('debit_account'),
  credit: column.text('credit_account'),
  amount: column.millimes('amount_millimes'),
});
const ACCOUNT = rowCodec({
  account: column.text('account'),
  /** The stored balance; undefined for an account without one. */
  kept: column.optional(column.millimes('balance_millimes')),
});
const TOTAL = rowCodec({ total: column.total('total') });

type ExportedPosting = Decoded<typeof POSTING>;

export interface ExportedTransaction extends Decoded<typeof TRANSACTION> {
  readonly postings: readonly ExportedPosting[];
}

export interface AccountBalance {
  readonly account: string;
  readonly balance: bigint;
}

/**
 * Yields every ledger transaction with its postings, in pages, by id. That is the order of creation, and the only order
 * that both tables have an index for, so each page costs the same whatever the size of the ledger.
 */
export async function* transactionPages(session: Session): AsyncGenerator<readonly ExportedTransaction[]> {
  for (let after = ''; ;) {
    const transactions = await TRANSACTION.all(
      session('ledger_transactions as t')
        .select(TRANSACTION.columns('t'))
        .where('t.id', '>', after)
        .orderBy('t.id')
        .limit(ROWS_PER_STATEMENT),
    );
    const through = transactions.at(-1)?.id;
    if (through === undefined) return;
    const postings = await postingsBetween(session, after, through);
    yield transactions.map((each) => ({ ...each, postings: postings.get(each.id) ?? [] }));
    after = through;
  }
}

async function postingsBetween(
  session: Session,
  after: string,
  through: string,
): Promise<Map<string, ExportedPosting[]>> {
  const rows = await rowsOf(
    session('postings as p')
      .select(...TRANSACTION_ID.columns('p'), ...POSTING.columns('p'))
      .where('p.transaction_id', '>', after)
      .where('p.transaction_id', '<=', through)
      .orderBy(['p.transaction_id', 'p.position']),
  );
  const byTransaction = new Map<string, ExportedPosting[]>();
  for (const row of rows) {
    addToGroup(byTransaction, TRANSACTION_ID.read(row).transactionId, POSTING.read(row));
  }
  return byTransaction;
}

/** Yields every account that a posting or a stored balance names, in byte order. */
export async function* accountPages(session: Session): AsyncGenerator<readonly Decoded<typeof ACCOUNT>[]> {
  for (let after = ''; ;) {
    // The first page of the merged list lies within the first pages of the three lists.
    const query = session.raw(
      `select n.account, b.balance_millimes
       from (select * from (select distinct p.debit_account as account from postings p where p.debit_account > ?
                            order by p.debit_account limit ?) d
             union
             select * from (select distinct p.credit_account as account from postings p where p.credit_account > ?
                            order by p.credit_account limit ?) c
             union
             select * from (select k.account from ledger_balances k where k.account > ?
                            order by k.account limit ?) k) n
       left join ledger_balances b on b.account = n.account
       order by n.account limit ?`,
      [after, ROWS_PER_STATEMENT, after, ROWS_PER_STATEMENT, after, ROWS_PER_STATEMENT, ROWS_PER_STATEMENT],
    );
    const accounts = await ACCOUNT.all(query);
    const last = accounts.at(-1);
    if (last === undefined) return;
    yield accounts;
    after = last.account;
  }
}

/** Yields the balance of every account: the stored one, or else the sum of its postings. */
export async function* balancePages(session: Session): AsyncGenerator<readonly AccountBalance[]> {
  for await (const page of accountPages(session)) {
    const balances: AccountBalance[] = [];
    for (const { account, kept } of page) {
      const balance = kept === undefined ? await sumOfPostings(session, account) : BigInt(kept);
      balances.push({ account, balance });
    }
    yield balances;
  }
}

async function sumOfPostings(session: Session, account: string): Promise<bigint> {
  const [debits, credits] = [await side('debit_account'), await side('credit_account')];
  return debits - credits;

  async function side(column: 'debit_account' | 'credit_account'): Promise<bigint> {
    const sum = await TOTAL.first(
      session('postings as p')
        .select(session.fragment('cast(sum(p.amount_millimes) as char) as total'))
        .where(`p.${column}`, account),
    );
    return sum?.total ?? 0n;
  }
}
