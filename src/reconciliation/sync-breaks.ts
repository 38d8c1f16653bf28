import { type BreakStore, comesBack, DISAPPEARED, type NewBreak, type ReconBreak } from '../breaks';
import { fingerprintOf, type Instant } from '../kernel';
import { CLASSES_OF_RUNS, isOfRuns } from './run-breaks';

/**
 * Opens new breaks, stores changes, closes breaks that disappeared, and reopens breaks that one person or a run closed.
 */
export async function syncBreaks(
  store: BreakStore,
  found: readonly NewBreak[],
  runId: string,
  at: Instant,
): Promise<void> {
  const actor = `run:${runId}`;
  const known = await store.byFingerprint(found.map(({ fingerprint }) => fingerprint));
  await store.open(
    found.filter(({ fingerprint }) => !known.has(fingerprint)),
    at,
    actor,
  );
  for (const now of found) {
    const before = known.get(now.fingerprint);
    if (before === undefined) continue;
    if (before.status !== 'resolved') {
      if (differs(before, now)) await store.change(before.id, now, at, actor);
    } else if (comesBack(before, now)) await store.reopen(before.id, now, at, actor);
  }
  const stillThere = new Set(found.map(({ fingerprint }) => fingerprint));
  for (const gone of (await store.list({ classes: CLASSES_OF_RUNS })).filter(isOfRuns)) {
    if (!stillThere.has(gone.fingerprint)) await store.resolve(gone.id, DISAPPEARED, at, actor, { runId });
  }
}

function differs(before: ReconBreak, now: NewBreak): boolean {
  return (
    before.amount !== now.amount ||
    before.direction !== now.direction ||
    before.since !== now.since ||
    fingerprintOf(before.subject) !== fingerprintOf(now.subject)
  );
}
