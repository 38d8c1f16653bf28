import type { Logger } from '../../logging';
import type { ClockProblem } from './simulator';

const EVENTS = {
  unusable: 'simulator.clock_file_unusable',
  behind: 'simulator.clock_file_behind',
} as const satisfies Record<ClockProblem['kind'], string>;

/**
 * Warns once per problem of the clock file. A problem is logged only if two checks see it, because a file is empty for
 * a moment while it is rewritten.
 */
export function clockWatch(logger: Logger): (problem: ClockProblem | undefined) => void {
  let seen: string | undefined;
  let said: string | undefined;
  return (problem) => {
    const text = problem?.text;
    if (text === seen && text !== said) {
      said = text;
      if (problem !== undefined) logger.warn(problem.text, { event: EVENTS[problem.kind] });
    }
    seen = text;
  };
}
