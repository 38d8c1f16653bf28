import { type Column, column, type Decoded, rowCodec, ROWS_PER_STATEMENT, type Session } from '../../db';
import { addToGroup, type Instant, type Millimes, millimes, pagesOf } from '../../kernel';
import { type Account, toAccount, WRITE_OFF } from '../../ledger';
import type { WrittenOffPart } from './write-off-places';

const accountColumn = (name: string): Column<Account> => ({ name, read: toAccount, write: (account) => account });

const POSTING = rowCodec({
  debit: accountColumn('debit_account'),
  credit: accountColumn('credit_account'),
  amount: column.millimes('amount_millimes'),
});
const REFERENCE = rowCodec({ reference: column.text('reference') });
const WRITE_OFF_POSTING = rowCodec({ ...POSTING.fields, breakId: column.text('break_id') });

/** Returns the references of the ledger transactions that were recorded at an instant. */
export async function referencesAt(session: Session, recordedAt: Instant): Promise<Set<string>> {
  const found = await REFERENCE.all(
    session('ledger_transactions as t').select('t.reference').where('t.recorded_at', recordedAt),
  );
  return new Set(found.map(({ reference }) => reference));
}

/** Returns the debits less credits that ledger transactions brought to each account. */
export async function broughtBy(session: Session, references: readonly string[]): Promise<Map<Account, Millimes>> {
  const brought = new Map<Account, Millimes>();
  const add = (account: Account, amount: number): void => {
    brought.set(account, millimes((brought.get(account) ?? 0) + amount));
  };
  for (const page of pagesOf([...new Set(references)], ROWS_PER_STATEMENT)) {
    const postings = await POSTING.all(
      session('ledger_transactions as t')
        .join('postings as p', 'p.transaction_id', 't.id')
        .select(POSTING.columns('p'))
        .whereIn('t.reference', page),
    );
    for (const { debit, credit, amount } of postings) {
      add(debit, amount);
      add(credit, -amount);
    }
  }
  return brought;
}

/**
 * Returns the write-offs that are not reversed, by break id; as of `asOf` if it is given. Without ids it reads all
 * breaks in one query, because people write off only a few a day.
 */
export async function writtenOffByBreak(
  session: Session,
  breakIds?: readonly string[],
  asOf?: Instant,
): Promise<Map<string, WrittenOffPart[]>> {
  const found = new Map<string, WrittenOffPart[]>();
  for (const page of breakIds === undefined ? [undefined] : pagesOf(breakIds, ROWS_PER_STATEMENT)) {
    for (const { breakId, debit, credit, amount } of await standingWriteOffs(session, page, asOf)) {
      const part =
        debit === WRITE_OFF ? { account: credit, loss: amount } : { account: debit, loss: millimes(-amount) };
      addToGroup(found, breakId, part);
    }
  }
  return found;
}

function standingWriteOffs(
  session: Session,
  breakIds: readonly string[] | undefined,
  asOf: Instant | undefined,
): Promise<Decoded<typeof WRITE_OFF_POSTING>[]> {
  // SQLite keeps the order of cross joins; it would read all transactions first.
  const query = session('break_proposals as p')
    .crossJoin('break_decisions as d', 'd.proposal_id', 'p.id')
    .crossJoin('ledger_transactions as t', 't.reference', 'd.posted_as')
    .join('postings as q', 'q.transaction_id', 't.id')
    .leftJoin('ledger_transactions as r', 'r.reverses_id', 't.id')
    .select('p.break_id', ...POSTING.columns('q'))
    .where({ 'p.kind': 'write_off', 't.code': 'write_off' });
  const ofBreaks = breakIds === undefined ? query : query.whereIn('p.break_id', breakIds);
  if (asOf === undefined) return WRITE_OFF_POSTING.all(ofBreaks.whereNull('r.id'));
  const stoodThen = ofBreaks.where('t.recorded_at', '<=', asOf);
  return WRITE_OFF_POSTING.all(stoodThen.whereRaw('(r.id is null or r.recorded_at > ?)', [asOf]));
}
