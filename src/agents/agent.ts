import type { Instant } from '../kernel';

/** A field agent who owes the integrator money and pays it through the gateway (interface section 2.9). */
export interface Agent {
  /** As the gateway sends it; compared byte by byte. */
  readonly agentId: string;
  readonly fullName: string;
  readonly phone: string;
  /** A closed agent is unknown to the gateway; what the agent owed or paid stays in the ledger. */
  readonly status: 'open' | 'closed';
  readonly createdAt: Instant;
  readonly closedAt: Instant | undefined;
}

/** The fields of an agent that an import or a person provides. */
export interface AgentRecord {
  readonly agentId: string;
  readonly fullName: string;
  readonly phone: string;
}
