import { linesWrittenOff } from '../../breaks';
import type { Session } from '../../db';
import type { BusinessDate, Instant } from '../../kernel';
import { openStatements } from '../../statements';
import { openMatchStore } from '../match-store';
import { type CoveringRun, openRunStore } from '../run-store';
import type { Reconciled } from './closing-obstacles';

/** Returns what the runs have seen of a day that ended at `dayEnd`, and of the days before. */
export async function readReconciled(session: Session, date: BusinessDate, dayEnd: Instant): Promise<Reconciled> {
  const runs = openRunStore(session);
  const covering = await runs.lastCovering(date, dayEnd);
  const last = await runs.last();
  return {
    isCovered: covering !== undefined,
    isUnfinished: last !== undefined && (await openMatchStore(session).hasUnfinishedRun(last.id)),
    unreadDates: covering === undefined ? [] : await unreadDates(session, date, covering),
    furthest: last?.furthest,
  };
}

/**
 * Returns the dates of the lines that a run through the day reads, except those that this run has read and those of which
 * people have disposed since.
 */
async function unreadDates(session: Session, date: BusinessDate, run: CoveringRun): Promise<BusinessDate[]> {
  const statements = openStatements(session);
  const lines = [
    ...(await statements.payoutCandidates({ through: date })),
    ...(await statements.possibleReturns({ through: date })),
  ];
  const read = run.openLineIds === undefined ? undefined : new Set(run.openLineIds);
  // A run of a version that stored no lines read those of every file imported by then.
  const others = lines.filter(({ lineId, importedAt }) =>
    read === undefined ? importedAt > run.recordedAt : !read.has(lineId),
  );
  const claimed = await openMatchStore(session).claimedLines(others.map(({ lineId }) => lineId));
  const open = others.filter(({ lineId }) => !claimed.has(lineId));
  const writtenOff = await linesWrittenOff(
    session,
    open.map(({ lineId }) => lineId),
  );
  return open
    .filter(({ lineId }) => !writtenOff.has(lineId))
    .map(({ bookingDate }) => bookingDate)
    .sort();
}
