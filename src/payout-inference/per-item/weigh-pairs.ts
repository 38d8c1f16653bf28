import { at, elementAt } from '../at';
import { countExposure } from './count-exposure';
import { pairOdds } from './pair-odds';
import { type PairFile, type PairRates, type PairWeights, pairWeights } from './pair-weights';
import { learnHazard, noExposure, type PayoutHazard, unknownHazard } from './payout-hazard';
import { weighMatchings } from './weigh-matchings';

const NONE: ReadonlySet<number> = new Set();
/** The factor on the weight of an avoided pair. */
const AVOIDED = 1e-6;
const ROUNDS = 10;
/** The number of rounds in which exact shares correct the rates that rough shares taught. */
const EXACT_ROUNDS = 2;
/** This number of pairs teaches the hazard as well as all of them. */
const TEACHERS_MAX = 3_000;
const TEACHING_SHARE_MIN = 1e-3;
const FIRST_DEVIATION = 0.04;
/** The prior: the file must outweigh this many items without a deviation before it counts as having none. */
const DEVIATION_PRIOR = { count: 0.7, of: 25 } as const;
const DEVIATION_MAX = 0.999;
/** The lowest rate of strangers' credits a day for any file. */
const STRANGERS_PER_DAY_MIN = 0.1;
/** Pairs that are less likely than this are left out. The coarser limits apply if the rest is still too large. */
const FLOORS = [1e-12, 1e-9, 1e-7, 1e-6] as const;
/** The number of pairs around one that may be left out, each with the probability of the limit. */
const LEFT_OUT_AROUND = 20;

export interface WeighedPairs {
  /** By pair, its probability over all matchings of credits with items; an estimate if there were too many to count. */
  readonly shares: Float64Array;
  readonly hazard: PayoutHazard;
  /** The log likelihood ratio of these payouts against none. */
  readonly logEvidence: number;
  /** The number of payments that should be on the statement. */
  readonly due: number;
}

/**
 * Learns when items are taken and booked, then sums over all matchings of credits with items. Pairs in `avoided`, by
 * index, have almost no weight at first, so the rates are learned from the others.
 */
export function weighPairs(file: PairFile, avoided?: ReadonlySet<number>): WeighedPairs {
  let rates = learnRates(file, avoided);
  for (let round = 0; round < EXACT_ROUNDS; round += 1) {
    const { weighed, weights } = matchAll(file, rates);
    rates = ratesOf(file, rates.hazard, weights, weighed.shares);
  }
  return matchAll(file, rates).weighed;
}

function learnRates(file: PairFile, avoided: ReadonlySet<number> = NONE): PairRates {
  const { found, grid } = file;
  let rates: PairRates = { hazard: unknownHazard(grid), deviation: FIRST_DEVIATION, strangersPerDay: 1 };
  const stride = Math.max(1, Math.ceil(found.pairs.length / TEACHERS_MAX));
  for (let round = 0; round < ROUNDS; round += 1) {
    const weights = pairWeights(file, rates);
    for (const index of avoided) weights.weights[index] = at(weights.weights, index) * AVOIDED;
    const shares = roughShares(file, weights);
    const counts = noExposure();
    for (let index = 0; index < found.pairs.length; index += stride) {
      const pair = found.pairs[index];
      const share = at(shares, index);
      if (pair === undefined || share < TEACHING_SHARE_MIN || pair.clawback !== undefined) continue;
      countExposure(counts, rates.hazard, grid, { wait: pair.wait, bookingDay: pair.credit.bookingDay, share });
    }
    rates = ratesOf(file, learnHazard(grid, counts), weights, shares);
  }
  return rates;
}

/**
 * Returns the shares of each pair against all others of its credit and of its items. They are good enough to learn
 * from, but never to decide.
 */
