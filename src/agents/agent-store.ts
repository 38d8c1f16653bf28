import { column, type Question, rowCodec, type RowLock, ROWS_PER_STATEMENT, type Session } from '../db';
import { type Instant, pagesOf } from '../kernel';
import { type Agent, type AgentRecord, ERASED_NAME } from './agent';
import { LAST_CHARACTER, removeSearchWords, searchWordRows } from './search-word-store';

const AGENT = rowCodec({
  agentId: column.text('agent_id'),
  fullName: column.text('full_name'),
  phone: column.text('phone'),
  status: column.word('status', ['open', 'closed']),
  createdAt: column.number('created_at'),
  closedAt: column.optional(column.number('closed_at')),
  erasedAt: column.optional(column.number('erased_at')),
});

const AGENT_ID = rowCodec({ agentId: column.text('agent_id') });

const AGENTS = `select ${AGENT.columns('a').join(', ')} from agents as a where a.agent_id in (?)`;

/** Asks for the existing agents among at most `ROWS_PER_STATEMENT` ids, open or closed. */
export function agentsQuestion(agentIds: readonly string[], lock?: RowLock): Question<Map<string, Agent>> {
  return {
    sql: AGENTS,
    values: [agentIds],
    lock,
    read: (rows) => new Map(rows.map(AGENT.read).map((agent) => [agent.agentId, agent])),
  };
}

/** The directory of agents inside one transaction of the database. */
export interface AgentDirectory {
  /** Returns the existing agents among the given ids, open or closed, and locks their rows if a lock is given. */
  find(agentIds: readonly string[], lock?: RowLock): Promise<Map<string, Agent>>;
  /** Returns the ids of all erased agents. */
  erasedIds(): Promise<Set<string>>;
  /** Returns at most `limit` agents, open or closed, after the given id, in the byte order of the ids. */
  pageAfter(agentId: string, limit: number): Promise<Agent[]>;
  /** Returns the ids that begin with a text, in byte order. */
  idsBeginning(text: string, limit: number): Promise<string[]>;
  add(records: readonly AgentRecord[], at: Instant, recordedBy: string): Promise<void>;
  /** Returns the first record whose agent was erased meanwhile. Then the transaction must not be committed. */
  update(records: readonly AgentRecord[], at: Instant, recordedBy: string): Promise<AgentRecord | undefined>;
  close(agentId: string, at: Instant, recordedBy: string): Promise<void>;
  /** Replaces the name and removes the phone, and closes the agent if it is open. */
  erase(agent: Agent, at: Instant, recordedBy: string): Promise<void>;
}

export function openAgentDirectory(session: Session): AgentDirectory {
  return {
    async find(agentIds, lock) {
      const found = new Map<string, Agent>();
      for (const page of pagesOf([...new Set(agentIds)], ROWS_PER_STATEMENT)) {
        const [agents] = await session.ask([agentsQuestion(page, lock)]);
        for (const [agentId, agent] of agents) found.set(agentId, agent);
      }
      return found;
    },
    async erasedIds() {
      const erased = session('agents as a').select(AGENT_ID.columns('a')).whereNotNull('a.erased_at');
      return new Set((await AGENT_ID.all(erased)).map(({ agentId }) => agentId));
    },
    pageAfter: (agentId, limit) =>
      AGENT.all(
        session('agents as a')
          .select(AGENT.columns('a'))
          .where('a.agent_id', '>', agentId)
          .orderBy('a.agent_id')
          .limit(limit),
      ),
    async idsBeginning(text, limit) {
      const ids = session('agents as a').select(AGENT_ID.columns('a')).where('a.agent_id', '>=', text);
      const found = ids
        .where('a.agent_id', '<', text + LAST_CHARACTER)
        .orderBy('a.agent_id')
        .limit(limit);
      return (await AGENT_ID.all(found)).map(({ agentId }) => agentId);
    },
    async add(records, at, recordedBy) {
      const rows = records.map((record) => ({
        ...AGENT.write({ ...record, status: 'open', createdAt: at, closedAt: undefined, erasedAt: undefined }),
        updated_at: at,
        recorded_by: recordedBy,
      }));
      await session.insert([{ table: 'agents', rows }, searchWordRows(records)]);
    },
    update: (records, at, recordedBy) => updateAgents(session, records, at, recordedBy),
    async close(agentId, at, recordedBy) {
      await session('agents')
        .where('agent_id', agentId)
        .update({ status: 'closed', closed_at: at, updated_at: at, recorded_by: recordedBy });
    },
    async erase({ agentId, closedAt }, at, recordedBy) {
      const erased = { full_name: ERASED_NAME, phone: '', erased_at: at };
      await session('agents')
        .where('agent_id', agentId)
        .update({ ...erased, status: 'closed', closed_at: closedAt ?? at, updated_at: at, recorded_by: recordedBy });
      await removeSearchWords(session, [agentId]);
    },
  };
}

async function updateAgents(
  session: Session,
  records: readonly AgentRecord[],
  at: Instant,
  recordedBy: string,
): Promise<AgentRecord | undefined> {
  if (records.length === 0) return undefined;
  for (const record of records) {
    const { agentId, fullName, phone } = record;
    const changed = await session('agents')
      .where('agent_id', agentId)
      .whereNull('erased_at')
      .update({ full_name: fullName, phone, updated_at: at, recorded_by: recordedBy });
    if (changed !== 1) return record;
  }
  // The rows of the agents are locked, so no other transaction writes their words meanwhile.
  await removeSearchWords(
    session,
    records.map(({ agentId }) => agentId),
  );
  await session.insert([searchWordRows(records)]);
  return undefined;
}
