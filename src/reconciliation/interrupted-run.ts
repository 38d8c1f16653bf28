import type { FeeSchedule } from './fee-schedule-store';
import type { StoredMatch } from './match';
import type { AsOf } from './match-store';

/**
 * What a run has stored that was never recorded: it was cut off, or is still at work. The run after it works that out again
 * together with the rest, for a part of the answer, taken for history, tells of other habits than the whole.
 */
export interface InterruptedRun {
  readonly matches: readonly StoredMatch[];
  /** What it had learned of the fees, as long as nobody has confirmed it. */
  readonly schedule: FeeSchedule | undefined;
}

/**
 * Tells the matches that hold as history from those of runs after the last one on record. A run of the past has noted what
 * it was to explain: only of that it worked anything out again. Pure.
 */
export function splitMatches(
  live: readonly StoredMatch[],
  lastRunId: string,
  asOf: AsOf | undefined,
): { readonly matches: readonly StoredMatch[]; readonly interrupted: readonly StoredMatch[] } {
  const noted = asOf === undefined ? undefined : new Set(asOf.openLineIds);
  const isInterrupted = ({ runId, lineId }: StoredMatch): boolean =>
    runId !== undefined && runId > lastRunId && (noted?.has(lineId) ?? true);
  return {
    matches: live.filter((match) => !isInterrupted(match)),
    interrupted: live.filter(isInterrupted),
  };
}
