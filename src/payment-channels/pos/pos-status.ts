import type { PosTransaction } from '../../gateway';
import type { Payment } from '../../payments';

/** Interface section 3.4. What is not here is a code that we do not know: kept, never posted. */
const WAITING = ['PP', 'PA'];
const SUCCEEDED = ['PS', 'PR', 'RP', 'RF'];
const UNFINISHED = ['PP', 'PA', 'PF'];

/** What a status check of a POS transaction does to its code. */
export type PosMove =
  | 'unchanged'
  | 'moved'
  /** It failed, and then it was paid after all: the payment wins. */
  | 'late_success'
  /** It was paid, and now it is said that it was not: our state stays. */
  | 'regressed';

/**
 * The move from a code to the one that was seen. The interface shows no transitions (section 3.4), so everything may
 * follow, except that a payment that succeeded does not become one that never did, and that a refund is not undone.
 * Pure.
 */
export function movePosStatus(current: string | undefined, observed: string): PosMove {
  if (current === observed) return 'unchanged';
  if (current === 'PR') return 'regressed';
  if (current !== undefined && SUCCEEDED.includes(current) && UNFINISHED.includes(observed)) return 'regressed';
  if (current === 'PF' && SUCCEEDED.includes(observed)) return 'late_success';
  return 'moved';
}

/** How long a code may stand: waiting ones are followed, others are final, or puzzle us until they change. */
export function isPosWaiting(code: string): boolean {
  return WAITING.includes(code);
}

/** Whether the code says that the money came, whatever happened to it later. */
export function hasPosSucceeded(code: string): boolean {
  return SUCCEEDED.includes(code);
}

/** Refund pending, refund failed, unknown, and every code that is not in the interface. */
export function isPosPuzzling(code: string): boolean {
  return !['PS', 'PP', 'PF', 'PR', 'PA'].includes(code);
}

/** Open point 126: the money of these goes through the gateway; of those it stays with the merchant. */
const CLEARED_METHODS = ['card', 'wallet', 'nfc'];
const KEPT_METHODS = ['cash', 'check'];

export function methodOfPos(method: string | undefined): 'cleared' | 'kept' | 'unknown' {
  if (method === undefined) return 'unknown';
  if (CLEARED_METHODS.includes(method)) return 'cleared';
  return KEPT_METHODS.includes(method) ? 'kept' : 'unknown';
}

/**
 * Whether the settlement status cannot be that of money in transit to us (interface section 3.3): a POS transaction is
 * never in a payout, and what was available stays so until it is refunded. Pure.
 */
export function isOddPosSettlement(
  current: string | undefined,
  { paymentStatus, paymentMethod, settlementStatus }: PosTransaction,
): boolean {
  if (settlementStatus === undefined || !['PS', 'RP', 'RF'].includes(paymentStatus)) return false;
  if (settlementStatus === 'IN_PAYOUT' || settlementStatus === 'PAID') return true;
  if (methodOfPos(paymentMethod ?? undefined) !== 'cleared') return false;
  return settlementStatus === 'NOT_APPLICABLE' || (current === 'AVAILABLE' && settlementStatus === 'PROCESSING');
}

/** What the status of one tracking id says about one payment. */
export type PosChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly row: PosTransaction }
  /** Which one is ours cannot be told: nothing is done with any of them. */
  | { readonly kind: 'several'; readonly rows: readonly PosTransaction[] };

/**
 * Our row among those of our tracking id (open point 73): the only one, or the only one of several that has the amount
 * and the terminal of ours. Pure.
 */
export function choosePosRow(payment: Pick<Payment, 'amount' | 'terms'>, rows: readonly PosTransaction[]): PosChoice {
  const [first] = rows;
  if (first === undefined) return { kind: 'none' };
  if (rows.length === 1) return { kind: 'one', row: first };
  const fitting = rows.filter(
    ({ amountMillimes, terminalId }) =>
      amountMillimes === payment.amount && (terminalId === null || terminalId === payment.terms['idTerminal']),
  );
  const [row] = fitting;
  return row !== undefined && fitting.length === 1 ? { kind: 'one', row } : { kind: 'several', rows };
}
