import { AppError, sha256Hex } from '../../kernel';

/** Random numbers that depend on the seed alone. They are not secret; never create a secret from them. */
export interface SeededRandom {
  /** Returns an integer from `min` to `max`, both included. */
  int(min: number, max: number): number;
  pick<T>(choices: readonly [T, ...T[]]): T;
  /**
   * Returns true in `ppm` of a million cases on average. It uses one number whatever the rate, so a changed rate does
   * not change later numbers.
   */
  chance(ppm: number): boolean;
  /** Returns lower-case hexadecimal digits. */
  hex(digits: number): string;
  /** Returns another generator that depends on this one's seed and the name, not on this one's position. */
  fork(name: string): SeededRandom;
  /** Returns the position of the generator, as text for a file; `restoreSeededRandom` continues from it. */
  state(): string;
}

const PPM = 1_000_000;
const WORDS = 4;
const HEX_PER_WORD = 8;
const STATE = /^([0-9a-f]{32}):([0-9a-f]{32})$/;

type Words = [number, number, number, number];

/** Creates a generator that returns the same numbers for the same seed on every machine. */
export function createSeededRandom(seed: number | string): SeededRandom {
  const origin = digestOf(`seed:${seed}`);
  return generator(origin, wordsOf(origin));
}

/**
 * Continues a generator from its `state()`.
 *
 * @throws AppError `bad_input` for a text that `state()` cannot have returned.
 */
export function restoreSeededRandom(state: string): SeededRandom {
  const [, origin, position] = STATE.exec(state) ?? [];
  const words = position === undefined ? undefined : wordsOf(position);
  // A state of zeros only would produce zeros forever.
  if (origin === undefined || words === undefined || words.every((word) => word === 0)) {
    throw new AppError('bad_input', { field: 'randomState', expected: 'the state of a random generator' });
  }
  return generator(origin, words);
}

/** Creates an xoshiro128** generator. Its state of four words is long enough for a simulation of any length. */
function generator(origin: string, words: Words): SeededRandom {
  const next = (): number => {
    const [a, b, c, d] = words;
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    const third = c ^ a;
    const fourth = d ^ b;
    words = [a ^ fourth, b ^ third, third ^ (b << 9), rotated(fourth, 11)];
    return result;
  };
  // 53 bits: the modulo bias is below one in a million for every range below 2^33.
  const wide = (): number => (next() >>> 11) * 2 ** 32 + next();
  const int = (min: number, max: number): number => {
    if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max) || max < min || !Number.isSafeInteger(max - min + 1)) {
      throw new RangeError(`no whole numbers from ${min} to ${max}`);
    }
    return min + (wide() % (max - min + 1));
  };
  return {
    int,
    pick: (choices) => choices[int(0, choices.length - 1)] ?? choices[0],
    chance: (ppm) => int(0, PPM - 1) < ppm,
    hex: (digits) => Array.from({ length: digits }, () => int(0, 15).toString(16)).join(''),
    fork: (name) => {
      const forked = digestOf(`fork:${origin}:${name}`);
      return generator(forked, wordsOf(forked));
    },
    state: () => `${origin}:${words.map((word) => (word >>> 0).toString(16).padStart(HEX_PER_WORD, '0')).join('')}`,
  };
}

function digestOf(text: string): string {
  return sha256Hex(text).slice(0, WORDS * HEX_PER_WORD);
}

function wordsOf(digits: string): Words {
  const word = (index: number): number =>
    Number.parseInt(digits.slice(index * HEX_PER_WORD, (index + 1) * HEX_PER_WORD), 16) | 0;
  return [word(0), word(1), word(2), word(3)];
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
