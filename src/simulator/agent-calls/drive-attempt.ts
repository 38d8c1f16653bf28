import { addToGroup } from '../../kernel';
import type { CheckFault, CheckResult, ConfirmFault, ConfirmResult } from './agent-caller';
import type { PlannedPayment } from './plan-drive';

interface AttemptHead {
  readonly payment: PlannedPayment;
  readonly tookMs: number;
}

/** One call of a drive and its result. */
export type DriveAttempt =
  | (AttemptHead & {
      readonly operation: 'check';
      readonly fault: CheckFault | undefined;
      readonly result: CheckResult;
    })
  | (AttemptHead & {
      readonly operation: 'confirm';
      readonly fault: ConfirmFault | undefined;
      readonly result: ConfirmResult;
    });

export type ConfirmAttempt = Extract<DriveAttempt, { operation: 'confirm' }>;

/** Groups the attempts by payment; the keys are transactionIds. */
export function attemptsByPayment(journal: readonly DriveAttempt[]): Map<string, DriveAttempt[]> {
  const groups = new Map<string, DriveAttempt[]>();
  for (const attempt of journal) {
    const { transactionId } = attempt.payment;
    addToGroup(groups, transactionId, attempt);
  }
  return groups;
}

export function confirmsOf(attempts: readonly DriveAttempt[]): ConfirmAttempt[] {
  return attempts.filter((attempt) => attempt.operation === 'confirm');
}

export function codeOf({ result }: DriveAttempt): string | undefined {
  return result.kind === 'answered' ? result.body.code : undefined;
}
