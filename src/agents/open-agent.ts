import type { Session } from '../db';
import { AppError } from '../kernel';
import type { Agent } from './agent';
import { openAgentDirectory } from './agent-store';

/** Returns why an agent cannot get new dues or payments; undefined if they can. */
export function agentFault(
  agent: Agent | undefined,
): { readonly fault: string; readonly command?: string } | undefined {
  if (agent === undefined) return { fault: 'names an unknown agent', command: 'add it with "millime agents import"' };
  const fault = erasedFault(agent) ?? (agent.status === 'closed' ? 'names a closed agent' : undefined);
  return fault === undefined ? undefined : { fault };
}

/** Returns a fault only for an erased agent: one closed since a file was checked does not stop its import. */
export function erasedFault(agent: Agent | undefined): string | undefined {
  return agent?.erasedAt === undefined ? undefined : 'names an erased agent';
}

/**
 * Checks the agent, if an id is given. The agent cannot be erased before the transaction ends.
 *
 * @throws AppError `bad_input` unless the agent is known and open.
 */
export async function requireOpenAgent(session: Session, agentId: string | undefined): Promise<void> {
  if (agentId === undefined) return;
  const fault = agentFault((await openAgentDirectory(session).find([agentId], 'share')).get(agentId));
  if (fault !== undefined) throw new AppError('bad_input', { ...fault, field: 'agentId' });
}
