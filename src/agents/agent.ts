import type { Instant } from '../kernel';

/** A field agent who owes us money and pays it through the gateway (interface section 2.9). */
export interface Agent {
  /** As the gateway sends it; compared byte by byte. */
  readonly agentId: string;
  readonly fullName: string;
  readonly phone: string;
  /** A closed agent is unknown to the gateway; what was owed or paid stays in the books. */
  readonly status: 'open' | 'closed';
  readonly createdAt: Instant;
  readonly closedAt: Instant | undefined;
}

/** What an import or a person says of an agent. */
export interface AgentRecord {
  readonly agentId: string;
  readonly fullName: string;
  readonly phone: string;
}
