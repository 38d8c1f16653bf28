import { AppError, businessCalendar, type BusinessDate, formatInstant, type Instant, WorkingDays } from '../../kernel';
import { TRACE_LINES_DROPPED, TRACE_LINES_MAX } from './limits';
import type { SimAnswer, SimOperation, SimRequest } from './operation';
import { createSeededRandom, restoreSeededRandom, type SeededRandom } from './seeded-random';
import type { SimulatorSettings } from './settings';
import type { Simulation } from './simulation';
import type { ClockMode, SimulatorClock } from './simulator-clock';
import { Timeline, type TimelineHandlers } from './timeline';
import { type ChannelStates, newWorld, type World } from './world';

/** The parts that the channels register (`composition/gateway-parts.ts`). */
export interface GatewayParts {
  readonly operations: readonly SimOperation[];
  readonly events: TimelineHandlers;
  /** The channels' states of a new world. */
  readonly emptyStates: () => ChannelStates;
  /** @throws AppError `bad_input` whose details name each setting that cannot be used. */
  readonly decodeSettings: (value: unknown) => SimulatorSettings;
  /** Plans what happens without a call, such as the first cut; called once for a new world. */
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

/** The simulated gateway without its HTTP side: operations in, answers out, and a time that moves. */
export interface Simulator {
  readonly simulation: Simulation;
  readonly operations: readonly SimOperation[];
  readonly clockMode: ClockMode;
  /** The problem of the file that the time is read from, as of the last check; the time stops meanwhile. */
  clockProblem(): ClockProblem | undefined;
  /** Another number after each change of what a saved state holds. Time that only passes changes nothing. */
  revision(): number;
  /** Answers at the simulated time that has been reached. */
  answer(operation: SimOperation, request: SimRequest): SimAnswer;
  /**
   * Moves the time to `instant` and lets everything happen that is due by then, in order, webhooks and their repeats
   * included. Calls of this run one after the other; a target that depends on the time that has been reached is a
   * function of it, because the time may move until it is this one's turn.
   *
   * @throws AppError `conflict` when the clock is a file, `bad_input` for a past instant.
   */
  advanceTo(instant: Instant | ((now: Instant) => Instant)): Promise<void>;
  /** Runs everything that is due by the clock, and waits for it. */
  catchUp(): Promise<void>;
  /**
   * The same before a call is answered. It does not wait for the answer to a webhook, because its receiver may be the
   * caller.
   */
  catchUpForCall(): Promise<void>;
  /**
   * Waits for everything that is due after a change, except while a webhook is being delivered: its receiver may be the
   * caller.
   */
  catchUpAfterChange(): Promise<void>;
  /** Begins a new world at its original time, with the same seed unless another is given. */
  restart(seed?: number): Promise<void>;
  /** Continues from a saved world, at its time. The settings do not change. */
  load(world: World): Promise<void>;
  changeSettings(value: unknown): SimulatorSettings;
  /** Returns the present world. It shares its parts with the running one: write it down immediately. */
  snapshot(): World;
  /** Reads while no event runs: a saved world would not hold a half-delivered webhook. */
  whenAtRest<T>(read: () => T): Promise<T>;
}

export type ClockProblem =
  /** The file cannot be read, holds no instant, or one that calendars do not have: the last good time counts. */
  | { readonly kind: 'unusable'; readonly text: string }
  /** It names an instant before the simulated time, which never goes back. */
  | { readonly kind: 'behind'; readonly text: string };

export function createSimulator(parts: SimulatorParts): Simulator {
  const { clock, operations, events, decodeSettings } = parts;
  const created = (seed: number): Begun => {
    const random = createSeededRandom(seed);
    const world = newWorld(seed, clock.now(), random.state(), parts.emptyStates());
    return { random, world, timeline: new Timeline() };
  };
  let { random, world, timeline } = parts.world === undefined ? created(parts.seed) : loaded(parts.world);
  let settings = decodeSettings(parts.settings);
  let queue: Promise<unknown> = Promise.resolve();
  let held = false;
  const whenHeld = new Set<() => void>();

  let revision = 0;
  const changed = (): void => void (revision += 1);

  const nextNumber = (): number => (world.lastNumber += 1);
  const simulation: Simulation = {
    get world() {
      return world;
    },
    get settings() {
      return settings;
    },
    get random() {
      return random;
    },
    calendar: businessCalendar(parts.timeZone),
    workingDays: new WorkingDays(parts.holidays),
    now: () => world.now,
    newUuid: () => uuidOf(random.hex(32)),
    newId: (prefix) => `${prefix}${random.hex(20)}`,
    schedule: (at, kind, data) => {
      if (!Object.hasOwn(events, kind)) throw new AppError('internal', `no event of the simulator is called ${kind}`);
      timeline.add({ at: Math.max(at, world.now), order: nextNumber(), kind, data });
      changed();
    },
    record: (what, facts) => {
      world.trace.push({ number: nextNumber(), at: formatInstant(world.now), what, facts });
      if (world.trace.length > TRACE_LINES_MAX) world.trace.splice(0, TRACE_LINES_DROPPED);
      changed();
    },
  };
  if (parts.world === undefined) parts.begin(simulation);

  /** One event after the other, each waited for: so the order of a run does not depend on how fast receivers are. */
  async function happen(until: () => Instant): Promise<void> {
    for (;;) {
      const event = timeline.takeDue(until());
      if (event === undefined) break;
      world.now = Math.max(world.now, event.at);
      changed();
      await holdFor(events[event.kind]?.(simulation, event.data));
      changed();
    }
    world.now = Math.max(world.now, until());
  }

  async function holdFor(work: void | Promise<void>): Promise<void> {
    if (work === undefined) return;
    held = true;
    for (const wake of whenHeld) wake();
    whenHeld.clear();
    try {
      await work;
    } finally {
      held = false;
    }
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = queue.then(work);
    queue = turn.catch(() => undefined); // the caller of this turn gets the error; the next one still runs
    return turn;
  }

  const catchUp = (): Promise<void> => inTurn(() => happen(() => clock.now()));

  return {
    simulation,
    operations,
    clockMode: clock.mode,
    clockProblem: () => clockProblemOf(clock, world.now),
    revision: () => revision,
    answer: (operation, request) => {
      changed();
      return operation.answer(simulation, request);
    },
    advanceTo: (target) =>
      inTurn(async () => {
        // The clock says the new time only when all has happened, so that nothing can slip in between at the end.
        clock.mayBeMoved();
        const instant = typeof target === 'number' ? target : target(world.now);
        if (instant < world.now) {
          const expected = `${formatInstant(world.now)} (the simulated time) or later`;
          throw new AppError('bad_input', { field: 'to', expected, got: formatInstant(instant) });
        }
        await happen(() => instant);
        clock.advanceTo(instant);
        changed();
      }),
    catchUp,
    catchUpForCall: async () => {
      if (held) return;
      let wake = (): void => undefined;
      const heldUp = new Promise<void>((resolve) => whenHeld.add((wake = resolve)));
      await Promise.race([catchUp(), heldUp]).finally(() => whenHeld.delete(wake));
    },
    catchUpAfterChange: async () => {
      changed();
      if (!held) await catchUp();
    },
    restart: (seed = world.seed) =>
      inTurn(() => {
        clock.reset();
        ({ random, world, timeline } = created(seed));
        parts.begin(simulation);
        changed();
        return Promise.resolve();
      }),
    load: (saved) =>
      inTurn(() => {
        // Read before anything changes: an unusable state leaves the present one.
        const read = loaded(saved);
        clock.setTo(saved.now);
        ({ random, world, timeline } = read);
        changed();
        return Promise.resolve();
      }),
    changeSettings: (value) => {
      settings = decodeSettings(value);
      changed();
      return settings;
    },
    whenAtRest: (read) => inTurn(() => Promise.resolve(read())),
    snapshot: () => ({ ...world, randomState: random.state(), timeline: timeline.all() }),
  };
}

function clockProblemOf(clock: SimulatorClock, reached: Instant): ClockProblem | undefined {
  if (clock.mode !== 'file') return undefined;
  const instant = clock.now();
  if (clock.problem !== undefined) return { kind: 'unusable', text: clock.problem };
  if (instant >= reached) return undefined;
  const text = `CLOCK_FILE: ${formatInstant(instant)} is before the simulated time, which never goes back`;
  return { kind: 'behind', text };
}

interface Begun {
  readonly random: SeededRandom;
  readonly world: World;
  readonly timeline: Timeline;
}

function loaded(world: World): Begun {
  return { random: restoreSeededRandom(world.randomState), world, timeline: new Timeline(world.timeline) };
}

/** A version 4 uuid of 32 hexadecimal digits. */
function uuidOf(hex: string): string {
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
