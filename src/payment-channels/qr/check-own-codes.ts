import { pagesOf } from '../../kernel';
import { checkSafely, type PaymentsDeps } from '../../payments';
import type { CandidateCode } from './candidate-codes';
import type { ListedQrPayment } from './qr-answer';
import { openQrPayments } from './qr-store';

/** Codes that are asked about before it is seen which payments are still unknown. */
const CODES_PAGE_ROWS = 50;
/** So many answers in a row that are none: the gateway is away, and the rest is the next run's. */
const UNANSWERED_MAX = 3;

export interface CheckedCodes {
  /** The payments that are of none of the codes, as far as they were asked about. */
  readonly left: readonly ListedQrPayment[];
  /** Why a code could not be asked about; undefined when each of them answered. */
  readonly fault: string | undefined;
}

/** Checks codes of ours in their order, until every payment is found or the gateway is away. */
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

/** Those of the listed payments that are not written down. */
export async function unknownOf(
  { database }: Pick<PaymentsDeps, 'database'>,
  listed: readonly ListedQrPayment[],
): Promise<readonly ListedQrPayment[]> {
  const ids = listed.map(({ transactionUniqueId }) => transactionUniqueId);
  const known = await database.read((session) => openQrPayments(session).find(ids));
  return listed.filter(({ transactionUniqueId }) => !known.has(transactionUniqueId));
}
