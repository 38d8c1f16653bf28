import { at, elementAt } from '../at';
import type { PairColumns } from './pair-columns';

type Columns = Pick<PairColumns, 'size' | 'credits' | 'credit' | 'begin' | 'positions'>;

/**
 * Compares each pair with the alternatives of its credit and its items: its weight over the weights of the best other
 * pairs of each, as far as these do not exclude each other. It only separates clear losers from the rest. `items`: the
 * number of positions.
 */
export function pairOdds(columns: Columns, items: number, weights: Float64Array): Float64Array {
  const { size, credits, credit, begin, positions } = columns;
  const ofCredit = new BestTwo(credits, weights);
  const ofItem = new BestTwo(items, weights);
  for (let index = 0; index < size; index += 1) {
    ofCredit.offer(at(credit, index), index);
    for (let place = at(begin, index); place < at(begin, index + 1); place += 1) {
      ofItem.offer(at(positions, place), index);
    }
  }
  const rivals: number[] = [];
  return weights.map((weight, index) => {
    rivals.length = 0;
    addRival(rivals, ofCredit.otherThan(at(credit, index), index), weights);
    for (let place = at(begin, index); place < at(begin, index + 1); place += 1) {
      addRival(rivals, ofItem.otherThan(at(positions, place), index), weights);
    }
    return weight / weightTogether(rivals, columns, weights);
  });
}

/** By credit or item, the two pairs with the greatest weights. */
class BestTwo {
  readonly #best: Int32Array;
  readonly #second: Int32Array;
  readonly #weights: Float64Array;

  constructor(size: number, weights: Float64Array) {
    this.#best = new Int32Array(size).fill(-1);
    this.#second = new Int32Array(size).fill(-1);
    this.#weights = weights;
  }

  offer(key: number, pair: number): void {
    const best = at(this.#best, key);
    const second = at(this.#second, key);
    if (best < 0) this.#best[key] = pair;
    else if (this.#isHeavier(pair, best)) {
      this.#best[key] = pair;
      this.#second[key] = best;
    } else if (second < 0 || this.#isHeavier(pair, second)) this.#second[key] = pair;
  }

  /** Returns the best of a key's pairs except one; -1 for none. */
  otherThan(key: number, pair: number): number {
    return at(this.#best, key) === pair ? at(this.#second, key) : at(this.#best, key);
  }

  #isHeavier(a: number, b: number): boolean {
    return at(this.#weights, a) > at(this.#weights, b);
  }
}

/** Adds a rival once, the heaviest first. A pair that weighs less than no pair at all is no rival. */
function addRival(rivals: number[], rival: number, weights: Float64Array): void {
  if (rival < 0) return;
  const weight = at(weights, rival);
  if (weight <= 1 || rivals.includes(rival)) return;
  let place = rivals.length;
  for (; place > 0; place -= 1) {
    const other = elementAt(rivals, place - 1);
    const ofOther = at(weights, other);
    if (ofOther > weight || (ofOther === weight && other < rival)) break;
    rivals[place] = other;
  }
  rivals[place] = rival;
}

/**
 * Returns the product of the weights of the pairs that share neither a credit nor an item with a heavier one; 1 for
 * none.
 */
function weightTogether(heaviestFirst: readonly number[], columns: Columns, weights: Float64Array): number {
  const [first, second] = heaviestFirst;
  if (first === undefined) return 1;
  if (second === undefined) return at(weights, first);
  const taken: number[] = [];
  let product = 1;
  for (const rival of heaviestFirst) {
    if (taken.some((other) => isSharing(rival, other, columns))) continue;
    taken.push(rival);
    product *= at(weights, rival);
  }
  return product;
}

/** Returns whether two pairs share the credit or an item. */
function isSharing(a: number, b: number, { credit, begin, positions }: Columns): boolean {
  if (credit[a] === credit[b]) return true;
  const ofA = positions.subarray(begin[a], begin[a + 1]);
  return positions.subarray(begin[b], begin[b + 1]).some((position) => ofA.includes(position));
}
