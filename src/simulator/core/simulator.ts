import { AppError, type BusinessDate, formatInstant, type Instant } from '../../kernel';
import type { SimAnswer, SimOperation, SimRequest } from './operation';
import { beginWorld, continueWorld, type Run, simulationOf, type WorldInMotion } from './run';
import type { SimulatorSettings } from './settings';
import type { Simulation } from './simulation';
import type { ClockMode, SimulatorClock } from './simulator-clock';
import type { TimelineHandlers } from './timeline';
import { Turns } from './turns';
import type { ChannelStates, World } from './world';

/** The parts that the channels register (`composition/gateway-parts.ts`). */
export interface GatewayParts {
  readonly operations: readonly SimOperation[];
  readonly events: TimelineHandlers;
  /** The channels' states of a new world. */
  readonly emptyStates: () => ChannelStates;
  /**
   * Decodes settings.
   *
   * @throws AppError `bad_input` whose details name each invalid setting.
   */
  readonly decodeSettings: (value: unknown) => SimulatorSettings;
  /** Plans the events that need no call, such as the first cut; called once for a new world. */
  readonly begin: (simulation: Simulation) => void;
}

export interface SimulatorParts extends GatewayParts {
  readonly clock: SimulatorClock;
  readonly seed: number;
  readonly timeZone: string;
  readonly holidays: readonly BusinessDate[];
  readonly settings?: unknown;
  /** A saved world to continue. */
  readonly world?: World;
}

/** The simulated gateway without HTTP: it processes operations and controls the simulated time. */
export interface Simulator {
  readonly simulation: Simulation;
  readonly operations: readonly SimOperation[];
  readonly clockMode: ClockMode;
  /** Returns the problem of the clock file at the last check; the time stands still meanwhile. */
  clockProblem(): ClockProblem | undefined;
  /** Returns a number that changes with each change of the saved state, but not with time alone. */
  revision(): number;
  /** Answers a call at the current simulated time. */
  answer(operation: SimOperation, request: SimRequest): SimAnswer;
  /**
   * Moves the time to `instant` and runs every event that is due by then, in order, including webhooks and their
   * repeats. Several calls run one after the other. Pass a function for a target that depends on the current time,
   * because an earlier call may move the time first.
   *
   * @throws AppError `conflict` when the clock is a file, `bad_input` for a past instant.
   */
  advanceTo(instant: Instant | ((now: Instant) => Instant)): Promise<void>;
  /** Runs every event that is due by the clock, and waits for it. */
  catchUp(): Promise<void>;
  /**
   * Does the same before a call is answered, but does not wait for the answer to a webhook, because its receiver may be
   * the caller.
   */
  catchUpForCall(): Promise<void>;
  /**
   * Waits for every event that is due after a change, except while a webhook is being delivered, because its receiver
   * may be the caller.
   */
  catchUpAfterChange(): Promise<void>;
  /** Starts a new world at its original time, with the same seed by default. */
  restart(seed?: number): Promise<void>;
  /** Continues from a saved world, at its time. The settings stay. */
  load(world: World): Promise<void>;
  changeSettings(value: unknown): SimulatorSettings;
  /** Returns the current world. It shares objects with the running one, so store it immediately. */
  snapshot(): World;
  /** Calls `read` while no event runs, because a saved world cannot contain a half-delivered webhook. */
  whenAtRest<T>(read: () => T): Promise<T>;
}

export type ClockProblem =
  /** The file is unreadable, or contains no instant or one outside the calendars. The last valid time stays. */
  | { readonly kind: 'unusable'; readonly text: string }
  /** The file names an instant before the simulated time, which never goes back. */
  | { readonly kind: 'behind'; readonly text: string };

export function createSimulator(parts: SimulatorParts): Simulator {
  const { clock, operations, decodeSettings } = parts;
  const newWorld = (seed: number): WorldInMotion => beginWorld(seed, clock.now(), parts.emptyStates());
  const first = parts.world === undefined ? newWorld(parts.seed) : continueWorld(parts.world);
  const run: Run = { ...first, settings: decodeSettings(parts.settings), revision: 0 };
  const simulation = simulationOf(run, parts);
  if (parts.world === undefined) parts.begin(simulation);
  const turns = new Turns();
  const happen = (until: () => Instant): Promise<void> => happenUntil(until, run, simulation, parts.events, turns);
  const catchUp = (): Promise<void> => turns.next(() => happen(() => clock.now()));

  return {
    simulation,
    operations,
    clockMode: clock.mode,
    clockProblem: () => clockProblemOf(clock, run.world.now),
    revision: () => run.revision,
    answer: (operation, request) => {
      run.revision += 1;
      return operation.answer(simulation, request);
    },
    advanceTo: (target) =>
      turns.next(async () => {
        // The clock moves only after all events have run, so that nothing can happen in between.
        clock.mayBeMoved();
        const instant = typeof target === 'number' ? target : target(run.world.now);
        requireNotPast(instant, run.world.now);
        await happen(() => instant);
        clock.advanceTo(instant);
        run.revision += 1;
      }),
    catchUp,
    catchUpForCall: () => turns.unlessHeld(catchUp),
    catchUpAfterChange: async () => {
      run.revision += 1;
      if (!turns.isHeld) await catchUp();
    },
    restart: (seed = run.world.seed) =>
      turns.next(async () => {
        clock.reset();
        Object.assign(run, newWorld(seed));
        parts.begin(simulation);
        run.revision += 1;
      }),
    load: (saved) =>
      turns.next(async () => {
        // Read before anything changes, so that an invalid state leaves the current one.
        const read = continueWorld(saved);
        clock.setTo(saved.now);
        Object.assign(run, read);
        run.revision += 1;
      }),
    changeSettings: (value) => {
      run.settings = decodeSettings(value);
      run.revision += 1;
      return run.settings;
    },
    whenAtRest: (read) => turns.next(async () => read()),
    snapshot: () => ({ ...run.world, randomState: run.random.state(), timeline: run.timeline.all() }),
  };
}

/** Runs one event after the other and waits for each, so that the order does not depend on the receivers' speed. */
async function happenUntil(
  until: () => Instant,
  run: Run,
  simulation: Simulation,
  events: TimelineHandlers,
  turns: Turns,
): Promise<void> {
  for (;;) {
    const event = run.timeline.takeDue(until());
    if (event === undefined) break;
    run.world.now = Math.max(run.world.now, event.at);
    run.revision += 1;
    await turns.hold(events[event.kind]?.(simulation, event.data));
    run.revision += 1;
  }
  run.world.now = Math.max(run.world.now, until());
}

/**
 * Refuses an instant in the past.
 *
 * @throws AppError `bad_input` for an instant before the simulated time.
 */
function requireNotPast(instant: Instant, reached: Instant): void {
  if (instant >= reached) return;
  const expected = `${formatInstant(reached)} (the simulated time) or later`;
  throw new AppError('bad_input', { field: 'to', expected, got: formatInstant(instant) });
}

function clockProblemOf(clock: SimulatorClock, reached: Instant): ClockProblem | undefined {
  if (clock.mode !== 'file') return undefined;
  const instant = clock.now();
  if (clock.problem !== undefined) return { kind: 'unusable', text: clock.problem };
  if (instant >= reached) return undefined;
  const text = `CLOCK_FILE: ${formatInstant(instant)} is before the simulated time, which never goes back`;
  return { kind: 'behind', text };
}
