import { AppError, businessCalendar, type BusinessDate, formatInstant, type Instant, WorkingDays } from '../../kernel';
import { createSeededRandom, restoreSeededRandom, type SeededRandom } from './seeded-random';
import type { SimulatorSettings } from './settings';
import type { Simulation } from './simulation';
import { Timeline, type TimelineHandlers } from './timeline';
import { type ChannelStates, newWorld, type World } from './world';

/** When the trace has more lines than this, it drops the oldest ones. */
const TRACE_LINES_MAX = 200_000;
const TRACE_LINES_DROPPED = 50_000;

/** The parts that a restart or a load replaces. */
export interface WorldInMotion {
  random: SeededRandom;
  world: World;
  timeline: Timeline;
}

/** The current state of a simulator. */
export interface Run extends WorldInMotion {
  settings: SimulatorSettings;
  /** Changes with each change of the saved state. */
  revision: number;
}

export function beginWorld(seed: number, now: Instant, channels: ChannelStates): WorldInMotion {
  const random = createSeededRandom(seed);
  return { random, world: newWorld(seed, now, random.state(), channels), timeline: new Timeline() };
}

export function continueWorld(world: World): WorldInMotion {
  return { random: restoreSeededRandom(world.randomState), world, timeline: new Timeline(world.timeline) };
}

export interface SimulationParts {
  readonly events: TimelineHandlers;
  readonly timeZone: string;
  readonly holidays: readonly BusinessDate[];
}

/** Creates the context of operations and events. It follows the run when a restart or a load replaces its world. */
export function simulationOf(run: Run, { events, timeZone, holidays }: SimulationParts): Simulation {
  const nextNumber = (): number => (run.world.lastNumber += 1);
  return {
    get world() {
      return run.world;
    },
    get settings() {
      return run.settings;
    },
    get random() {
      return run.random;
    },
    calendar: businessCalendar(timeZone),
    workingDays: new WorkingDays(holidays),
    now: () => run.world.now,
    newUuid: () => uuidOf(run.random.hex(32)),
    newId: (prefix) => `${prefix}${run.random.hex(20)}`,
    schedule: (at, kind, data) => {
      if (!Object.hasOwn(events, kind)) throw new AppError('internal', `no event of the simulator is called ${kind}`);
      run.timeline.add({ at: Math.max(at, run.world.now), order: nextNumber(), kind, data });
      run.revision += 1;
    },
    record: (what, facts) => {
      const { world } = run;
      world.trace.push({ number: nextNumber(), at: formatInstant(world.now), what, facts });
      if (world.trace.length > TRACE_LINES_MAX) world.trace.splice(0, TRACE_LINES_DROPPED);
      run.revision += 1;
    },
  };
}

/** Returns a version 4 uuid of 32 hexadecimal digits. */
function uuidOf(hex: string): string {
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
