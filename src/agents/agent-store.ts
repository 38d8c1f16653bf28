import { rowsOf, type Row, type Session } from '../db';
import { pagesOf, type Instant } from '../kernel';
import type { Agent, AgentRecord } from './agent';

const ROWS_PER_STATEMENT = 500;
const COLUMNS = ['a.agent_id', 'a.full_name', 'a.phone', 'a.status', 'a.created_at', 'a.closed_at'] as const;

/** The directory of agents inside one transaction of the database. */
export interface AgentDirectory {
  /** Those of the given ids that exist, open or closed. */
  find(agentIds: readonly string[]): Promise<Map<string, Agent>>;
  add(records: readonly AgentRecord[], at: Instant, recordedBy: string): Promise<void>;
  update(record: AgentRecord, at: Instant, recordedBy: string): Promise<void>;
  close(agentId: string, at: Instant, recordedBy: string): Promise<void>;
}

export function openAgentDirectory(session: Session): AgentDirectory {
  return {
    async find(agentIds) {
      const found = new Map<string, Agent>();
      for (const page of pagesOf([...new Set(agentIds)], ROWS_PER_STATEMENT)) {
        for (const row of await rowsOf(
          session('agents as a')
            .select(...COLUMNS)
            .whereIn('a.agent_id', page),
        )) {
          const agent = toAgent(row);
          found.set(agent.agentId, agent);
        }
      }
      return found;
    },
    async add(records, at, recordedBy) {
      const rows = records.map((record) => ({
        agent_id: record.agentId,
        full_name: record.fullName,
        phone: record.phone,
        status: 'open',
        created_at: at,
        updated_at: at,
        closed_at: null,
        recorded_by: recordedBy,
      }));
      for (const page of pagesOf(rows, ROWS_PER_STATEMENT)) await session('agents').insert(page);
    },
    async update({ agentId, fullName, phone }, at, recordedBy) {
      await session('agents')
        .where('agent_id', agentId)
        .update({ full_name: fullName, phone, updated_at: at, recorded_by: recordedBy });
    },
    async close(agentId, at, recordedBy) {
      await session('agents')
        .where('agent_id', agentId)
        .update({ status: 'closed', closed_at: at, updated_at: at, recorded_by: recordedBy });
    },
  };
}

function toAgent(row: Row): Agent {
  return {
    agentId: row['agent_id'] as string,
    fullName: row['full_name'] as string,
    phone: row['phone'] as string,
    status: row['status'] === 'closed' ? 'closed' : 'open',
    createdAt: Number(row['created_at']),
    closedAt: row['closed_at'] === null ? undefined : Number(row['closed_at']),
  };
}
