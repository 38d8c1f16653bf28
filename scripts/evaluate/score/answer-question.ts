import { businessCalendar, WorkingDays } from '../../../src/kernel';
import { matchPayouts, type MatchResult } from '../../../src/payout-inference';
import type { WorldFiles } from '../world';

/** Tunisian banks use one time zone. */
export const TIME_ZONE = 'Africa/Tunis';

/** The whole input of the engine: the files of a world and the limit. */
export interface EngineQuestion {
  readonly files: WorldFiles;
  readonly maxError: number;
}

export interface EngineAnswer {
  readonly result: MatchResult;
  /** The time of the engine alone, without files and processes. */
  readonly tookMs: number;
}

/** Runs the engine on the files of a world. */
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
