import { AppError, monotonicClock } from '../../kernel';
import type { AgentCaller, CheckFault, ConfirmFault } from './agent-caller';
import { type Backoff, confirmUntilKnown, DEFAULT_BACKOFF } from './confirm-until-known';
import type { DriveAttempt } from './drive-attempt';
import { DriveStop } from './drive-stop';
import { pauseUnlessStopped } from './pause-unless-stopped';
import { type DrivePlanOptions, planDrive, type PlannedPayment } from './plan-drive';
import { type DriveSummary, summarizeDrive } from './summarize-drive';

const CONCURRENCY_MAX = 512;

export interface DriveOptions extends DrivePlanOptions {
  readonly caller: AgentCaller;
  /** The number of concurrent payments. */
  readonly concurrency: number;
  readonly backoff?: Backoff;
  /** Waits this number of milliseconds between two tries (default: in real time). */
  readonly sleep?: (pauseMs: number) => Promise<void>;
  /** Aborted when the caller no longer waits for the drive. The caller's own signal ends running calls. */
  readonly signal?: AbortSignal;
  /** After this number of milliseconds no call starts; running calls end by their own timeout. */
  readonly timeLimitMs?: number;
}

export interface DriveResult {
  readonly plan: readonly PlannedPayment[];
  /** Every call in the order of completion. */
  readonly journal: readonly DriveAttempt[];
  readonly summary: DriveSummary;
}

/**
 * Sends agents' checks and confirms by a seeded plan, with lost replies, resends, concurrent duplicates and bad tokens.
 * Returns the payments that the endpoints must now have, and the violations of section 4.6. The plan depends only on
 * the seed; the order of concurrent calls does not. It never rejects because of the endpoints. It ends early at its
 * time limit, when its signal is aborted, and when the endpoints cannot be reached; the summary states why.
 *
 * @throws AppError `bad_input` when an option is out of its range.
 */
export async function driveAgents(options: DriveOptions): Promise<DriveResult> {
  const { concurrency } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > CONCURRENCY_MAX) {
    throw new AppError('bad_input', {
      field: 'concurrency',
      expected: `a whole number from 1 to ${CONCURRENCY_MAX}`,
      got: concurrency,
    });
  }
  const plan = planDrive(options);
  const journal: DriveAttempt[] = [];
  const stop = new DriveStop({ ...options, atOnce: Math.min(concurrency, plan.length) });
  const waiting = plan.values();
  const worker = async (): Promise<void> => {
    for (const payment of waiting) {
      if (stop.reason !== undefined) return;
      await drivePayment(options, payment, { journal, stop });
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, worker));
  } finally {
    stop.end();
  }
  return { plan, journal, summary: summarizeDrive(plan, journal, stop.reason) };
}

interface Drive {
  readonly journal: DriveAttempt[];
  readonly stop: DriveStop;
}

async function drivePayment(options: DriveOptions, payment: PlannedPayment, { journal, stop }: Drive): Promise<void> {
  const { caller, backoff = DEFAULT_BACKOFF } = options;
  const sleep = options.sleep ?? ((pauseMs: number) => pauseUnlessStopped(pauseMs, stop.signal));
  const isStopped = (): boolean => stop.reason !== undefined;
  const { transactionId, agentId, amount, tokenFault } = payment;
  const check = async (fault?: CheckFault): Promise<void> => {
    const startedAt = monotonicClock.now();
    const result = await caller.check(agentId, fault);
    journal.push({ payment, operation: 'check', fault, result, tookMs: monotonicClock.now() - startedAt });
    stop.hear(result);
  };
  const send = async (fault?: ConfirmFault) => {
    const startedAt = monotonicClock.now();
    const result = await caller.confirmWith({ transactionId, agentId, amount }, fault);
    journal.push({ payment, operation: 'confirm', fault, result, tookMs: monotonicClock.now() - startedAt });
    stop.hear(result);
    return result;
  };
  if (tokenFault !== undefined) {
    await check(tokenFault);
    if (isStopped()) return;
    await send(tokenFault);
    if (isStopped()) return;
  }
  await check();
  if (isStopped()) return;
  const confirm = (firstFault: ConfirmFault | undefined) =>
    confirmUntilKnown({ send, firstFault, backoff, sleep, isStopped });
  // Only the first copy has the fault; the others compete with it.
  const copies = Array.from({ length: payment.copies }, (_, copy) =>
    confirm(copy === 0 ? payment.firstFault : undefined),
  );
  await Promise.all(copies);
  if (payment.resend && !isStopped()) await confirm(undefined);
}
