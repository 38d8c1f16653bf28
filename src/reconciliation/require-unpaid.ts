import type { ReconBreak } from '../breaks';
import type { Session } from '../db';
import { AppError } from '../kernel';
import { openMatchStore } from './match-store';
import { isOfRuns } from './run-breaks';

/**
 * Checks that no live match holds rows of a break that was raised before it. The money of such a break may no longer be
 * open: the next run closes or changes it.
 *
 * @throws AppError `conflict` that names the credit.
 */
export async function requireUnpaid(session: Session, reconBreak: ReconBreak): Promise<void> {
  const { id: breakId, openedAt, subject } = reconBreak;
  const [match] = await openMatchStore(session).madeAfter(openedAt, subject);
  if (match === undefined) return;
  const { lineId, items } = match;
  const ofItems = subject.itemIds.length;
  throw new AppError('paid_since', { breakId, lineId, items, ofItems, isOfRuns: isOfRuns(reconBreak) });
}
