import { openAgentDirectory } from '../agents';
import type { Database } from '../db';
import { splitBalance } from '../dues';
import { isOutsideId, type Millimes, ZERO_MILLIMES } from '../kernel';
import { agentReceivable, openLedger } from '../ledger';

export type CheckOutcome =
  { readonly kind: 'valid'; readonly fullName: string; readonly due: Millimes } | { readonly kind: 'unknown' };

/**
 * Returns the name and the due amount of an agent (interface section 4.6). A closed agent and an unusable id are unknown;
 * an agent in credit owes 0.
 *
 * @throws AppError `unavailable` when the database cannot answer.
 */
export async function checkAgent(database: Database, agentId: string | undefined): Promise<CheckOutcome> {
  if (!isOutsideId(agentId)) return { kind: 'unknown' };
  return database.read(async (session) => {
    const agent = (await openAgentDirectory(session).find([agentId])).get(agentId);
    if (agent?.status !== 'open') return { kind: 'unknown' };
    const account = agentReceivable(agentId);
    const balance = (await openLedger(session).balances([account])).get(account) ?? ZERO_MILLIMES;
    return { kind: 'valid', fullName: agent.fullName, due: splitBalance(balance).due };
  });
}
