import { addToGroup, millimes } from '../../kernel';
import { at, elementAt } from '../at';
import type { DayGrid } from '../day-grid';
import { feeMax, FIXED_STEP, FIXED_STEPS, PPM, RATE_STEP_PPM, RATE_STEPS, TVA_PPMS } from '../fee-grid';
import { feeOn, type FeeTerms } from '../fee-terms';
import type { Credit } from '../find-links';
import { lowerBound } from '../lower-bound';
import { CHANNELS, FEE_ROUNDINGS, type FeeRule } from '../match-request';
import type { OrderedWaits } from './ordered-waits';

const TERMS = RATE_STEPS * FIXED_STEPS * TVA_PPMS.length * FEE_ROUNDINGS.length;

const SAMPLE_MAX = 48;
const SAMPLE_MIN = 12;
/** The number of differences to try for one channel. */
const DIFFERENCES_MAX = 8_000;
/** The number, and the share, of the sampled items that terms must explain. */
const EXPLAINED_MIN = 4;
const EXPLAINED_SHARE_MIN = 0.6;
/** The longest time that a payment waits for its cut and its booking. */
const DAYS_SEARCHED = 9;
const NO_FEE = 0;

/**
 * Learns the gateway's fees on each channel's items from differences between an item and a credit. One difference fits
 * many terms. The true terms fit nearly every item, and by chance none ever do. Empty if the gateway keeps nothing, or
 * nothing fits.
 */
export function learnItemFees({ sequence, waits }: OrderedWaits, credits: readonly Credit[], grid: DayGrid): FeeRule[] {
  const amountsOn = amountsByDay(credits);
  const byChannel = CHANNELS.map((_, channel) => {
    const sample = sampleOf(sequence.amount, sequence.channel, channel);
    const differences = sample.map((position) => {
      const from = grid.dayOf(elementAt(waits, position).until);
      return differencesOf(at(sequence.amount, position), amountsOn, from);
    });
    const wanted = Math.max(SAMPLE_MIN, Math.floor(DIFFERENCES_MAX / Math.max(1, average(differences))));
    const stride = Math.max(1, Math.ceil(sample.length / wanted));
    const sampled = sample
      .map((position, place) => ({ amount: at(sequence.amount, position), kept: elementAt(differences, place) }))
      .filter((_, place) => place % stride === 0);
    return { votes: votesOf(sampled), size: sampled.length };
  });
  const pooled = new Uint16Array(TERMS);
  for (const { votes } of byChannel) votes.forEach((count, terms) => (pooled[terms] = at(pooled, terms) + count));
  const poolSize = byChannel.reduce((sum, { size }) => sum + size, 0);
  const common = mostVoted(pooled, pooled, poolSize);
  return CHANNELS.flatMap((channel, place): FeeRule[] => {
    const { votes, size } = elementAt(byChannel, place);
    const found = size === 0 ? undefined : (mostVoted(votes, pooled, size) ?? common);
    if (found === undefined || found === NO_FEE) return [];
    const { fixedMillimes, ...terms } = termsAt(found);
    return [{ channel, ...terms, fixedMillimes: millimes(fixedMillimes), basis: 'item' }];
  });
}

function amountsByDay(credits: readonly Credit[]): Map<number, Float64Array> {
  const lists = new Map<number, number[]>();
  for (const { bookingDay, amount } of credits) {
    addToGroup(lists, bookingDay, amount);
  }
  return new Map([...lists].map(([day, amounts]) => [day, Float64Array.from(new Set(amounts)).sort()]));
}

/** Returns payments of a channel, spread over the file. */
function sampleOf(amounts: Float64Array, channels: Uint8Array, channel: number): number[] {
  const all: number[] = [];
  amounts.forEach((amount, position) => {
    if (amount > 0 && channels[position] === channel) all.push(position);
  });
  const stride = Math.max(1, all.length / SAMPLE_MAX);
  return Array.from({ length: Math.min(all.length, SAMPLE_MAX) }, (_, place) =>
    elementAt(all, Math.floor(place * stride)),
  );
}

