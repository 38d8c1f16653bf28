import { elementAt } from '../at';
import { type Choice, groupChoices } from './group-choices';
import { MatchingSums, OPEN_MAX, type Step } from './sum-matchings';

export interface WeighedMatchings {
  /** The probability of each choice over all matchings; 0 if it was not computed. */
  readonly shares: Float64Array;
  /** 1 for choices of a group that was too large to compute. */
  readonly isRefused: Uint8Array;
  /** The logarithm of the weight of all matchings together, relative to no match at all. */
  readonly logTotal: number;
  /** For the refused groups: the logarithm of the weight of one good matching, a lower bound of all. */
  readonly logRefused: number;
}

/** The limit on the work of one call, in steps of the sum over all matchings. */
const STEPS_MAX = 40_000_000;

/**
 * Sums exactly over all matchings of credits with items. It visits the credits in order and remembers between two of
 * them which of the open items are used. Choices are in the order of their credits' days.
 */
export function weighMatchings(choices: readonly Choice[], stepsMax = STEPS_MAX): WeighedMatchings {
  const shares = new Float64Array(choices.length);
  const isRefused = new Uint8Array(choices.length);
  const sums = new MatchingSums(shares, stepsMax);
  const lastUse = lastUses(choices);
  let logTotal = 0;
  let logRefused = 0;
  for (const group of groupChoices(choices)) {
    const steps = stepsOf(choices, group, lastUse);
    const logOfGroup = steps === undefined ? undefined : sums.sum(steps);
    if (logOfGroup === undefined) {
      logRefused += logOfOneMatching(choices, group);
      for (const index of group) isRefused[index] = 1;
    } else logTotal += logOfGroup;
  }
  return { shares, isRefused, logTotal, logRefused };
}

/** Selects the heaviest choices that do not exclude each other. */
function logOfOneMatching(choices: readonly Choice[], group: readonly number[]): number {
  const usedCredits = new Set<number>();
  const usedItems = new Set<number>();
  let logWeight = 0;
  const byWeight = group
    .map((index) => elementAt(choices, index))
    .filter(({ weight }) => weight > 1)
    .sort((a, b) => b.weight - a.weight);
  for (const { credit, items, weight } of byWeight) {
    if (usedCredits.has(credit) || items.some((item) => usedItems.has(item))) continue;
    usedCredits.add(credit);
    for (const item of items) usedItems.add(item);
    logWeight += Math.log(weight);
  }
  return logWeight;
}

/** Returns, by item, the last choice that uses it. */
function lastUses(choices: readonly Choice[]): Map<number, number> {
  const lastUse = new Map<number, number>();
  choices.forEach(({ items }, index) => {
    for (const item of items) lastUse.set(item, index);
  });
  return lastUse;
}

/**
 * Assigns each item a bit from its first to its last credit. Undefined if more items are open at the same time than
 * bits exist.
 */
function stepsOf(
  choices: readonly Choice[],
  group: readonly number[],
  lastUse: ReadonlyMap<number, number>,
): Step[] | undefined {
  const bitOf = new Map<number, number>();
  let free = 2 ** OPEN_MAX - 1;
  const steps: Step[] = [];
  for (let place = 0; place < group.length;) {
    const credit = choices[elementAt(group, place)]?.credit;
    const options = { choices: [] as number[], bits: [0], weights: [1] };
    let ended = 0;
    for (; place < group.length; place += 1) {
      const index = elementAt(group, place);
      const choice = choices[index];
      if (choice === undefined || choice.credit !== credit) break;
      let bits = 0;
      for (const item of choice.items) {
        let bit = bitOf.get(item);
        if (bit === undefined) {
          bit = free & -free;
          if (bit === 0) return undefined;
          free ^= bit;
          bitOf.set(item, bit);
        }
        bits |= bit;
        if (lastUse.get(item) === index) ended |= bit;
      }
      options.choices.push(index);
      options.bits.push(bits);
      options.weights.push(choice.weight);
    }
    free |= ended;
    steps.push({ ...options, keep: ~ended });
  }
  return steps;
}
