import { byIndex, column, type Decoded, rowCodec, type Session } from '../db';
import { compareBytes, type Instant, type Millimes, millimes, type Page, ZERO_MILLIMES } from '../kernel';

const TRANSACTION = rowCodec({
  occurredAt: column.number('occurred_at'),
  code: column.text('code'),
  reference: column.text('reference'),
});
const POSTING = rowCodec({
  transactionId: column.text('transaction_id'),
  position: column.number('position'),
  amount: column.millimes('amount_millimes'),
});
const POSTED = rowCodec({ ...TRANSACTION.fields, ...POSTING.fields });
const BALANCE = rowCodec({ balance: column.millimes('balance_millimes') });

/** One movement on an agent's account: positive if the agent then owes more. */
export interface AgentMovement {
  readonly occurredAt: Instant;
  readonly code: string;
  readonly reference: string;
  readonly amount: Millimes;
  /** The balance of the account after the movement. */
  readonly balance: Millimes;
}

/** The place of a movement in the list, and the balance before it, which is that after the next older one. */
export interface MovementKey {
  readonly transactionId: string;
  readonly position: number;
  readonly balanceBefore: Millimes;
}

export interface MovementsQuery {
  readonly after?: MovementKey | undefined;
  readonly limit: number;
}

/**
 * Returns a page of an agent's movements, the last recorded one first. The balances go back from the stored one, so
 * that no older movement is read.
 */
export async function agentMovements(
  session: Session,
  agentId: string,
  { after, limit }: MovementsQuery,
): Promise<Page<AgentMovement, MovementKey>> {
  const account = `agent_receivable:${agentId}`;
  const found = [
    ...(await postedOn(session, 'debit', account, after, limit + 1)),
    ...(await postedOn(session, 'credit', account, after, limit + 1)),
  ].sort(lastFirst);
  let balance: number = after?.balanceBefore ?? (await balanceOf(session, account));
  let next: MovementKey | undefined;
  const rows = found.slice(0, limit).map(({ transactionId, position, ...movement }) => {
    const row = { ...movement, balance: millimes(balance) };
    balance -= movement.amount;
    next = { transactionId, position, balanceBefore: millimes(balance) };
    return row;
  });
  return { rows, next: found.length > limit ? next : undefined };
}

async function postedOn(
  session: Session,
  side: 'debit' | 'credit',
  account: string,
  after: MovementKey | undefined,
  limit: number,
): Promise<Decoded<typeof POSTED>[]> {
  const query = byIndex(session, 'postings', 'p', `postings_${side}`)
    // A left join keeps the order of reading.
    .leftJoin('ledger_transactions as t', 't.id', 'p.transaction_id')
    .select(...TRANSACTION.columns('t'), ...POSTING.columns('p'))
    .where(`p.${side}_account`, account)
    .orderBy([
      { column: 'p.transaction_id', order: 'desc' },
      { column: 'p.position', order: 'desc' },
    ])
    .limit(limit);
  if (after !== undefined) {
    const { transactionId, position } = after;
    void query.where('p.transaction_id', '<=', transactionId).where((rest) => {
      void rest.where('p.transaction_id', '<', transactionId).orWhere('p.position', '<', position);
    });
  }
  const sign = side === 'debit' ? 1 : -1;
  return (await POSTED.all(query)).map((posted) => ({ ...posted, amount: millimes(sign * posted.amount) }));
}

async function balanceOf(session: Session, account: string): Promise<Millimes> {
  const stored = await BALANCE.first(
    session('ledger_balances as b').select(BALANCE.columns('b')).where('b.account', account),
  );
  return stored?.balance ?? ZERO_MILLIMES;
}

function lastFirst(a: Decoded<typeof POSTED>, b: Decoded<typeof POSTED>): number {
  return compareBytes(b.transactionId, a.transactionId) || b.position - a.position;
}
