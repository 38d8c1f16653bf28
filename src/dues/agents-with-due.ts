import { type Agent, type AgentSearch, openAgentDirectory, searchAgents } from '../agents';
import type { Database, Session } from '../db';
import { filteredPage, type Millimes, type Page } from '../kernel';
import { agentReceivable, openLedger } from '../ledger';
import { splitBalance } from './split-balance';

/** A list of agents in the byte order of their ids. */
export interface AgentQuery {
  /** `erased` selects erased agents, which are closed as well. */
  readonly status?: Agent['status'] | 'erased';
  /** Only agents who owe something. */
  readonly owing?: boolean;
  /** Only ids after this one. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** An agent and how much the agent owes. */
export interface AgentWithDue extends Agent {
  readonly due: Millimes;
  readonly credit: Millimes;
}

/** The agents that fit a search text, with their dues. */
export interface FoundAgents extends AgentSearch {
  readonly agents: readonly AgentWithDue[];
}

/** A page reads each of these agents and the agent's balance: 2,000 rows. */
const AGENTS_EXAMINED_MAX = 1_000;

/** Reads one page of the agents of a query, from one snapshot. */
export function agentsWithDue(database: Database, query: AgentQuery): Promise<Page<AgentWithDue, string>> {
  const { status, owing = false, after, limit } = query;
  return database.read(
    (session) =>
      filteredPage<Agent, AgentWithDue, string>({
        limit,
        after,
        examinedMax: AGENTS_EXAMINED_MAX,
        read: (last = '', count) => openAgentDirectory(session).pageAfter(last, count),
        async keep(agents) {
          const withDue = await addDues(
            session,
            agents.filter((agent) => hasStatus(agent, status)),
          );
          return withDue.filter(({ due }) => !owing || due > 0);
        },
        keyOf: ({ agentId }) => agentId,
      }),
    { snapshot: true },
  );
}

/** Finds agents by a text (`searchAgents`), with their dues, from one snapshot. */
export function searchWithDue(database: Database, text: string, limit: number): Promise<FoundAgents> {
  return database.read(
    async (session) => {
      const found = await searchAgents(session, text, limit);
      return { ...found, agents: await addDues(session, found.agents) };
    },
    { snapshot: true },
  );
}

function hasStatus({ status, erasedAt }: Agent, wanted: AgentQuery['status']): boolean {
  return wanted === undefined || (wanted === 'erased' ? erasedAt !== undefined : status === wanted);
}

async function addDues(session: Session, agents: readonly Agent[]): Promise<AgentWithDue[]> {
  const balances = await openLedger(session).balances(agents.map(({ agentId }) => agentReceivable(agentId)));
  return agents.map((agent) => ({ ...agent, ...splitBalance(balances.get(agentReceivable(agent.agentId))) }));
}
