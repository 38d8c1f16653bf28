import { at } from '../day-grid';
import type { Pair } from './find-pairs';

/**
 * How each pair compares with what its credit and its items could do instead: its weight over the weights of the best other
 * pairs of each, where these leave each other room. What loses by far need not be counted.
 */
export function oddsOf(pairs: readonly Pair[], weights: Float64Array): Float64Array {
  const ofCredit = new Map<number, BestTwo>();
  const ofItem = new Map<number, BestTwo>();
  pairs.forEach(({ credit, positions }, index) => {
    keepBest(ofCredit, credit.index, index, weights);
    for (const position of positions) keepBest(ofItem, position, index, weights);
  });
  return Float64Array.from(pairs, ({ credit, positions }, index) => {
    const rivals = new Set([otherThan(index, ofCredit.get(credit.index))]);
    for (const position of positions) rivals.add(otherThan(index, ofItem.get(position)));
    return at(weights, index) / worthTogether([...rivals], pairs, weights);
  });
}

interface BestTwo {
  readonly best: number;
  readonly second: number;
}

function keepBest(known: Map<number, BestTwo>, key: number, index: number, weights: Float64Array): void {
  const before = known.get(key);
  if (before === undefined) known.set(key, { best: index, second: -1 });
  else if (at(weights, index) > at(weights, before.best)) known.set(key, { best: index, second: before.best });
  else if (before.second < 0 || at(weights, index) > at(weights, before.second)) {
    known.set(key, { best: before.best, second: index });
  }
}

function otherThan(index: number, known: BestTwo | undefined): number {
  if (known === undefined) return -1;
  return known.best === index ? known.second : known.best;
}

/** The product of the weights of those that take neither a credit nor an item from a heavier one; 1 for none at all. */
function worthTogether(rivals: readonly number[], pairs: readonly Pair[], weights: Float64Array): number {
  const usedCredits = new Set<number>();
  const usedItems = new Set<number>();
  let product = 1;
  const heaviestFirst = rivals
    .filter((rival) => rival >= 0 && at(weights, rival) > 1)
    .sort((a, b) => at(weights, b) - at(weights, a) || a - b);
  for (const rival of heaviestFirst) {
    const pair = pairs[rival];
    if (pair === undefined || usedCredits.has(pair.credit.index)) continue;
    if (pair.positions.some((position) => usedItems.has(position))) continue;
    usedCredits.add(pair.credit.index);
    for (const position of pair.positions) usedItems.add(position);
    product *= at(weights, rival);
  }
  return product;
}
