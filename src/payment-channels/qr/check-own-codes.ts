import { pagesOf } from '../../kernel';
import { checkSafely, type PaymentsDeps } from '../../payments';
import type { CandidateCode } from './candidate-codes';
import type { ListedQrPayment } from './qr-answer';
import { openQrPayments } from './qr-store';

/** The number of codes to check before looking up which payments are still unknown. */
const CODES_PAGE_ROWS = 50;
/** After this number of consecutive unanswered checks the gateway counts as down, and the next run continues. */
const UNANSWERED_MAX = 3;

export interface CheckedCodes {
  /** The payments that belong to none of the codes, as far as these were checked. */
  readonly left: readonly ListedQrPayment[];
  /** Why a code could not be checked; undefined if each of them answered. */
  readonly fault: string | undefined;
}

/** Checks codes of Millime in order, until every payment is found or the gateway counts as down. */
export async function checkOwnCodes(
  deps: PaymentsDeps,
  codes: readonly CandidateCode[],
  unknown: readonly ListedQrPayment[],
): Promise<CheckedCodes> {
  let left = unknown;
  let fault: string | undefined;
  let inARow = 0;
  for (const page of pagesOf(codes, CODES_PAGE_ROWS)) {
    const amounts = new Set(left.map(({ amount }) => amount));
    for (const { trackingId } of page.filter(({ amount }) => amounts.has(amount))) {
      if (inARow >= UNANSWERED_MAX) break;
      const outcome = await checkSafely(deps, trackingId);
      const isAnswered = outcome.kind !== 'later';
      if (!isAnswered) fault = outcome.reason;
      inARow = isAnswered ? 0 : inARow + (outcome.affectsAll ? UNANSWERED_MAX : 1);
    }
    left = await unknownOf(deps, left);
    if (left.length === 0 || inARow >= UNANSWERED_MAX) break;
  }
  return { left, fault };
}

/** Returns the listed payments that are not stored. */
export async function unknownOf(
  { database }: Pick<PaymentsDeps, 'database'>,
  listed: readonly ListedQrPayment[],
): Promise<readonly ListedQrPayment[]> {
  const ids = listed.map(({ transactionUniqueId }) => transactionUniqueId);
  const known = await database.read((session) => openQrPayments(session).find(ids));
  return listed.filter(({ transactionUniqueId }) => !known.has(transactionUniqueId));
}
