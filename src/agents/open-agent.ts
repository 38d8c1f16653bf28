import type { Session } from '../db';
import { AppError } from '../kernel';
import { openAgentDirectory } from './agent-store';
import type { Agent } from './agent';

/** Why nothing new may be asked of an agent, after the name of the field that names him; undefined when it may. */
export function agentFault(agent: Agent | undefined): string | undefined {
  if (agent === undefined) return 'is not known';
  return agent.status === 'closed' ? 'is of a closed agent' : undefined;
}

/** @throws AppError `bad_input` unless the agent is known and open; nothing is asked when none is named. */
export async function requireOpenAgent(session: Session, agentId: string | undefined): Promise<void> {
  if (agentId === undefined) return;
  const fault = agentFault((await openAgentDirectory(session).find([agentId])).get(agentId));
  if (fault !== undefined)
    throw new AppError('bad_input', 'the agent cannot be asked', { details: [`agentId ${fault}`] });
}
