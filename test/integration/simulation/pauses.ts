import timers from 'node:timers/promises';
import { jest } from '@jest/globals';
import { type Random, randomFrom } from '../../support/random';

const RANDOM_LIMIT = 2 ** 30;

let chance: Random = randomFrom(0);
let passed: (ms: number) => void = () => undefined;
let forget: () => void = () => undefined;

/**
 * From now on a pause between two tries takes no time of the machine: it passes by the clocks of the history instead,
 * and chance decides its length by the seed.
 */
export function takePauses(): { restore(): void } {
  const sleeping = jest.spyOn(timers, 'setTimeout').mockImplementation(async (ms = 0, value) => {
    await new Promise((resolve) => setImmediate(resolve));
    passed(Math.ceil(ms));
    return value;
  });
  const random = jest.spyOn(Math, 'random').mockImplementation(() => chance.below(RANDOM_LIMIT) / RANDOM_LIMIT);
  forget = () => [sleeping, random].forEach((each) => each.mockClear());
  return {
    restore() {
      sleeping.mockRestore();
      random.mockRestore();
    },
  };
}

/** Begins the pauses of a history: the same ones each time. Jest keeps each call of a mock, and these are millions. */
export function beginPauses(onPause: (ms: number) => void): void {
  forget();
  chance = randomFrom(0);
  passed = onPause;
}
