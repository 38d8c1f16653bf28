import { type Agent, agentMatcher, openAgentDirectory } from '../agents';
import type { Database, Session } from '../db';
import type { Millimes } from '../kernel';
import { agentReceivable, openLedger } from '../ledger';
import { splitBalance } from './split-balance';

/** Agents in the byte order of their ids, and how much each owes. */
export interface AgentQuery {
  /** An id, the beginning of a phone number or of words of the name; all agents without it. */
  readonly text?: string;
  /** `erased` selects erased agents, which are closed as well. */
  readonly status?: Agent['status'] | 'erased';
  /** Only agents who owe something. */
  readonly owing?: boolean;
  /** Only ids after this one, which is the last of the page before. */
  readonly after?: string;
  readonly limit: number;
}

interface AgentWithDue extends Agent {
  readonly due: Millimes;
  readonly credit: Millimes;
}

export interface AgentPage {
  readonly agents: readonly AgentWithDue[];
  /** True if more agents follow. */
  readonly hasMore: boolean;
}

const AGENTS_READ_AT_A_TIME = 2_000;

/** Reads one page of the agents that fit the query, from one snapshot. */
export function agentsWithDue(database: Database, query: AgentQuery): Promise<AgentPage> {
  const { text, status, owing = false, limit } = query;
  const matches = text === undefined ? () => true : agentMatcher(text);
  return database.read(
    async (session) => {
      const found: AgentWithDue[] = [];
      let after = query.after ?? '';
      for (;;) {
        const page = await openAgentDirectory(session).pageAfter(after, AGENTS_READ_AT_A_TIME);
        const fitting = page.filter((agent) => matches(agent) && hasStatus(agent, status));
        const withDue = await addDues(session, fitting);
        found.push(...withDue.filter(({ due }) => !owing || due > 0));
        const last = page.at(-1);
        if (last === undefined || page.length < AGENTS_READ_AT_A_TIME || found.length > limit) break;
        after = last.agentId;
      }
      return { agents: found.slice(0, limit), hasMore: found.length > limit };
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
