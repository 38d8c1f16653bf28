import { type Database, rewriteDatabaseFile, type RewriteOutcome } from '../db';
import type { ReasonedDecision } from '../identity';
import type { Clock } from '../kernel';
import { eraseAgent, type EraseOutcome } from './erase-agent';

export type { EraseOutcome } from './erase-agent';

/** The use cases that erase personal data. */
export interface Erasures {
  /**
   * Erases the name and the phone of an agent, and closes the agent. A repeat changes nothing.
   *
   * @throws AppError `not_found`; `bad_input` for the reason; `conflict` while the agent owes, has a credit, or has a
   * payment or a subscription that may still bring money.
   */
  eraseAgent(agentId: string, decision: ReasonedDecision): Promise<EraseOutcome>;
  /**
   * Removes the bytes of earlier rows from the files of an embedded database. On a server it does nothing: its
   * administrator does that (docs/OPERATIONS.md).
   */
  removeEarlierBytes(): Promise<RewriteOutcome | 'on_server'>;
}

export function createErasures(deps: { readonly database: Database; readonly clock: Clock }): Erasures {
  const { database } = deps;
  return {
    eraseAgent: (agentId, decision) => eraseAgent(deps, agentId, decision),
    removeEarlierBytes: async () => (database.dialect === 'sqlite' ? rewriteDatabaseFile(database) : 'on_server'),
  };
}
