/** Chance that depends on its seed alone, so that a run that failed can be had again. */
export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** True once in `times` on average. */
  onceIn(times: number): boolean;
  oneOf<T>(choices: readonly T[]): T;
}

/** Different seeds give different numbers; so do the same seeds in another order (mulberry32). */
export function randomFrom(...seeds: readonly number[]): Random {
  let state = seeds.reduce((mixed, seed) => Math.imul(mixed ^ (seed >>> 0), 0x9e3779b1) + 0x7f4a7c15, 0x2545f491) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    onceIn: (times) => below(times) === 0,
    oneOf<T>(choices: readonly T[]): T {
      if (choices.length === 0) throw new Error('there is nothing to choose from');
      return choices[below(choices.length)] as T;
    },
  };
}
