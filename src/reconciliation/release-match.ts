import { endBreak, openBreakStore, writtenOffOf } from '../breaks';
import type { Session } from '../db';
import { AppError, assert, type Instant } from '../kernel';
import { openLedger, reverseTransaction } from '../ledger';
import { remainderFingerprint } from './find-remainders';
import type { StoredMatch, Unmatched } from './match';
import { openMatchStore } from './match-store';
import { payoutBackReference, payoutFeeReference, payoutReference } from './payout-postings';

export interface ReleaseRequest {
  readonly lineId: string;
  readonly kind: Unmatched['kind'];
  /** The debit that returned the payout. */
  readonly debitLineId: string | undefined;
  readonly runId: string | undefined;
  readonly reason: string;
  /** The day of the debit, or now. */
  readonly occurredAt: Instant;
  readonly recordedAt: Instant;
  readonly recordedBy: string;
}

/**
 * Reverses the match of a credit: reverses the postings of the payout, and releases its line and its items. Fees stay
 * posted, because a fee belongs to the item; a later match with another fee posts the difference.
 *
 * The remainder of the match is no longer a difference. The return of a payout also reverses its write-offs; a person
 * must reverse them first.
 * @throws AppError `conflict` to a person while the remainder is written off.
 * @returns the reversed match; undefined if none is live.
 */
export async function releaseMatch(session: Session, request: ReleaseRequest): Promise<StoredMatch | undefined> {
  const store = openMatchStore(session);
  const match = await store.hold(request.lineId);
  if (match === undefined) return undefined;
  const { lineId } = match;
  const times = await store.timesMatched([lineId]);
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
  await store.release({ ...request, matchId: match.id });
  await endRemainder(session, match, request);
  return match;
}

async function endRemainder(session: Session, match: StoredMatch, request: ReleaseRequest): Promise<void> {
  const fingerprint = remainderFingerprint(match.id);
  const remainder = (await openBreakStore(session).byFingerprint([fingerprint])).get(fingerprint);
  if (remainder === undefined) return;
  const { kind, runId, occurredAt, recordedAt, recordedBy } = request;
  if (kind === 'unmatched' && (await writtenOffOf(session, remainder.id)) > 0) {
    throw new AppError('remainder_written_off', { breakId: remainder.id });
  }
  await endBreak(session, remainder.id, {
    actor: runId === undefined ? recordedBy : `run:${runId}`,
    ...{ recordedBy, occurredAt, recordedAt },
    detail: { matchId: match.id, ...(runId === undefined ? {} : { runId }) },
  });
}
