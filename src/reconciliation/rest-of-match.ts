import type { ReconBreak } from '../breaks';
import type { Session } from '../db';
import { AppError, type Millimes, millimes } from '../kernel';
import { type Account, gatewayClearing } from '../ledger';
import { remainderFingerprint } from './find-remainders';
import { openMatchStore } from './match-store';
import { isOfRuns } from './run-breaks';

/** The breaks about a match: its remainder, or a status check that contradicts it. The id of the match follows. */
const ABOUT_MATCH = /^(?:amount_differs:match|ambiguous_payout:contradicted):(.+)$/;

/**
 * Returns what a match left in the clearing, for a break about the match: the remainder, in the channel in which the
 * match posted it. Its items are paid, so their channels hold nothing. Undefined for any other break.
 *
 * @throws AppError `conflict` that names the credit, if a match that is younger than the break holds rows of it. The
 * money of such a break may no longer be open: the next run closes or changes it.
 */
export async function restOfMatch(
  session: Session,
  reconBreak: ReconBreak,
): Promise<ReadonlyMap<Account, Millimes> | undefined> {
  const { id: breakId, fingerprint, openedAt, subject } = reconBreak;
  const store = openMatchStore(session);
  const [later] = await store.madeAfter(openedAt, subject);
  if (later !== undefined) {
    const ofItems = subject.itemIds.length;
    throw new AppError('paid_since', { breakId, ...later, ofItems, isOfRuns: isOfRuns(reconBreak) });
  }
  const [, matchId] = ABOUT_MATCH.exec(fingerprint) ?? [];
  if (matchId === undefined) return undefined;
  const match = await store.ofLine(subject.lineIds[0] ?? '');
  if (match?.id !== matchId || fingerprint !== remainderFingerprint(matchId)) return new Map();
  // Ledger less bank.
  return new Map([[gatewayClearing(match.restChannel), millimes(-match.remainder)]]);
}
