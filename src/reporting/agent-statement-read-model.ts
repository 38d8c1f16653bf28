import { column, rowCodec, type Session } from '../db';
import { type Instant, type Millimes, millimes } from '../kernel';

const TRANSACTION = rowCodec({
  occurredAt: column.number('occurred_at'),
  code: column.text('code'),
  reference: column.text('reference'),
});
const POSTING = rowCodec({ debit: column.text('debit_account'), amount: column.millimes('amount_millimes') });
const MOVEMENT = rowCodec({ ...TRANSACTION.fields, ...POSTING.fields });

/** One movement on an agent's account: positive if the agent then owes more. */
export interface AgentMovement {
  readonly occurredAt: Instant;
  readonly code: string;
  readonly reference: string;
  readonly amount: Millimes;
  readonly balance: Millimes;
}

/** Returns all movements of an agent in the order of recording, with the balance after each. */
export async function agentMovements(session: Session, agentId: string): Promise<AgentMovement[]> {
  const account = `agent_receivable:${agentId}`;
  const movements = await MOVEMENT.all(
    session('postings as p')
      .join('ledger_transactions as t', 't.id', 'p.transaction_id')
      .select(...TRANSACTION.columns('t'), ...POSTING.columns('p'))
      .where((either) => void either.where('p.debit_account', account).orWhere('p.credit_account', account))
      .orderBy(['t.recorded_at', 't.id', 'p.position']),
  );
  let balance = 0;
  return movements.map(({ debit, amount, ...transaction }) => {
    const signed = debit === account ? amount : -amount;
    balance += signed;
    return { ...transaction, amount: millimes(signed), balance: millimes(balance) };
  });
}
