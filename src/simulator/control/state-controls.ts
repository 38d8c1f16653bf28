import { z } from 'zod';
import { type ControlRoute, json, jsonText } from './control-route';
import { mergeSettings } from './merge-settings';
import { readBody, readQuery } from './read-request';
import { decodeSavedState, savedStateText } from './saved-state';
import { settingsJson } from './settings-json';
import { stateSummary } from './state-summary';

const TRACE_LINES_DEFAULT = 100;
const TRACE_LINES_MAX = 10_000;

const wholeNumber = z
  .string()
  .regex(/^\d{1,12}$/, 'expected a whole number')
  .transform(Number);
const traceQuery = z.strictObject({
  after: wholeNumber.default(0),
  limit: wholeNumber
    .refine((lines) => lines >= 1 && lines <= TRACE_LINES_MAX, `expected a number from 1 to ${TRACE_LINES_MAX}`)
    .default(TRACE_LINES_DEFAULT),
});
const resetBody = z.strictObject({ seed: z.int().min(0).optional() });

export const stateControls: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/state',
    does: 'counts payments, subscriptions, webhooks and payouts by state, and shows the next events',
    answer: (simulator) => json(stateSummary(simulator)),
  },
  {
    method: 'GET',
    path: '/trace',
    takes: '`after` (number of a line), `limit` (100; at most 10000)',
    does: 'lists events in order; the same seed and calls give the same trace',
    answer: ({ simulation }, request) => {
      const { after, limit } = readQuery(traceQuery, request);
      return json({ lines: simulation.world.trace.filter(({ number }) => number > after).slice(0, limit) });
    },
  },
  {
    method: 'GET',
    path: '/settings',
    does: 'returns all settings',
    answer: ({ simulation }) => json(settingsJson(simulation.settings)),
  },
  {
    method: 'PATCH',
    path: '/settings',
    takes: 'the settings that change; lists whole',
    does: 'changes settings, or none if one is invalid; planned events stay',
    answer: (simulator, request) => {
      const change = readBody(z.record(z.string(), z.unknown()), request);
      const merged = mergeSettings(settingsJson(simulator.simulation.settings), change);
      return json(settingsJson(simulator.changeSettings(merged)));
    },
  },
  {
    method: 'GET',
    path: '/snapshot',
    does: 'returns settings and world as one JSON document',
    answer: (simulator) => simulator.whenAtRest(() => jsonText(savedStateText(simulator))),
  },
  {
    method: 'POST',
    path: '/snapshot',
    takes: 'the result of `GET /_simulator/snapshot`',
    does: 'continues from there, at its time',
    async answer(simulator, request) {
      const { settings, world } = decodeSavedState(request.body);
      await simulator.load(world);
      simulator.changeSettings(settings);
      return json(stateSummary(simulator));
    },
  },
  {
    method: 'POST',
    path: '/reset',
    takes: '`seed`?',
    does: 'creates a new world at its original time; settings stay',
    async answer(simulator, request) {
      await simulator.restart(readBody(resetBody, request).seed);
      return json(stateSummary(simulator));
    },
  },
];
