import { column, rowCodec, ROWS_PER_STATEMENT, type Session } from '../db';
import { type Instant, pagesOf } from '../kernel';
import type { Agent, AgentRecord } from './agent';

const AGENT = rowCodec({
  agentId: column.text('agent_id'),
  fullName: column.text('full_name'),
  phone: column.text('phone'),
  status: column.word('status', ['open', 'closed']),
  createdAt: column.number('created_at'),
  closedAt: column.optional(column.number('closed_at')),
});

/** The directory of agents inside one transaction of the database. */
export interface AgentDirectory {
  /** Returns the existing agents among the given ids, open or closed. */
  find(agentIds: readonly string[]): Promise<Map<string, Agent>>;
  /** Returns at most `limit` agents, open or closed, after the given id, in the byte order of the ids. */
  pageAfter(agentId: string, limit: number): Promise<Agent[]>;
  add(records: readonly AgentRecord[], at: Instant, recordedBy: string): Promise<void>;
  update(record: AgentRecord, at: Instant, recordedBy: string): Promise<void>;
  close(agentId: string, at: Instant, recordedBy: string): Promise<void>;
}

export function openAgentDirectory(session: Session): AgentDirectory {
  return {
    async find(agentIds) {
      const found = new Map<string, Agent>();
      for (const page of pagesOf([...new Set(agentIds)], ROWS_PER_STATEMENT)) {
        const query = session('agents as a').select(AGENT.columns('a')).whereIn('a.agent_id', page);
        for (const agent of await AGENT.all(query)) found.set(agent.agentId, agent);
      }
      return found;
    },
    pageAfter: (agentId, limit) =>
      AGENT.all(
        session('agents as a')
          .select(AGENT.columns('a'))
          .where('a.agent_id', '>', agentId)
          .orderBy('a.agent_id')
          .limit(limit),
      ),
    async add(records, at, recordedBy) {
      const rows = records.map((record) => ({
        ...AGENT.write({ ...record, status: 'open', createdAt: at, closedAt: undefined }),
        updated_at: at,
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
