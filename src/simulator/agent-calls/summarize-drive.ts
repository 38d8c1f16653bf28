import type { Millimes } from '../../kernel';
import { mayHaveStored } from './confirm-until-known';
import { attemptsByPayment, codeOf, type ConfirmAttempt, confirmsOf, type DriveAttempt } from './drive-attempt';
import type { StopReason } from './drive-stop';
import { findViolations, type Violation } from './find-violations';
import type { PlannedPayment } from './plan-drive';

/** A payment that the other side must have, according to its answers. */
export interface RegisteredPayment {
  readonly transactionId: string;
  readonly agentId: string;
  readonly amountMillimes: Millimes;
}

export interface DriveSummary {
  readonly calls: number;
  /** The count of each answer, such as `confirm 0`, `check 403` or `confirm lost`. */
  readonly answers: Readonly<Record<string, number>>;
  /** Certainly registered: answered 0, or 3 after a try that may have been stored. In the order of the plan. */
  readonly registered: readonly RegisteredPayment[];
  /** The ids of payments that may or may not be registered; a person must ask. */
  readonly unknown: readonly string[];
  /** The number of planned payments without any confirm; 0 unless the drive was stopped. */
  readonly notTried: number;
  /** Why the drive ended before its plan; undefined when it completed. */
  readonly stopped: StopReason | undefined;
  readonly violations: readonly Violation[];
  /** Among the calls with a complete answer. */
  readonly slowestAnswerMs: number;
}

export function summarizeDrive(
  plan: readonly PlannedPayment[],
  journal: readonly DriveAttempt[],
  stopped?: StopReason,
): DriveSummary {
  const attemptsOf = attemptsByPayment(journal);
  let notTried = 0;
  const registered: RegisteredPayment[] = [];
  const unknown: string[] = [];
  for (const payment of plan) {
    const { transactionId, agentId, make, amount } = payment;
    const confirms = confirmsOf(attemptsOf.get(transactionId) ?? []);
    if (confirms.length === 0) notTried += 1;
    const end = endOf(confirms);
    if (end === 'unknown') unknown.push(transactionId);
    // An accepted invalid amount is a violation, and the stored amount is unknown.
    if (end === 'registered' && make !== 'bad_amount') {
      registered.push({ transactionId, agentId, amountMillimes: amount });
    }
  }
  return {
    calls: journal.length,
    answers: countAnswers(journal),
    registered,
    unknown,
    notTried,
    stopped,
    violations: findViolations(journal),
    slowestAnswerMs: slowestAnswerMs(journal),
  };
}

function endOf(confirms: readonly ConfirmAttempt[]): 'registered' | 'not_registered' | 'unknown' {
  const codes = new Set(confirms.map(codeOf));
  const mayBeStored = confirms.some(({ result, fault }) => mayHaveStored(result, fault));
  if (codes.has('0') || (codes.has('3') && mayBeStored)) return 'registered';
  if (codes.has('1') || codes.has('2') || codes.has('3')) return 'not_registered';
  return mayBeStored ? 'unknown' : 'not_registered';
}

function countAnswers(journal: readonly DriveAttempt[]): Record<string, number> {
  const answers: Record<string, number> = {};
  for (const { operation, result } of journal) {
    const name = `${operation} ${nameOf(result)}`;
    answers[name] = (answers[name] ?? 0) + 1;
  }
  return answers;
}

function nameOf(result: DriveAttempt['result']): string {
  if (result.kind === 'answered') return result.body.code;
  if (result.kind === 'unexpected') return 'unexpected';
  return 'status' in result ? String(result.status) : result.kind;
}

function slowestAnswerMs(journal: readonly DriveAttempt[]): number {
  return journal.reduce((slowest, { result, tookMs }) => ('status' in result ? Math.max(slowest, tookMs) : slowest), 0);
}
