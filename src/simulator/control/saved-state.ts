import { AppError, isAppError, isJsonObject, ownValue } from '../../kernel';
import { GATEWAY_PARTS } from '../composition/gateway-parts';
import { createSeededRandom, restoreSeededRandom } from '../core/seeded-random';
import { isSimulatedInstant, SIMULATED_TIME_RANGE } from '../core/simulated-time';
import type { Simulator } from '../core/simulator';
import { newWorld, type World } from '../core/world';
import { settingsJson } from './settings-json';

/** A whole simulator in one JSON document, used by its file and by the control API's snapshot. */
export interface SavedState {
  /** The settings as JSON; `decodeSettings` reads them. */
  readonly settings: unknown;
  readonly world: World;
}

const PARTS: ReadonlySet<string> = new Set(['settings', 'world'] satisfies (keyof SavedState)[]);

/** Returns JSON text, because the world keeps changing. Call it while no event runs. */
export function savedStateText(simulator: Simulator): string {
  const state: SavedState = { settings: settingsJson(simulator.simulation.settings), world: simulator.snapshot() };
  return `${JSON.stringify(state)}\n`;
}

/**
 * Reads the JSON of `savedStateText`. A state belongs to the version that saved it: the content of its parts is not
 * checked. `name` is the name of the state in the error.
 *
 * @throws AppError `bad_input` for anything else.
 */
export function decodeSavedState(value: unknown, name = 'snapshot'): SavedState {
  const refuse = (...details: readonly string[]): never => {
    throw new AppError('bad_input', { field: name, expected: 'a saved state of this version' }, { details });
  };
  if (!isJsonObject(value)) return refuse('expected a JSON object');
  const world = ownValue(value, 'world');
  if (!isJsonObject(world)) return refuse('world: expected an object');
  const [strange] = Object.keys(value).filter((name) => !PARTS.has(name));
  if (strange !== undefined) return refuse(`${strange}: unknown field`);
  const sample = Object.entries(newWorld(0, 0, createSeededRandom(0).state(), GATEWAY_PARTS.emptyStates()));
  for (const [part, empty] of sample) {
    if (kindOf(ownValue(world, part)) !== kindOf(empty)) return refuse(`world.${part}: expected ${kindOf(empty)}`);
  }
  const [unknown] = Object.keys(world).filter((name) => !sample.some(([known]) => known === name));
  if (unknown !== undefined) return refuse(`world.${unknown}: unknown field`);
  const now = ownValue(world, 'now');
  if (typeof now !== 'number' || !isSimulatedInstant(now)) {
    return refuse(`world.now: expected an instant ${SIMULATED_TIME_RANGE}`);
  }
  const settings = ownValue(value, 'settings');
  // Without settings the simulator would continue with the defaults, and therefore with other keys.
  if (!isJsonObject(settings)) return refuse('settings: expected an object');
  try {
    GATEWAY_PARTS.decodeSettings(settings);
    restoreSeededRandom(String(ownValue(world, 'randomState')));
  } catch (error) {
    if (!isAppError(error, 'bad_input')) throw error;
    return refuse(error.message, ...error.details);
  }
  // The only cast of this module: the fields are checked one level deep, and the rest is the simulator's own output.
  return { settings, world: world as unknown as World };
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return isJsonObject(value) ? 'an object' : `a ${typeof value}`;
}