/** Returns the possible fees on an amount: the differences to slightly smaller credits. */
function differencesOf(amount: number, amountsOn: ReadonlyMap<number, Float64Array>, fromDay: number): number[] {
  const least = amount - feeMax(amount, 1);
  const kept = new Set<number>();
  for (let day = fromDay; day < fromDay + DAYS_SEARCHED; day += 1) {
    const amounts = amountsOn.get(day);
    if (amounts === undefined) continue;
    for (let place = lowerBound(amounts, least, 0, amounts.length); place < amounts.length; place += 1) {
      const credit = at(amounts, place);
      if (credit > amount) break;
      kept.add(amount - credit);
    }
  }
  return [...kept];
}

function average(lists: readonly (readonly number[])[]): number {
  return lists.reduce((sum, { length }) => sum + length, 0) / Math.max(1, lists.length);
}

/** Counts, by terms, the items that they explain. Each item counts once. */
function votesOf(sampled: readonly { readonly amount: number; readonly kept: readonly number[] }[]): Uint16Array {
  const votes = new Uint16Array(TERMS);
  for (const { amount, kept } of sampled) {
    const fitting = new Set<number>();
    for (const difference of kept) for (const terms of termsFor(amount, difference)) fitting.add(terms);
    for (const terms of fitting) votes[terms] = at(votes, terms) + 1;
  }
  return votes;
}

/** Yields the terms of the grid that keep exactly this amount. */
function* termsFor(amount: number, kept: number): Generator<number> {
  if (kept === 0) {
    yield NO_FEE;
    return;
  }
  for (let tva = 0; tva < TVA_PPMS.length; tva += 1) {
    const withTva = 1 + elementAt(TVA_PPMS, tva) / PPM;
    const slack = withTva + 1;
    for (let fixed = 0; fixed < FIXED_STEPS; fixed += 1) {
      const low = ((kept - slack) / withTva - fixed * FIXED_STEP) / amount;
      const high = ((kept + slack) / withTva - fixed * FIXED_STEP) / amount;
      if (high < 0) break;
      const last = Math.min(RATE_STEPS - 1, Math.floor((high * PPM) / RATE_STEP_PPM));
      for (let rate = Math.max(0, Math.ceil((low * PPM) / RATE_STEP_PPM)); rate <= last; rate += 1) {
        for (let rounding = 0; rounding < FEE_ROUNDINGS.length; rounding += 1) {
          const place = ((rate * FIXED_STEPS + fixed) * TVA_PPMS.length + tva) * FEE_ROUNDINGS.length + rounding;
          const { fee, tva: onFee } = feeOn(amount, termsAt(place));
          if (fee + onFee === kept) yield place;
        }
      }
    }
  }
}

function termsAt(place: number): FeeTerms {
  const ofRounding = FEE_ROUNDINGS.length;
  const ofTva = ofRounding * TVA_PPMS.length;
  const ofRate = ofTva * FIXED_STEPS;
  return {
    ratePpm: Math.floor(place / ofRate) * RATE_STEP_PPM,
    fixedMillimes: Math.floor((place % ofRate) / ofTva) * FIXED_STEP,
    tvaPpm: elementAt(TVA_PPMS, Math.floor((place % ofTva) / ofRounding)),
    rounding: elementAt(FEE_ROUNDINGS, place % ofRounding),
  };
}

/**
 * Returns the terms with the most votes. Among equals, those with votes of other channels win, then the first of the
 * grid.
 */
function mostVoted(votes: Uint16Array, pooled: Uint16Array, size: number): number | undefined {
  let best = 0;
  for (let terms = 1; terms < votes.length; terms += 1) {
    const more = at(votes, terms) - at(votes, best);
    if (more > 0 || (more === 0 && at(pooled, terms) > at(pooled, best))) best = terms;
  }
  const count = at(votes, best);
  return count >= EXPLAINED_MIN && count >= EXPLAINED_SHARE_MIN * size ? best : undefined;
}
