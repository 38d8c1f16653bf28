import { isAppError, isOutsideId, monotonicClock, SECOND_MS } from '../kernel';
import { Batches, type POSTPONED } from './batches';
import { checkAgents, type CheckOutcome, UNKNOWN_AGENT } from './check-agents';
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

/** Counts the batches and the outcomes of confirms. It is called for each, so it must cost next to nothing. */
export interface SettlementObserver {
  /** `unanswered`: Millime could not answer, and the gateway gets 503. */
  confirmed(outcome: ConfirmOutcome | 'unanswered'): void;
  /** `confirms`: how many one transaction answers. */
  batched(confirms: number): void;
}

export interface AgentSettlementDeps extends ConfirmDeps {
  readonly observe?: SettlementObserver | undefined;
}

/** Measured with 64 callers: larger batches are hardly faster, and each caller waits for all of its batch. */
const BATCH_ITEMS_MAX = 128;
/** More than the calls of a second. The rest is told to come again, instead of being answered too late. */
const WAITING_MAX = 2_048;
const DEADLINE_MS = 5 * SECOND_MS;

interface WaitingConfirm {
  readonly command: ConfirmCommand;
  readonly mayRefuse: (() => boolean) | undefined;
}

export function createAgentSettlement(deps: AgentSettlementDeps): AgentSettlement {
  const { observe } = deps;
  const failures = new RecentFailures();
  // Apart, because a caller past its limit chooses these ids, and would push out those of real failures.
  const limited = new RecentFailures();
  const limits = { itemsMax: BATCH_ITEMS_MAX, waitingMax: WAITING_MAX, deadlineMs: DEADLINE_MS, ...lanesOf(deps) };
  const checks = new Batches<string, CheckOutcome>({
    ...limits,
    run: (agentIds, deadlineAt) => checkAgents(deps.database, agentIds, deadlineAt - monotonicClock.now()),
    mayHalve: isOfOneRow,
  });
  const confirms = new Batches<WaitingConfirm, ConfirmOutcome>({
    ...limits,
    run: (batch, deadlineAt) => {
      observe?.batched(batch.length);
      return confirmTogether(deps, batch, deadlineAt - monotonicClock.now());
    },
    // Two batches of this process never wait for one agent's row.
    keyOf: ({ command }) => command.agentId,
    mayHalve: isOfOneRow,
  });
  return {
    check: async (agentId) => (isOutsideId(agentId) ? checks.add(agentId) : UNKNOWN_AGENT),
    async confirm(said, mayRefuse) {
      const { transactionId } = said;
      const followedUnavailable =
        transactionId !== undefined && (failures.includes(transactionId) || limited.includes(transactionId));
      try {
        const outcome = await confirms.add({ command: { followedUnavailable, ...said }, mayRefuse });
        observe?.confirmed(outcome);
        if (transactionId === undefined) return outcome;
        if (outcome === 'limited') limited.remember(transactionId);
        if (outcome === 'stored' || outcome === 'duplicate_transaction') {
          for (const answered503 of [failures, limited]) answered503.forget(transactionId);
        }
        return outcome;
      } catch (error) {
        observe?.confirmed('unanswered');
        if (transactionId !== undefined) failures.remember(transactionId);
        throw error;
      }
    },
    noteUnanswered(transactionId) {
      observe?.confirmed('unanswered');
      failures.remember(transactionId);
    },
  };
}

/** While a server writes one batch, this process prepares another. A file has one writer. */
function lanesOf({ database }: ConfirmDeps): { readonly lanes: number; readonly lanesMax: number } {
  return database.dialect === 'sqlite' ? { lanes: 1, lanesMax: 1 } : { lanes: 2, lanesMax: 6 };
}

async function confirmTogether(
  deps: ConfirmDeps,
  confirms: readonly WaitingConfirm[],
  deadlineMs: number,
): Promise<(ConfirmOutcome | typeof POSTPONED)[]> {
  const mayRefuse = new Map(confirms.map((each) => [each.command, each.mayRefuse]));
  return confirmPayments(
    deps,
    confirms.map(({ command }) => command),
    { mayRefuse: (command) => mayRefuse.get(command)?.() ?? true, deadlineMs },
  );
}

/**
 * Returns whether one command alone may have caused the error of its batch. Then nothing of the batch is stored. An
 * error of the connection, a lock, the deadline or a COMMIT concerns all of them.
 */
function isOfOneRow(error: unknown): boolean {
  return !isAppError(error, 'unavailable', 'outcome_unknown', 'storage_broken', 'misconfigured', 'interrupted');
}
