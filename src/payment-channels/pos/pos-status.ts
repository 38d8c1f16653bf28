import type { PosTransaction } from '../../gateway';
import type { Payment } from '../../payments';

/** Interface section 3.4. Codes that are not in these lists are unknown: stored and never posted. */
const WAITING = ['PP', 'PA'];
const SUCCEEDED = ['PS', 'PR', 'RP', 'RF'];
const UNFINISHED = ['PP', 'PA', 'PF'];

/** The effect of an observed code on the stored one. */
export type PosMove =
  | 'unchanged'
  | 'moved'
  /** It had failed and is now paid; the payment counts. */
  | 'late_success'
  /** It was paid and is now reported as unpaid; the stored state stays. */
  | 'regressed';

/**
 * Returns the move from the stored code to the observed one. The interface shows no transitions (section 3.4), so any
 * code may follow another, with two exceptions: a successful payment does not become one that never succeeded, and a
 * refund is not undone. Pure.
 */
export function movePosStatus(current: string | undefined, observed: string): PosMove {
  if (current === observed) return 'unchanged';
  if (current === 'PR') return 'regressed';
  if (current !== undefined && SUCCEEDED.includes(current) && UNFINISHED.includes(observed)) return 'regressed';
  if (current === 'PF' && SUCCEEDED.includes(observed)) return 'late_success';
  return 'moved';
}

/** Returns whether a code is temporary and therefore followed. Other codes are final, or need an explanation. */
export function isPosWaiting(code: string): boolean {
  return WAITING.includes(code);
}

/** Returns whether the code reports that the money arrived, whatever happened to it later. */
export function hasPosSucceeded(code: string): boolean {
  return SUCCEEDED.includes(code);
}

/**
 * Returns whether a code needs an explanation: refund pending, refund failed, unknown, and every code outside the
 * interface.
 */
export function isPosPuzzling(code: string): boolean {
  return !['PS', 'PP', 'PF', 'PR', 'PA'].includes(code);
}

/**
 * Open point 126: money of cleared methods passes through the gateway; money of kept methods stays with the merchant.
 */
const CLEARED_METHODS = ['card', 'wallet', 'nfc'];
const KEPT_METHODS = ['cash', 'check'];

export function methodOfPos(method: string | undefined): 'cleared' | 'kept' | 'unknown' {
  if (method === undefined) return 'unknown';
  if (CLEARED_METHODS.includes(method)) return 'cleared';
  return KEPT_METHODS.includes(method) ? 'kept' : 'unknown';
}

/**
 * Returns whether the settlement status contradicts interface section 3.3: a POS transaction is never in a payout, and
 * available money stays so until it is refunded. Pure.
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

/** The transaction that a status list has for one payment. */
export type PosChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly row: PosTransaction }
  /** It is unknown which row belongs to the payment, so none is used. */
  | { readonly kind: 'several'; readonly rows: readonly PosTransaction[] };

/**
 * Chooses the payment's row among those of its tracking id (open point 73): the only row, or the only one of several
 * with the payment's amount and terminal. Pure.
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
