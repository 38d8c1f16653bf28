import { rowsOf, type Session } from '../db';
import { millimes, toMillimes, type Instant, type Millimes } from '../kernel';

/** One movement on an agent's account: positive when he owes more by it. */
export interface AgentMovement {
  readonly occurredAt: Instant;
  readonly code: string;
  readonly reference: string;
  readonly amount: Millimes;
  readonly balance: Millimes;
}

/** All movements of an agent in the order in which we recorded them, with the balance after each. */
export async function agentMovements(session: Session, agentId: string): Promise<AgentMovement[]> {
  const account = `agent_receivable:${agentId}`;
  const rows = await rowsOf(
    session('postings as p')
      .join('ledger_transactions as t', 't.id', 'p.transaction_id')
      .select('t.occurred_at', 't.code', 't.reference', 'p.debit_account', 'p.amount_millimes')
      .where((either) => void either.where('p.debit_account', account).orWhere('p.credit_account', account))
      .orderBy(['t.recorded_at', 't.id', 'p.position']),
  );
  let balance = 0;
  return rows.map((row) => {
    const amount = toMillimes(row['amount_millimes']);
    const signed = row['debit_account'] === account ? amount : -amount;
    balance += signed;
    return {
      occurredAt: Number(row['occurred_at']),
      code: row['code'] as string,
      reference: row['reference'] as string,
      amount: millimes(signed),
      balance: millimes(balance),
    };
  });
}
