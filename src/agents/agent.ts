import type { Instant } from '../kernel';

/** The fields of an agent that an import or a person provides. */
export interface AgentRecord {
  /** The id in the gateway's calls; compared byte by byte. */
  readonly agentId: string;
  readonly fullName: string;
  readonly phone: string;
}

/** A field agent who owes the integrator money and pays it through the gateway (interface section 2.9). */
export interface Agent extends AgentRecord {
  /** The gateway gets the answer for an unknown agent if the agent is closed. The ledger keeps all amounts. */
  readonly status: 'open' | 'closed';
  readonly createdAt: Instant;
  readonly closedAt: Instant | undefined;
  /** When the name and the phone were erased, which also closed the agent. The name is then `ERASED_NAME`. */
  readonly erasedAt: Instant | undefined;
}

/** The name of an erased agent, as every list and report prints it. */
export const ERASED_NAME = 'erased';