function roughShares({ columns, waiting }: PairFile, { weights }: PairWeights): Float64Array {
  const { size, credits, credit, begin, positions } = columns;
  const ofCredit = new Float64Array(credits);
  const ofItem = new Float64Array(waiting.sequence.size);
  for (let index = 0; index < size; index += 1) {
    const weight = at(weights, index);
    const payer = at(credit, index);
    ofCredit[payer] = at(ofCredit, payer) + weight;
    for (let place = at(begin, index); place < at(begin, index + 1); place += 1) {
      const position = at(positions, place);
      ofItem[position] = at(ofItem, position) + weight;
    }
  }
  return weights.map((weight, index) => {
    let mostOfItems = 0;
    for (let place = at(begin, index); place < at(begin, index + 1); place += 1) {
      mostOfItems = Math.max(mostOfItems, at(ofItem, at(positions, place)));
    }
    return weight / (1 + at(ofCredit, at(credit, index)) + mostOfItems - weight);
  });
}

function ratesOf(
  { waiting, columns, grid, days, credits }: PairFile,
  hazard: PayoutHazard,
  { seen }: PairWeights,
  shares: Float64Array,
): PairRates {
  const { size, begin, positions } = columns;
  const paid = new Float64Array(waiting.sequence.size);
  let explained = 0;
  for (let index = 0; index < size; index += 1) {
    const share = at(shares, index);
    explained += share;
    for (let place = at(begin, index); place < at(begin, index + 1); place += 1) {
      const position = at(positions, place);
      paid[position] = Math.min(1, at(paid, position) + share);
    }
  }
  let due = 0;
  let missing = 0;
  waiting.sequence.amount.forEach((amount, position) => {
    if (amount <= 0) return;
    due += at(seen, position);
    missing += Math.max(0, at(seen, position) - at(paid, position));
  });
  const workingDays = Math.max(1, grid.lag(days.firstDay, days.horizonDay));
  return {
    hazard,
    deviation: Math.min(DEVIATION_MAX, (missing + DEVIATION_PRIOR.count) / (due + DEVIATION_PRIOR.of)),
    strangersPerDay: Math.max(STRANGERS_PER_DAY_MIN, (credits - explained) / workingDays),
  };
}

function matchAll(file: PairFile, rates: PairRates): { readonly weighed: WeighedPairs; readonly weights: PairWeights } {
  const { pairs } = file.found;
  const weights = pairWeights(file, rates);
  const odds = pairOdds(file.columns, file.waiting.sequence.size, weights.weights);
  const shares = new Float64Array(pairs.length);
  const isRefused = new Uint8Array(pairs.length);
  let open = Array.from(pairs.keys());
  let logTotal = 0;
  for (const [round, floor] of FLOORS.entries()) {
    const kept = open.filter((index) => at(weights.chances, index) >= floor && at(odds, index) >= floor);
    const weighed = weighMatchings(
      kept.map((index) => {
        const { credit, positions } = elementAt(pairs, index);
        return { credit: credit.index, items: positions, weight: at(weights.weights, index) };
      }),
    );
    logTotal += weighed.logTotal;
    if (round === FLOORS.length - 1) logTotal += weighed.logRefused;
    for (const index of open) isRefused[index] = 0;
    open = [];
    kept.forEach((index, place) => {
      isRefused[index] = at(weighed.isRefused, place);
      if (isRefused[index] === 1) open.push(index);
      else shares[index] = at(weighed.shares, place) * (1 - floor * LEFT_OUT_AROUND);
    });
    if (open.length === 0) break;
  }
  shareRefused(file, isRefused, shares);
  let logUnpaid = 0;
  let due = 0;
  file.waiting.sequence.amount.forEach((amount, position) => {
    if (amount <= 0) return;
    logUnpaid += Math.log(at(weights.unpaid, position));
    due += at(weights.seen, position);
  });
  const logEvidence = logTotal + logUnpaid;
  return { weighed: { shares, hazard: rates.hazard, logEvidence, due }, weights };
}

/** Shares a refused credit equally among its candidates, so that none is certain. */
function shareRefused({ found: { pairs } }: PairFile, isRefused: Uint8Array, shares: Float64Array): void {
  const candidates = new Map<number, number>();
  pairs.forEach(({ credit }, index) => {
    if (at(isRefused, index) === 1) candidates.set(credit.index, (candidates.get(credit.index) ?? 0) + 1);
  });
  pairs.forEach(({ credit }, index) => {
    if (at(isRefused, index) === 1) shares[index] = 1 / Math.max(2, candidates.get(credit.index) ?? 0);
  });
}
