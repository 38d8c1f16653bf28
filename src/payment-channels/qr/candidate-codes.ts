import { DAY_MS, type Instant, type Millimes } from '../../kernel';
import type { ListedQrPayment } from './qr-answer';

/** A code is paid at most this long after its creation, even if it was paid before (open point 80). */
const CODE_MADE_WITHIN_MS = 30 * DAY_MS;
/** How far the gateway's list of a code may lag behind the merchant's list, or its clock differ from Millime's. */
const LIST_LAG_MS = DAY_MS / 4;
/**
 * After this number of consecutive failed status checks, a code is checked after those that answer, so that it does not
 * delay them.
 */
const FAILED_OFTEN_CHECKS = 3;

/** A code of this installation to which a listed payment may belong. */
export interface CandidateCode {
  readonly trackingId: string;
  readonly amount: Millimes;
  /** Whether the outcome of its creation is unknown. */
  readonly isUnknown: boolean;
  readonly isTest: boolean;
  readonly failedChecks: number;
}

/** A possible code. `isForYoung`: even the oldest payment that it may have is too recent for a conclusive answer. */
interface WantedCode extends CandidateCode {
  readonly isForYoung: boolean;
}

/** The conditions for codes that a payment may belong to and that were not checked late enough to exclude it. */
export interface OpenCodes {
  readonly amount: Millimes;
  readonly madeAfter: Instant;
  /** A code created later did not exist when the payment was made; busy shops create one each minute. */
  readonly madeUntil: Instant;
  readonly checkedBefore: Instant;
  /** A status check later than now was recorded with a wrong clock and is ignored. */
  readonly now: Instant;
}

/** Returns the instant from which an answer about a code is conclusive for a payment. Pure. */
export function tellsFrom({ paidAt }: Pick<ListedQrPayment, 'paidAt'>): Instant {
  return paidAt + LIST_LAG_MS;
}

/** Returns the conditions for codes that a payment may still belong to, until all of them were checked. Pure. */
export function openCodesOf(payment: ListedQrPayment, now: Instant): OpenCodes {
  const { amount, paidAt } = payment;
  const madeAfter = paidAt - CODE_MADE_WITHIN_MS;
  return { amount, madeAfter, madeUntil: paidAt + LIST_LAG_MS, checkedBefore: tellsFrom(payment), now };
}

/**
 * Returns the conditions for codes that a run checks. It also checks once, inconclusively, for a recent payment,
 * because the answer may already list it. Pure.
 */
export function candidateCodesOf(payment: ListedQrPayment, startedAt: Instant): OpenCodes {
  const open = openCodesOf(payment, startedAt);
  return { ...open, checkedBefore: Math.min(open.checkedBefore, startedAt) };
}

/**
 * Returns each code once, in checking order: first for payments with conclusive answers, among these the codes that
 * answer, then by the age of the payments. Pure.
 *
 * @param wanted the codes of each payment, the oldest payment first.
 * @param isTest the application that asks: it cannot check an unknown code of the other one.
 */
export function inCheckOrder(
  wanted: readonly { readonly payment: ListedQrPayment; readonly codes: readonly CandidateCode[] }[],
  { startedAt, isTest }: { readonly startedAt: Instant; readonly isTest: boolean },
): readonly CandidateCode[] {
  const found = new Map<string, WantedCode>();
  for (const { payment, codes } of wanted) {
    const isForYoung = startedAt < tellsFrom(payment);
    for (const code of codes) {
      if (code.isUnknown && code.isTest !== isTest) continue;
      if (!found.has(code.trackingId)) found.set(code.trackingId, { ...code, isForYoung });
    }
  }
  return [...found.values()].sort((one, other) => turnOf(one) - turnOf(other));
}

function turnOf({ isForYoung, failedChecks }: WantedCode): number {
  return (isForYoung ? 2 : 0) + (failedChecks >= FAILED_OFTEN_CHECKS ? 1 : 0);
}
