import { checkAgent, type CheckOutcome } from './check-agent';
import type { ConfirmCommand } from './confirm-command';
import { type ConfirmDeps, confirmPayments } from './confirm-payments';
import type { ConfirmOutcome } from './decide';
import { RecentFailures } from './recent-failures';

/** Answers the gateway's calls while an agent pays (interface section 4.6). */
export interface AgentSettlement {
  /** @throws AppError when Millime cannot answer. */
  check(agentId: string | undefined): Promise<CheckOutcome>;
  /**
   * @throws AppError when Millime cannot answer. The transaction was then either stored or not, and a resend shows
   * which.
   */
  confirm(command: Omit<ConfirmCommand, 'followedUnavailable'>): Promise<ConfirmOutcome>;
  /** Notes a confirm that is answered 503 before it reaches `confirm`. */
  noteUnanswered(transactionId: string): void;
}

export function createAgentSettlement(deps: ConfirmDeps): AgentSettlement {
  const failures = new RecentFailures();
  return {
    check: (agentId) => checkAgent(deps.database, agentId),
    async confirm(command) {
      const { transactionId } = command;
      const followedUnavailable = transactionId !== undefined && failures.includes(transactionId);
      try {
        const [outcome] = await confirmPayments(deps, [{ ...command, followedUnavailable }]);
        const registered = outcome === 'stored' || outcome === 'duplicate_transaction';
        if (transactionId !== undefined && registered) failures.forget(transactionId);
        return outcome as ConfirmOutcome;
      } catch (error) {
        if (transactionId !== undefined) failures.remember(transactionId);
        throw error;
      }
    },
    noteUnanswered: (transactionId) => failures.remember(transactionId),
  };
}
