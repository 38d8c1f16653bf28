import { formatInstant } from '../../kernel';
import type { Simulator } from '../core/simulator';
import { type ControlRoute, json } from './control-route';
import { readBody } from './read-request';
import { instantOf, timeTarget } from './time-target';

export const timeControls: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/time',
    does: 'returns the simulated time in UTC and local, how it moves, and in `problem` why CLOCK_FILE does not move it',
    answer: (simulator) => json(timeOf(simulator)),
  },
  {
    method: 'POST',
    path: '/time/advance',
    takes: 'one of `to` (instant), `by` (`PT1H`), `minutes`, `days`, `workingDays`',
    does: 'moves the time; returns when everything due by then has happened, webhooks included',
    async answer(simulator, request) {
      const given = readBody(timeTarget, request);
      const { simulation } = simulator;
      await simulator.advanceTo((now) => instantOf(given, now, simulation));
      return json(timeOf(simulator));
    },
  },
];

function timeOf({ simulation, clockMode, clockProblem }: Simulator): unknown {
  const { calendar, workingDays } = simulation;
  const now = simulation.now();
  const businessDate = calendar.dateOf(now);
  return {
    now: formatInstant(now),
    local: calendar.formatLocal(now),
    timeZone: calendar.timeZone,
    businessDate,
    workingDay: workingDays.isWorkingDay(businessDate),
    mode: clockMode,
    problem: clockProblem()?.text ?? null,
  };
}
