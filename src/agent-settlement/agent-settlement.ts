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
   * @param mayRefuse whether the caller may get one more refusal; otherwise the outcome is `limited`, and nothing is
   *   stored. Called when the confirm would be refused, again if the transaction runs again (default: always).
   */
  confirm(command: Omit<ConfirmCommand, 'followedUnavailable'>, mayRefuse?: () => boolean): Promise<ConfirmOutcome>;
  /** Notes a confirm that is answered 503 before it reaches `confirm`. */
  noteUnanswered(transactionId: string): void;
}

export function createAgentSettlement(deps: ConfirmDeps): AgentSettlement {
  const failures = new RecentFailures();
  // Apart, because a caller past its limit chooses these ids, and would push out those of real failures.
  const limited = new RecentFailures();
  return {
    check: (agentId) => checkAgent(deps.database, agentId),
    async confirm(command, mayRefuse) {
      const { transactionId } = command;
      const followedUnavailable =
        transactionId !== undefined && (failures.includes(transactionId) || limited.includes(transactionId));
      try {
        const [outcome] = await confirmPayments(deps, [{ ...command, followedUnavailable }], mayRefuse);
        if (transactionId === undefined) return outcome as ConfirmOutcome;
        if (outcome === 'limited') limited.remember(transactionId);
        if (outcome === 'stored' || outcome === 'duplicate_transaction') {
          for (const answered503 of [failures, limited]) answered503.forget(transactionId);
        }
        return outcome as ConfirmOutcome;
      } catch (error) {
        if (transactionId !== undefined) failures.remember(transactionId);
        throw error;
      }
    },
    noteUnanswered: (transactionId) => failures.remember(transactionId),
  };
}
