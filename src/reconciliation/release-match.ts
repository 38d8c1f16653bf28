import type { Session } from '../db';
import { assert, type Instant } from '../kernel';
import { openLedger, reverseTransaction } from '../ledger';
import type { StoredMatch, Unmatched } from './match';
import { openMatchBook } from './match-store';
import { payoutBackReference, payoutFeeReference, payoutReference } from './payout-postings';

export interface ReleaseRequest {
  readonly lineId: string;
  readonly kind: Unmatched['kind'];
  /** The debit that took the money back. */
  readonly debitLineId: string | undefined;
  readonly runId: string | undefined;
  readonly reason: string;
  /** When it happened: the day of the debit, or now. */
  readonly occurredAt: Instant;
  readonly recordedAt: Instant;
  readonly recordedBy: string;
}

/**
 * Takes the match of a credit back: reverses what it posted of the payout, and lets its line and its items go. What was
 * found of its items' fees stays posted, for a fee is of the item: a later match that finds another posts the difference.
 *
 * @returns the match that was taken back; undefined when there is none (any more).
 */
export async function releaseMatch(session: Session, request: ReleaseRequest): Promise<StoredMatch | undefined> {
  const book = openMatchBook(session);
  const match = await book.hold(request.lineId);
  if (match === undefined) return undefined;
  const { lineId } = match;
  const times = await book.timesMatched([lineId]);
  const before = (times.get(lineId) ?? 0) - 1;
  assert(before >= 0, 'a match that is held is stored');
  const { occurredAt, recordedAt, recordedBy } = request;
  const facts = { occurredAt, recordedAt, recordedBy, code: 'reversal' } as const;
  await reverseTransaction(session, {
    originalReference: payoutReference(lineId, before),
    reference: payoutBackReference(match.id),
    ...facts,
  });
  const feeReference = payoutFeeReference(lineId, before);
  if ((await openLedger(session).find(feeReference)) !== undefined) {
    await reverseTransaction(session, {
      originalReference: feeReference,
      reference: `payout-fee-back:${match.id}`,
      ...facts,
    });
  }
  await book.release({ ...request, matchId: match.id });
  return match;
}
