import type { BusinessCalendar, Instant, WorkingDays } from '../../kernel';
import type { SeededRandom } from './seeded-random';
import type { SimulatorSettings } from './settings';
import type { TraceEntry, World } from './world';

/** The context of operations and events: the world, its time and its random numbers. */
export interface Simulation {
  readonly world: World;
  readonly settings: SimulatorSettings;
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  readonly random: SeededRandom;
  /** Returns the current simulated time. */
  now(): Instant;
  /** Returns a uuid derived from the seed. */
  newUuid(): string;
  /** Returns an opaque id derived from the seed: the prefix, and characters of base64url. */
  newId(prefix: string): string;
  /** Plans an event; a past instant is due immediately. */
  schedule(at: Instant, kind: string, data: Readonly<Record<string, string | number>>): void;
  /** Adds a line to the trace. */
  record(what: string, facts: TraceEntry['facts']): void;
}
