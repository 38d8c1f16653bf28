import type { Database } from '../../../../src/db';
import type { Random } from '../../../support/random';
import type { Rooms } from '../rooms';
import type { Model } from './model';

/** What a call of a use case came to: what it gave, or the code of the AppError with which it refused. */
export type Answer<T> = T | `refused: ${string}`;

/**
 * How a step ended. `answered`: its caller read an answer, perhaps after faults that were got over. Otherwise a fault
 * reached the caller, who asked again in peace, and `answer` is what he was told then: about the call's first effect or
 * its second.
 */
export interface Settled<T> {
  readonly answered: boolean;
  readonly answer: Answer<T>;
}

/** What an operation of a history works with. */
export interface Scene {
  readonly rooms: Rooms;
  readonly database: Database;
  readonly model: Model;
  readonly random: Random;
  /** Counts the steps from 1: for references that are new. */
  readonly step: number;
  /** The bank pays out everything at once and in no sums that look alike, so that every payout must be found. */
  readonly tidy: boolean;
  /** Makes the call under the faults of this step, and once more without any when a fault came out of it. */
  settle<T>(what: string, call: () => Promise<T>): Promise<Settled<T>>;
}

/** One random thing that people, the gateway or the bank do, and what the model says of it. */
export type Operation = (scene: Scene) => Promise<void>;
