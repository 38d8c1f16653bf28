import type { Database } from '../../../src/db';
import type { Instant } from '../../../src/kernel';
import type { Random } from '../../support/random';
import type { Gateway } from './gateway';
import type { Model } from './model';
import type { ProcessRooms } from './process';

/** What a call of a use case came to: what it gave, or the code of the AppError with which it refused. */
export type Answer<T> = T | `refused: ${string}`;

/**
 * How a step ended. `answered`: its caller read an answer, perhaps after faults that were got over. Otherwise a fault
 * reached the caller, who asked again without faults, and `answer` is what they were told then: about the call's first
 * effect or its second.
 */
export interface Settled<T> {
  readonly answered: boolean;
  readonly answer: Answer<T>;
  /** The faults of the database that struck the first call. */
  readonly struck: readonly string[];
}

/** Makes a call under the faults of the step, and once more without any when a fault came out of it. */
export type Settle = <T>(what: string, call: () => Promise<T>) => Promise<Settled<T>>;

/** What an operation of a history works with. */
export interface Scene {
  readonly rooms: ProcessRooms;
  readonly database: Database;
  readonly model: Model;
  readonly random: Random;
  /** Counts the steps from 1: for references that are new. */
  readonly step: number;
  /** The bank pays out everything at once and in no sums that look alike, so that every payout must be found. */
  readonly tidy: boolean;
  readonly settle: Settle;
  /** Whether no fault of the database is planned for the step. */
  readonly isInPeace: boolean;
  /** The simulated gateway; undefined where a history has none. */
  readonly gateway: Gateway | undefined;
  /** The true time; the clock of a process may be wrong. */
  now(): Instant;
  /** Lets true time pass, for every process. */
  pass(ms: number): Promise<void>;
  /** Lets the other process work, while its clock is wrong by so much. */
  beside(skewMs: number, work: Work): Promise<void>;
  /**
   * Lets both processes work beside each other, in turns that chance decides. Each time the turn changes hands,
   * `pausedMs` pass for every process, so that a lease may end under its holder.
   */
  race(pausedMs: number, works: readonly [Work, Work], onSwitch?: () => void): Promise<void>;
}

/** What one process does in a race. */
export type Work = (its: {
  readonly rooms: ProcessRooms;
  readonly database: Database;
  readonly settle: Settle;
}) => Promise<void>;

/** One random thing that people, the gateway or the bank do, and what the model says of it. */
export type Operation = (scene: Scene) => Promise<void>;
