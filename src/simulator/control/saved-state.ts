import { AppError, isJsonObject, ownValue } from '../../kernel';
import { GATEWAY_PARTS } from '../composition/gateway-parts';
import { isSimulatedInstant, SIMULATED_TIME_RANGE } from '../core/simulated-time';
import type { Simulator } from '../core/simulator';
import { newWorld, type World } from '../core/world';
import { createSeededRandom, restoreSeededRandom } from '../core/seeded-random';
import { settingsJson } from './settings-json';

/** All of a simulator in one JSON document: its file, and what the control API gives and takes. */
export interface SavedState {
  /** As JSON has them; `decodeSettings` reads them. */
  readonly settings: unknown;
  readonly world: World;
}

const PARTS: ReadonlySet<string> = new Set(['settings', 'world'] satisfies (keyof SavedState)[]);

/** As JSON text, because the world goes on changing. Ask for it at rest. */
export function savedStateText(simulator: Simulator): string {
  const state: SavedState = { settings: settingsJson(simulator.simulation.settings), world: simulator.snapshot() };
  return `${JSON.stringify(state)}\n`;
}

/**
 * Reads what `savedStateText` gave, from JSON. A state is for the version that saved it: the content of the parts is not checked.
 *
 * @throws AppError `bad_input` for anything else.
 */
export function decodeSavedState(value: unknown): SavedState {
  const refuse = (detail: string): never => {
    throw new AppError('bad_input', 'this is not a saved state of this version', { details: [detail] });
  };
  if (!isJsonObject(value)) return refuse('it is not a JSON object');
  const world = ownValue(value, 'world');
  if (!isJsonObject(world)) return refuse('world: is missing');
  const [strange] = Object.keys(value).filter((name) => !PARTS.has(name));
  if (strange !== undefined) return refuse(`${strange}: is not known`);
  const sample = Object.entries(newWorld(0, 0, createSeededRandom(0).state(), GATEWAY_PARTS.emptyStates()));
  for (const [name, empty] of sample) {
    if (kindOf(ownValue(world, name)) !== kindOf(empty)) return refuse(`world.${name}: must be ${kindOf(empty)}`);
  }
  const [unknown] = Object.keys(world).filter((name) => !sample.some(([known]) => known === name));
  if (unknown !== undefined) return refuse(`world.${unknown}: is not known`);
  const now = ownValue(world, 'now');
  if (typeof now !== 'number' || !isSimulatedInstant(now)) return refuse(`world.now: must be ${SIMULATED_TIME_RANGE}`);
  const settings = ownValue(value, 'settings');
  // Without them it would go on with the defaults, and other keys.
  if (!isJsonObject(settings)) return refuse('settings: is missing');
  GATEWAY_PARTS.decodeSettings(settings);
  restoreSeededRandom(String(ownValue(world, 'randomState')));
  // The one cast of this room: the fields are checked one level deep, and the rest is the simulator's own output.
  return { settings, world: world as unknown as World };
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return isJsonObject(value) ? 'an object' : `a ${typeof value}`;
}
