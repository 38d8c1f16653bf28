import type { FeeSchedule } from './fee-schedule-store';
import type { StoredMatch } from './match';
import type { AsOf } from './match-store';

/**
 * The rows of a run that has not recorded itself, because it was interrupted or still works. The next run infers them
 * again with the rest, because a part of an answer, used as history, would teach other rates than the whole.
 */
export interface InterruptedRun {
  readonly matches: readonly StoredMatch[];
  /** The fee schedule that it learned, unless a person has confirmed it. */
  readonly schedule: FeeSchedule | undefined;
}

/**
 * Splits live matches into history and matches of runs after the last recorded one. A past run stored the lines that it
 * had to explain, so only their matches can be of an interrupted run. Pure.
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
