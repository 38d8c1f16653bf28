import { at, elementAt } from '../at';

/** The limit on items of one group that are open at the same time. */
export const OPEN_MAX = 14;

const STATES = 2 ** OPEN_MAX;
const ROOM_FIRST = 4_096;

/** The choices of one credit. The first option is to pay none of the items. */
export interface Step {
  readonly choices: readonly number[];
  /** By option, the open items that it uses, one bit each. */
  readonly bits: readonly number[];
  readonly weights: readonly number[];
  /** The bits of items that a later credit may pay. The other items no longer matter. */
  readonly keep: number;
}

/**
 * Sums over all matchings of one group after another. Between two credits it remembers which of the open items are
 * used. That is a number below 2^14, so tables replace maps, which would cost ten times as much.
 */
export class MatchingSums {
  readonly #shares: Float64Array;
  #left: number;
  /** The states before each step, one step after the other. */
  #used = new Uint16Array(ROOM_FIRST);
  #weights = new Float64Array(ROOM_FIRST);
  /** By state, its index among the states of the current step; -1 for none. */
  readonly #placeOf = new Int32Array(STATES).fill(-1);
  #after = new Float64Array(STATES);
  #here = new Float64Array(STATES);

  /**
   * `stepsMax`: the limit on the work for all groups together. The probabilities of the choices are written into
   * `shares`.
   */
  constructor(shares: Float64Array, stepsMax: number) {
    this.#shares = shares;
    this.#left = stepsMax;
  }

  /** Returns the logarithm of the weight of all matchings of a group; undefined if that exceeds the remaining work. */
  sum(steps: readonly Step[]): number | undefined {
    const begins = [0];
    this.#used[0] = 0;
    this.#weights[0] = 1;
    let first = 0;
    let end = 1;
    let logTotal = 0;
    for (const step of steps) {
      this.#left -= (end - first) * step.bits.length;
      if (this.#left < 0) return undefined;
      this.#makeRoom(end + Math.min(STATES, (end - first) * step.bits.length));
      const { sum, end: endOfNext } = this.#forward(step, first, end);
      logTotal += Math.log(sum);
      begins.push(end);
      first = end;
      end = endOfNext;
    }
    for (let state = first; state < end; state += 1) this.#after[at(this.#used, state)] = 1;
    for (let place = steps.length - 1; place >= 0; place -= 1) {
      const step = steps[place];
      if (step !== undefined) this.#backward(step, elementAt(begins, place), elementAt(begins, place + 1));
    }
    return logTotal;
  }

  /** Takes one step forward: writes the new states after the earlier ones, with their weights scaled to a sum of 1. */
  #forward(
    { bits, weights: optionWeights, keep }: Step,
    first: number,
    end: number,
  ): { readonly sum: number; readonly end: number } {
    const used = this.#used;
    const weights = this.#weights;
    const placeOf = this.#placeOf;
    const options = bits.length;
    let last = end;
    let sum = 0;
    for (let state = first; state < end; state += 1) {
      const before = at(used, state);
      const weightBefore = at(weights, state);
      for (let option = 0; option < options; option += 1) {
        const ofOption = elementAt(bits, option);
        if ((before & ofOption) !== 0) continue;
        const next = (before | ofOption) & keep;
        const weight = weightBefore * elementAt(optionWeights, option);
        let place = at(placeOf, next);
        if (place < 0) {
          place = last;
          last += 1;
          placeOf[next] = place;
          used[place] = next;
          weights[place] = weight;
        } else weights[place] = at(weights, place) + weight;
        sum += weight;
      }
    }
    for (let state = end; state < last; state += 1) {
      weights[state] = at(weights, state) / sum;
      placeOf[at(used, state)] = -1;
    }
    return { sum, end: last };
  }

  /** Takes one step back: the shares of the step's choices, and the sum of each state before it. */
  #backward({ choices, bits, weights: optionWeights, keep }: Step, first: number, end: number): void {
    const used = this.#used;
    const weights = this.#weights;
    const after = this.#after;
    const here = this.#here;
    const options = bits.length;
    const ofOption = new Float64Array(options);
    let total = 0;
    let most = 0;
    for (let state = first; state < end; state += 1) {
      const before = at(used, state);
      const weight = at(weights, state);
      let sum = 0;
      for (let option = 0; option < options; option += 1) {
        const ofThis = elementAt(bits, option);
        if ((before & ofThis) !== 0) continue;
        const withOption = elementAt(optionWeights, option) * at(after, (before | ofThis) & keep);
        ofOption[option] = at(ofOption, option) + weight * withOption;
        sum += withOption;
      }
      here[before] = sum;
      total += weight * sum;
      most = Math.max(most, sum);
    }
    for (let option = 1; option < options; option += 1) {
      this.#shares[elementAt(choices, option - 1)] = at(ofOption, option) / total;
    }
    for (let state = first; state < end; state += 1) {
      const before = at(used, state);
      here[before] = at(here, before) / most;
    }
    this.#after = here;
    this.#here = after;
  }

  #makeRoom(states: number): void {
    if (states <= this.#used.length) return;
    const room = Math.max(states, 2 * this.#used.length);
    const used = new Uint16Array(room);
    const weights = new Float64Array(room);
    used.set(this.#used);
    weights.set(this.#weights);
    this.#used = used;
    this.#weights = weights;
  }
}
