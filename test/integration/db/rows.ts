import type { Session } from '../../../src/db';

/** An agent's row with nothing special about it. */
export function agentRow(agentId: string): Record<string, unknown> {
  return {
    agent_id: agentId,
    full_name: 'Amel Trabelsi',
    phone: '+21620000000',
    status: 'open',
    created_at: 1,
    updated_at: 1,
    recorded_by: 'test',
  };
}

export function dueRow(reference: string, amount: unknown = 1): Record<string, unknown> {
  return {
    reference,
    agent_id: 'A1',
    amount_millimes: amount,
    due_date: '2026-03-02',
    memo: '',
    recorded_at: 1,
    recorded_by: 'test',
  };
}

export async function agentIds(session: Session): Promise<string[]> {
  const rows = await session('agents').select('agent_id');
  return rows.map((row) => String(row['agent_id'])).sort();
}
