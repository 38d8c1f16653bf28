import { comesBack, DISAPPEARED, type BreakBook, type NewBreak, type ReconBreak } from '../breaks';
import { fingerprintOf, type Instant } from '../kernel';
import { CLASSES_OF_RUNS, isOfRuns } from './run-breaks';

/** Opens what is new, notes what changed, closes what is gone; what one person or an earlier run closed comes back. */
export async function syncBreaks(
  book: BreakBook,
  found: readonly NewBreak[],
  runId: string,
  at: Instant,
): Promise<void> {
  const actor = `run:${runId}`;
  const known = await book.byFingerprint(found.map(({ fingerprint }) => fingerprint));
  await book.open(
    found.filter(({ fingerprint }) => !known.has(fingerprint)),
    at,
    actor,
  );
  for (const now of found) {
    const before = known.get(now.fingerprint);
    if (before === undefined) continue;
    if (before.status !== 'resolved') {
      if (differs(before, now)) await book.change(before.id, now, at, actor);
    } else if (comesBack(before, now)) await book.reopen(before.id, now, at, actor);
  }
  const stillThere = new Set(found.map(({ fingerprint }) => fingerprint));
  for (const gone of (await book.list({ classes: CLASSES_OF_RUNS })).filter(isOfRuns)) {
    if (!stillThere.has(gone.fingerprint)) await book.resolve(gone.id, DISAPPEARED, at, actor, { runId });
  }
}

function differs(before: ReconBreak, now: NewBreak): boolean {
  return (
    before.amount !== now.amount ||
    before.since !== now.since ||
    fingerprintOf(before.subject) !== fingerprintOf(now.subject)
  );
}
