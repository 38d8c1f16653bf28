import { agentsQuestion } from '../agents';
import type { Database } from '../db';
import { splitBalance } from '../dues';
import { type Millimes, ZERO_MILLIMES } from '../kernel';
import { agentReceivable, balancesQuestion } from '../ledger';

export type CheckOutcome =
  { readonly kind: 'valid'; readonly fullName: string; readonly due: Millimes } | { readonly kind: 'unknown' };

export const UNKNOWN_AGENT: CheckOutcome = { kind: 'unknown' };

/**
 * Returns the name and the due amount of each agent (interface section 4.6). A closed agent is unknown; an agent in
 * credit owes 0.
 *
 * @throws AppError `unavailable` when the database cannot answer.
 */
export async function checkAgents(
  database: Database,
  agentIds: readonly string[],
  deadlineMs: number,
): Promise<CheckOutcome[]> {
  const asked = [...new Set(agentIds)];
  const [agents, balances] = await database.read(
    (session) => session.ask([agentsQuestion(asked), balancesQuestion(asked.map(agentReceivable))]),
    { deadlineMs },
  );
  return agentIds.map((agentId) => {
    const agent = agents.get(agentId);
    if (agent?.status !== 'open') return UNKNOWN_AGENT;
    const balance = balances.get(agentReceivable(agentId)) ?? ZERO_MILLIMES;
    return { kind: 'valid', fullName: agent.fullName, due: splitBalance(balance).due };
  });
}
