import type { FeeSchedule } from './fee-schedule-store';
import type { StoredMatch } from './match';
import type { AsOf } from './match-store';

/**
 * What a run has stored without recording itself: it was interrupted, or is still at work. The next run infers that again
 * together with the rest, because a part of the answer, taken for history, shows other rates than the whole.
 */
export interface InterruptedRun {
  readonly matches: readonly StoredMatch[];
  /** The fee schedule that it learned, while no person has confirmed it. */
  readonly schedule: FeeSchedule | undefined;
}

/**
 * Splits live matches into history and those of runs after the last recorded one. A run of the past has noted what
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
