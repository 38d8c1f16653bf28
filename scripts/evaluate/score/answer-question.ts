import { businessCalendar, WorkingDays } from '../../../src/kernel';
import { matchPayouts, type MatchResult } from '../../../src/payout-inference';
import type { WorldFiles } from '../world';

/** Tunisian banks keep one time zone. */
export const TIME_ZONE = 'Africa/Tunis';

/** All that the engine is told: the files of a world and the limit. */
export interface EngineQuestion {
  readonly files: WorldFiles;
  readonly maxError: number;
}

export interface EngineAnswer {
  readonly result: MatchResult;
  /** The engine alone: no files, no processes. */
  readonly tookMs: number;
}

/** Asks the engine about the files of a world. */
export function answerQuestion({ files, maxError }: EngineQuestion): EngineAnswer {
  const request = {
    items: files.items,
    observations: files.observations,
    lines: files.lines,
    fees: files.fees,
    calendar: businessCalendar(TIME_ZONE),
    workingDays: new WorkingDays(files.holidays),
    maxError,
  };
  const startedAt = performance.now();
  const result = matchPayouts(request);
  return { result, tookMs: performance.now() - startedAt };
}
