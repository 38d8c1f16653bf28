import { rowsOf, type Row, type Session } from '../../db';
import { millimes, pagesOf, toMillimes, type Instant, type Millimes } from '../../kernel';
import { WRITE_OFF, type Account } from '../../ledger';
import type { WrittenOffPart } from './write-off-places';

const ROWS_PER_STATEMENT = 400;

/** Debits less credits that ledger transactions brought to each account they touch. */
export async function broughtBy(session: Session, references: readonly string[]): Promise<Map<Account, Millimes>> {
  const brought = new Map<Account, Millimes>();
  const add = (account: Account, amount: number): void => {
    brought.set(account, millimes((brought.get(account) ?? 0) + amount));
  };
  for (const page of pagesOf([...new Set(references)], ROWS_PER_STATEMENT)) {
    const rows = await rowsOf(
      session('ledger_transactions as t')
        .join('postings as p', 'p.transaction_id', 't.id')
        .select('p.debit_account', 'p.credit_account', 'p.amount_millimes')
        .whereIn('t.reference', page),
    );
    for (const row of rows) {
      const amount = toMillimes(row['amount_millimes']);
      add(row['debit_account'] as Account, amount);
      add(row['credit_account'] as Account, -amount);
    }
  }
  return brought;
}

/**
 * What is written off of breaks and was not taken back, by the id of the break; as of an instant of the past, when one is
 * given. Without ids of all of them in one question, for people write off a few a day.
 */
export async function writtenOffByBreak(
  session: Session,
  breakIds?: readonly string[],
  asOf?: Instant,
): Promise<Map<string, WrittenOffPart[]>> {
  const found = new Map<string, WrittenOffPart[]>();
  for (const page of breakIds === undefined ? [undefined] : pagesOf(breakIds, ROWS_PER_STATEMENT)) {
    for (const row of await standingWriteOffs(session, page, asOf)) {
      const amount = toMillimes(row['amount_millimes']);
      const isLoss = row['debit_account'] === WRITE_OFF;
      const account = (isLoss ? row['credit_account'] : row['debit_account']) as Account;
      const id = String(row['break_id']);
      found.set(id, [...(found.get(id) ?? []), { account, loss: isLoss ? amount : millimes(-amount) }]);
    }
  }
  return found;
}

function standingWriteOffs(
  session: Session,
  breakIds: readonly string[] | undefined,
  asOf: Instant | undefined,
): Promise<Row[]> {
  const query = session('break_proposals as p')
    .join('break_decisions as d', 'd.proposal_id', 'p.id')
    .join('ledger_transactions as t', 't.reference', 'd.posted_as')
    .join('postings as q', 'q.transaction_id', 't.id')
    .leftJoin('ledger_transactions as r', 'r.reverses_id', 't.id')
    .select('p.break_id', 'q.debit_account', 'q.credit_account', 'q.amount_millimes')
    .where({ 'p.kind': 'write_off', 't.code': 'write_off' });
  const ofBreaks = breakIds === undefined ? query : query.whereIn('p.break_id', breakIds);
  if (asOf === undefined) return rowsOf(ofBreaks.whereNull('r.id'));
  const stoodThen = ofBreaks.where('t.recorded_at', '<=', asOf);
  return rowsOf(stoodThen.whereRaw('(r.id is null or r.recorded_at > ?)', [asOf]));
}
