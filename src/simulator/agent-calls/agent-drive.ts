import { setTimeout as pause } from 'node:timers/promises';
import { AppError, monotonicClock } from '../../kernel';
import type { AgentCaller, CheckFault, ConfirmFault } from './agent-caller';
import { confirmUntilKnown, DEFAULT_BACKOFF, type Backoff } from './confirm-until-known';
import type { DriveAttempt } from './drive-attempt';
import { planDrive, type DrivePlanOptions, type PlannedPayment } from './plan-drive';
import { summarizeDrive, type DriveSummary } from './summarize-drive';

const CONCURRENCY_MAX = 512;

export interface DriveOptions extends DrivePlanOptions {
  readonly caller: AgentCaller;
  /** How many payments are under way at once. */
  readonly concurrency: number;
  readonly backoff?: Backoff;
  /** Waits so many milliseconds between two tries; real time when not given. */
  readonly sleep?: (pauseMs: number) => Promise<void>;
}

export interface DriveResult {
  readonly plan: readonly PlannedPayment[];
  /** Every call in the order in which it ended. */
  readonly journal: readonly DriveAttempt[];
  readonly summary: DriveSummary;
}

/**
 * Makes agents' checks and confirms by a seeded plan, with lost replies, resends, duplicates at once and bad tokens, and
 * says which payments the endpoints must hold now and where they broke section 4.6. The plan depends on the seed alone;
 * the order of calls under way at once does not. Never rejects for what the endpoints do.
 *
 * @throws AppError `bad_input` when an option is out of its range.
 */
export async function driveAgents(options: DriveOptions): Promise<DriveResult> {
  const { concurrency } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > CONCURRENCY_MAX) {
    throw new AppError('bad_input', `the concurrency must be from 1 to ${CONCURRENCY_MAX}`);
  }
  const plan = planDrive(options);
  const journal: DriveAttempt[] = [];
  const waiting = plan.values();
  const worker = async (): Promise<void> => {
    for (const payment of waiting) await drivePayment(options, payment, journal);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { plan, journal, summary: summarizeDrive(plan, journal) };
}

async function drivePayment(options: DriveOptions, payment: PlannedPayment, journal: DriveAttempt[]): Promise<void> {
  const { caller, backoff = DEFAULT_BACKOFF, sleep = pause } = options;
  const { transactionId, agentId, amount, tokenFault } = payment;
  const check = async (fault?: CheckFault): Promise<void> => {
    const startedAt = monotonicClock.now();
    const result = await caller.check(agentId, fault);
    journal.push({ payment, operation: 'check', fault, result, tookMs: monotonicClock.now() - startedAt });
  };
  const send = async (fault?: ConfirmFault) => {
    const startedAt = monotonicClock.now();
    const result = await caller.confirmWith({ transactionId, agentId, amount }, fault);
    journal.push({ payment, operation: 'confirm', fault, result, tookMs: monotonicClock.now() - startedAt });
    return result;
  };
  if (tokenFault !== undefined) {
    await check(tokenFault);
    await send(tokenFault);
  }
  await check();
  const confirm = (firstFault: ConfirmFault | undefined) => confirmUntilKnown({ send, firstFault, backoff, sleep });
  // The fault strikes one of the copies; the others race with it.
  const copies = Array.from({ length: payment.copies }, (_, copy) =>
    confirm(copy === 0 ? payment.firstFault : undefined),
  );
  await Promise.all(copies);
  if (payment.resend) await confirm(undefined);
}
