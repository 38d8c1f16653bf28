import { linesWrittenOff } from '../breaks';
import type { Session } from '../db';
import { openMatchStore } from './match-store';

/** Returns which of these lines a match, the return of a payout or a write-off uses, and locks the rows that decide it. */
export async function linesInUse(session: Session, lineIds: readonly string[]): Promise<ReadonlySet<string>> {
  const used = await openMatchStore(session).usedLines(lineIds);
  const writtenOff = await linesWrittenOff(session, lineIds, { hold: true });
  return new Set([...used, ...lineIds.filter((lineId) => writtenOff.has(lineId))]);
}
