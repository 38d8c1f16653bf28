import { rowsOf, type Row, type Session } from '../db';
import { toMillimes, toTotal, type Instant, type Millimes } from '../kernel';

const TRANSACTIONS_PER_PAGE = 500;
const ACCOUNTS_PER_PAGE = 500;

export interface ExportedPosting {
  readonly position: number;
  readonly debit: string;
  readonly credit: string;
  readonly amount: Millimes;
}

export interface ExportedTransaction {
  readonly id: string;
  readonly reference: string;
  readonly code: string;
  readonly occurredAt: Instant;
  readonly recordedAt: Instant;
  readonly recordedBy: string;
  readonly reversesId: string | undefined;
  readonly postings: readonly ExportedPosting[];
}

export interface AccountBalance {
  readonly account: string;
  readonly balance: bigint;
}

/**
 * Every ledger transaction with its postings, a page at a time, in the order of their ids: that is when they were made,
 * and the only order that both tables have an index for. So each page costs the same, whatever the size of the books.
 */
export async function* transactionPages(session: Session): AsyncGenerator<readonly ExportedTransaction[]> {
  for (let after = ''; ;) {
    const rows = await rowsOf(
      session('ledger_transactions as t')
        .select('t.id', 't.reference', 't.code', 't.occurred_at', 't.recorded_at', 't.recorded_by', 't.reverses_id')
        .where('t.id', '>', after)
        .orderBy('t.id')
        .limit(TRANSACTIONS_PER_PAGE),
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    const through = last['id'] as string;
    const postings = await postingsBetween(session, after, through);
    yield rows.map((row) => toTransaction(row, postings.get(row['id'] as string) ?? []));
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
      .select('p.transaction_id', 'p.position', 'p.debit_account', 'p.credit_account', 'p.amount_millimes')
      .where('p.transaction_id', '>', after)
      .where('p.transaction_id', '<=', through)
      .orderBy(['p.transaction_id', 'p.position']),
  );
  const byTransaction = new Map<string, ExportedPosting[]>();
  for (const row of rows) {
    const id = row['transaction_id'] as string;
    const postings = byTransaction.get(id);
    if (postings === undefined) byTransaction.set(id, [toPosting(row)]);
    else postings.push(toPosting(row));
  }
  return byTransaction;
}

interface AccountRow {
  readonly account: string;
  /** The balance that is kept in a row; undefined for an account that has none. */
  readonly kept: Millimes | undefined;
}

/** Every account that a posting or a kept balance names, in byte order. */
export async function* accountPages(session: Session): AsyncGenerator<readonly AccountRow[]> {
  for (let after = ''; ;) {
    // The first page of three sorted lists lies within the first pages of each of them.
    const rows = await session.raw(
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
      [after, ACCOUNTS_PER_PAGE, after, ACCOUNTS_PER_PAGE, after, ACCOUNTS_PER_PAGE, ACCOUNTS_PER_PAGE],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => ({
      account: row['account'] as string,
      kept: row['balance_millimes'] === null ? undefined : toMillimes(row['balance_millimes']),
    }));
    after = last['account'] as string;
  }
}

/** The balance of every account: the kept one where there is one, else the sum of its postings. */
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
    const [row] = await rowsOf(
      session('postings as p')
        .select(session.fragment('cast(sum(p.amount_millimes) as char) as total'))
        .where(`p.${column}`, account),
    );
    return toTotal(row?.['total']);
  }
}

function toTransaction(row: Row, postings: readonly ExportedPosting[]): ExportedTransaction {
  return {
    id: row['id'] as string,
    reference: row['reference'] as string,
    code: row['code'] as string,
    occurredAt: Number(row['occurred_at']),
    recordedAt: Number(row['recorded_at']),
    recordedBy: row['recorded_by'] as string,
    reversesId: row['reverses_id'] === null ? undefined : (row['reverses_id'] as string),
    postings,
  };
}

function toPosting(row: Row): ExportedPosting {
  return {
    position: Number(row['position']),
    debit: row['debit_account'] as string,
    credit: row['credit_account'] as string,
    amount: toMillimes(row['amount_millimes']),
  };
}
