import { DAY_MS, type Instant, type Millimes } from '../../kernel';
import type { ListedQrPayment } from './qr-answer';

/** A code is paid within this time of its creation, even if it was paid before (open point 80). */
const CODE_MADE_WITHIN_MS = 30 * DAY_MS;
/** The gateway's list of a code may be so far behind that of the merchant, and its clock apart from ours. */
const LIST_LAG_MS = DAY_MS / 4;
/**
 * After so many failed status checks in a row a code is asked about behind those that answer, so that it hides none of
 * them.
 */
const FAILED_OFTEN_CHECKS = 3;

/** A code of this installation that a listed payment may belong to. */
export interface CandidateCode {
  readonly trackingId: string;
  readonly amount: Millimes;
  /** Whether the outcome of its creation is unknown. */
  readonly isUnknown: boolean;
  readonly isTest: boolean;
  readonly failedChecks: number;
}

/** A possible code, and whether no answer about it can tell yet of the oldest payment that it may be of. */
interface WantedCode extends CandidateCode {
  readonly isForYoung: boolean;
}

/** Which codes may be that of a payment, and were not asked about late enough to tell. */
export interface OpenCodes {
  readonly amount: Millimes;
  readonly madeAfter: Instant;
  /** One that was made later was not there to be paid; busy shops make one each minute. */
  readonly madeUntil: Instant;
  readonly checkedBefore: Instant;
  /** A status check later than now was noted by a wrong clock, and tells nothing. */
  readonly now: Instant;
}

/** From then on the answer about a code tells whether a payment is of it. Pure. */
export function tellsFrom({ paidAt }: Pick<ListedQrPayment, 'paidAt'>): Instant {
  return paidAt + LIST_LAG_MS;
}

/** Until all of them were asked about, a payment may be of a code of ours. Pure. */
export function openCodesOf(payment: ListedQrPayment, now: Instant): OpenCodes {
  const { amount, paidAt } = payment;
  const madeAfter = paidAt - CODE_MADE_WITHIN_MS;
  return { amount, madeAfter, madeUntil: paidAt + LIST_LAG_MS, checkedBefore: tellsFrom(payment), now };
}

/** Those that a run asks about: also for a payment so young that an answer can only say yes, but once. Pure. */
export function candidateCodesOf(payment: ListedQrPayment, startedAt: Instant): OpenCodes {
  const open = openCodesOf(payment, startedAt);
  return { ...open, checkedBefore: Math.min(open.checkedBefore, startedAt) };
}

/**
 * Each code once, in the order in which they are asked about: first for payments of which an answer tells for sure, of
 * these the codes that answer, then by the age of the payments. Pure.
 *
 * @param wanted the codes of each payment, the oldest payment first.
 * @param isTest as which application we ask: an unknown code of the other one cannot be asked about.
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
