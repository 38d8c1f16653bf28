import { type ImportOptions, openAgentDirectory } from '../agents';
import { checkReason, openAuditTrail, requireScope } from '../identity';
import { AppError, type Millimes, type Page } from '../kernel';
import { agentReceivable, openLedger, reverseTransaction } from '../ledger';
import { type AgentQuery, agentsWithDue, type AgentWithDue, type FoundAgents, searchWithDue } from './agents-with-due';
import { type DueKey, openDueStore, type StoredDue } from './due-store';
import { duesOfAgent, type DuesOfAgentQuery } from './dues-of-agent';
import { type DuesDeps, importDues, type ImportDuesResult } from './import-dues';
import { splitBalance } from './split-balance';

export type { AgentQuery, AgentWithDue, FoundAgents } from './agents-with-due';
export type { DueKey, StoredDue } from './due-store';
export type { DuesOfAgentQuery } from './dues-of-agent';
export type { ImportDuesResult } from './import-dues';
export { splitBalance } from './split-balance';

/** The due amount and the credit of an agent: one of the two is 0. */
export interface AgentDue {
  readonly agentId: string;
  readonly fullName: string;
  readonly due: Millimes;
  readonly credit: Millimes;
}

/** The use cases of dues. */
export interface Dues {
  importCsv(file: Uint8Array, options: ImportOptions): Promise<ImportDuesResult>;
  /**
   * Cancels a due with a reason, by reversing its ledger transaction.
   *
   * @throws AppError `not_found`, `bad_input` without a reason, or `conflict` when the agent's credit would exceed the
   * largest countable amount.
   */
  cancel(reference: string, reason: string, options: ImportOptions): Promise<'cancelled' | 'already_cancelled'>;
  /**
   * Returns the due amount and the credit of an agent.
   *
   * @throws AppError `not_found`.
   */
  dueOf(agentId: string): Promise<AgentDue>;
  /** Returns a page of agents with what they owe, in the byte order of their ids. */
  agents(query: AgentQuery): Promise<Page<AgentWithDue, string>>;
  /**
   * Finds at most `limit` agents by the id, the phone number or words of the name, with what they owe.
   *
   * @throws AppError `bad_input` for a text that is too short to search for, or has too many words.
   */
  search(text: string, limit: number): Promise<FoundAgents>;
  /** Returns a page of the dues of an agent, the latest due date first. An unknown agent has none. */
  ofAgent(agentId: string, query: DuesOfAgentQuery): Promise<Page<StoredDue, DueKey>>;
}

export function createDues(deps: DuesDeps): Dues {
  const { database, clock } = deps;
  return {
    importCsv: (file, options) => importDues(deps, file, options),
    async cancel(reference, reason, { actor, dryRun }) {
      requireScope(actor, 'dues:write');
      checkReason(reason, 'why the due is cancelled');
      return database.transact(
        async (session) => {
          const store = openDueStore(session);
          if (!(await store.find([reference])).has(reference)) {
            throw new AppError('not_found', { thing: 'due', id: reference });
          }
          if (await store.isCancelled(reference)) return 'already_cancelled';
          const at = clock.now();
          await store.cancel(reference, reason, at, actor.name);
          await reverseTransaction(session, {
            originalReference: `due:${reference}`,
            reference: `due-cancel:${reference}`,
            code: 'due_cancelled',
            occurredAt: at,
            recordedAt: at,
            recordedBy: actor.name,
          });
          const subject = `due:${reference}`;
          await openAuditTrail(session).record({ at, actor, action: 'due.cancelled', subject, detail: { reason } });
          return 'cancelled';
        },
        { retryDuplicate: true, dryRun },
      );
    },
    agents: (query) => agentsWithDue(database, query),
    search: (text, limit) => searchWithDue(database, text, limit),
    ofAgent: (agentId, query) => duesOfAgent(database, agentId, query),
    dueOf: (agentId) =>
      database.read(async (session) => {
        const agent = (await openAgentDirectory(session).find([agentId])).get(agentId);
        if (agent === undefined) throw new AppError('not_found', { thing: 'agent', id: agentId });
        const account = agentReceivable(agentId);
        const balance = (await openLedger(session).balances([account])).get(account);
        return { agentId, fullName: agent.fullName, ...splitBalance(balance) };
      }),
  };
}
