import type { Database } from '../db';
import { openAuditTrail, requireScope } from '../identity';
import { AppError, type Clock, inputError } from '../kernel';
import type { Agent, AgentRecord } from './agent';
import { agentRecordFaults } from './agent-record';
import { openAgentDirectory } from './agent-store';
import { importAgents, type ImportAgentsResult, type ImportOptions } from './import-agents';
import { type AgentSearch, searchAgents } from './search-agents';

export { agentFault, erasedFault, requireOpenAgent } from './open-agent';
export { agentsQuestion, openAgentDirectory } from './agent-store';
export { searchAgents } from './search-agents';
export type { Agent, AgentRecord } from './agent';
export type { ImportAgentsResult, ImportOptions } from './import-agents';
export type { AgentSearch } from './search-agents';

/** The use cases of the agent directory. */
export interface Agents {
  importCsv(file: Uint8Array, options: ImportOptions): Promise<ImportAgentsResult>;
  /**
   * Adds an agent.
   *
   * @throws AppError `bad_input`, or `conflict` when the id is taken, also by an erased agent.
   */
  add(record: AgentRecord, options: ImportOptions): Promise<void>;
  /**
   * Closes an agent, who is then unknown to the gateway; the ledger entries stay. Closing a closed agent changes
   * nothing.
   *
   * @throws AppError `not_found`.
   */
  close(agentId: string, options: ImportOptions): Promise<'closed' | 'already_closed'>;
  /**
   * Returns an agent.
   *
   * @throws AppError `not_found`.
   */
  find(agentId: string): Promise<Agent>;
  /**
   * Finds at most `limit` agents by the id, the phone number or words of the name.
   *
   * @throws AppError `bad_input` for a text that is too short to search for, or has too many words.
   */
  search(text: string, limit: number): Promise<AgentSearch>;
}

export function createAgents(deps: { database: Database; clock: Clock }): Agents {
  const { database, clock } = deps;
  return {
    importCsv: (file, options) => importAgents(deps, file, options),
    async add(record, { actor, dryRun }) {
      requireScope(actor, 'agents:write');
      const faults = agentRecordFaults(record);
      if (faults.length > 0) throw inputError('agent', faults);
      await database.transact(
        async (session) => {
          const directory = openAgentDirectory(session);
          const known = (await directory.find([record.agentId])).get(record.agentId);
          if (known !== undefined) {
            throw new AppError(known.erasedAt === undefined ? 'agent_exists' : 'agent_erased', {
              agentId: record.agentId,
            });
          }
          const at = clock.now();
          await directory.add([record], at, actor.name);
          const subject = `agent:${record.agentId}`;
          await openAuditTrail(session).record({ at, actor, action: 'agent.added', subject, detail: {} });
        },
        { retryDuplicate: true, dryRun },
      );
    },
    async close(agentId, { actor, dryRun }) {
      requireScope(actor, 'agents:write');
      return database.transact(
        async (session) => {
          const directory = openAgentDirectory(session);
          const agent = (await directory.find([agentId], 'update')).get(agentId);
          if (agent === undefined) throw unknownAgent(agentId);
          if (agent.status === 'closed') return 'already_closed';
          const at = clock.now();
          await directory.close(agentId, at, actor.name);
          const subject = `agent:${agentId}`;
          await openAuditTrail(session).record({ at, actor, action: 'agent.closed', subject, detail: {} });
          return 'closed';
        },
        { dryRun },
      );
    },
    async find(agentId) {
      const agent = (await database.read((session) => openAgentDirectory(session).find([agentId]))).get(agentId);
      if (agent === undefined) throw unknownAgent(agentId);
      return agent;
    },
    search: (text, limit) => database.read((session) => searchAgents(session, text, limit), { snapshot: true }),
  };
}

function unknownAgent(agentId: string): AppError {
  return new AppError('not_found', { thing: 'agent', id: agentId });
}
