import { DAY_MS } from '../kernel';
import { at } from './at';
import { CHAIN_MAX, chainLength, type ChainRequest, type LearnBudget, openCredits } from './fee-chain';
import { type FeeTerms, termsKey } from './fee-terms';
import { type Charged, FeeTotals } from './fee-totals';
import type { Credit } from './find-links';
import { type Channel, CHANNELS, FEE_ROUNDINGS } from './match-request';
import type { StreamItems } from './order-stream';
import type { ClawbackFee } from './price-stream';

// The grid of terms: values that contracts usually have. Other terms must be given.
const RATE_PPM_MAX = 50_000;
const RATE_STEP_PPM = 500;
const FIXED_MAX = 1_000;
const FIXED_STEP = 10;
const TVA_PPMS = [190_000, 70_000, 130_000, 0] as const;
const PPM = 1_000_000;

/** Terms that explain a chain of this length get a full search. */
const CHAIN_MIN = 4;
const CANDIDATES_MAX = 3;
/** The number of credits to try, because other streams may be paid on the same days. */
const CREDITS_TRIED = 40;
const FIRST_CREDITS_MS = 5 * DAY_MS;

/** Terms that explain a chain of credits, for some channels of a stream. */
export interface LearnedTerms {
  readonly terms: FeeTerms;
  readonly basis: 'item' | 'payout';
  readonly channels: readonly Channel[];
  readonly clawback: ClawbackFee;
  /** The number of credits in a row that they explain. */
  readonly chain: number;
  /** The cut before the first of them. */
  readonly from: number;
}

export interface LearnRequest extends ChainRequest {
  /** The positions where the first payout may begin. */
  readonly starts: readonly number[];
  /** The sets of channels that may share the terms. */
  readonly channelSets: readonly (readonly Channel[])[];
  readonly clawbacks: readonly ClawbackFee[];
}

interface Run {
  readonly from: number;
  readonly to: number;
  readonly credit: Credit;
  /** The amount that the gateway kept. */
  readonly kept: number;
  readonly positive: number;
  readonly count: number;
}

/**
 * Learns the gateway's fees from a run of items, a credit, and their difference. Terms of the grid that explain the
 * difference to the millime must also explain the following credits. By chance, no terms ever do.
 */
export function learnFees(request: LearnRequest): LearnedTerms[] {
  const found = new Map<string, LearnedTerms>();
  const { budget } = request;
  for (const channels of request.channelSets) {
    const isCharged = Uint8Array.from(CHANNELS, (channel) => (channels.includes(channel) ? 1 : 0));
    for (const clawback of request.clawbacks) {
      for (const start of request.starts) {
        if (budget.left < 0) return bestOf(found);
        let longest = 0;
        for (const run of runsFrom(request, start, isCharged, clawback)) {
          // Chance creates no chain of this length. Other terms that fit as well fit the same first run.
          if (longest >= CHAIN_MAX || budget.left < 0) return bestOf(found);
          const openFrom = openCredits(request);
          for (const basis of ['item', 'payout'] as const) {
            for (const terms of termsOf(request.sequence, run, isCharged, basis, clawback, budget)) {
              const key = `${channels.join()} ${clawback} ${basis} ${termsKey(terms)}`;
              if (found.has(key)) continue;
              const chain = chainLength(request, run, { terms, basis, isCharged, clawback }, openFrom);
              longest = Math.max(longest, chain);
              if (chain >= CHAIN_MIN) found.set(key, { terms, basis, channels, clawback, chain, from: run.from });
            }
          }
        }
      }
      if (found.size > 0) return bestOf(found);
    }
  }
  return bestOf(found);
}

function bestOf(found: ReadonlyMap<string, LearnedTerms>): LearnedTerms[] {
  return [...found.values()]
    .sort(
      (a, b) =>
        b.chain - a.chain ||
        a.channels.length - b.channels.length ||
        FEE_ROUNDINGS.indexOf(a.terms.rounding) - FEE_ROUNDINGS.indexOf(b.terms.rounding),
    )
    .slice(0, CANDIDATES_MAX);
}

/** Finds the runs from a start that are slightly larger than a credit that may have paid them. */
function runsFrom(request: LearnRequest, start: number, isCharged: Uint8Array, clawback: ClawbackFee): Run[] {
  const { sequence, credits, windowMs } = request;
  const end = at(sequence.key, start) + windowMs;
  const first = at(sequence.key, start);
  const near = credits
    .filter(({ latest }) => latest > first)
    .filter(({ latest }, _, [nearest]) => latest <= (nearest?.latest ?? 0) + FIRST_CREDITS_MS)
    .slice(0, CREDITS_TRIED);
  const runs: Run[] = [];
  let gross = 0;
  let positive = 0;
  let count = 0;
  for (let position = start; position < sequence.size && at(sequence.key, position) <= end; position += 1) {
    const amount = at(sequence.amount, position);
    const payment = at(sequence.payment, position);
    gross += amount;
    const charged = isCharged[at(sequence.channel, position)] === 1;
    if (charged && amount > 0) {
      positive += amount;
      count += 1;
    } else if (charged && (payment >= start || clawback === 'returned')) {
      positive += amount;
      count -= 1;
    }
    if (sequence.isBoundary[position + 1] === 0 || count <= 0) continue;
    const cutFrom = at(sequence.key, position);
    const cutTo = at(sequence.key, position + 1);
    for (const credit of near) {
      const kept = gross - credit.amount;
      if (kept <= 0 || kept > positive * 0.06 + count * FIXED_MAX * 1.2) continue;
      if (credit.latest <= cutFrom || credit.earliest >= cutTo) continue;
      runs.push({ from: start, to: position + 1, credit, kept, positive, count });
    }
  }
  return runs;
}

/** Yields the terms of the grid that keep exactly this amount of a run. */
function* termsOf(
  sequence: StreamItems,
  run: Run,
  isCharged: Uint8Array,
  basis: 'item' | 'payout',
  clawback: ClawbackFee,
  budget: LearnBudget,
): Generator<FeeTerms> {
  const { kept, positive } = run;
  const parts = basis === 'item' ? run.count : 1;
  const charged =
    basis === 'item' ? chargedAmounts(sequence, run, isCharged, clawback) : { paid: [positive], back: [] };
  const totals = new FeeTotals(charged);
  for (const tvaPpm of TVA_PPMS) {
    const withTva = 1 + tvaPpm / PPM;
    // Each fee and each TVA is rounded by at most half a millime, or loses less than one if it is rounded down.
    const slack = parts * (withTva + 1);
    for (let fixedMillimes = 0; fixedMillimes <= FIXED_MAX; fixedMillimes += FIXED_STEP) {
      const low = ((kept - slack) / withTva - fixedMillimes * parts) / positive;
      const high = ((kept + slack) / withTva - fixedMillimes * parts) / positive;
      if (high < 0) break;
      const firstStep = Math.max(0, Math.ceil((low * PPM) / RATE_STEP_PPM));
      const lastStep = Math.min(RATE_PPM_MAX / RATE_STEP_PPM, Math.floor((high * PPM) / RATE_STEP_PPM));
      for (let step = firstStep; step <= lastStep; step += 1) {
        const ratePpm = step * RATE_STEP_PPM;
        if (ratePpm === 0 && fixedMillimes === 0) continue;
        for (const rounding of FEE_ROUNDINGS) {
          const terms = { ratePpm, fixedMillimes, tvaPpm, rounding };
          const before = totals.steps;
          const isKept = totals.isKept(terms, kept);
          budget.left -= totals.steps - before;
          if (isKept) yield terms;
        }
      }
    }
  }
}

/** Returns the amounts with a fee, and those whose fee is given back. */
function chargedAmounts(
  sequence: StreamItems,
  { from, to }: { from: number; to: number },
  isCharged: Uint8Array,
  clawback: ClawbackFee,
): Charged {
  const gone = new Set<number>();
  for (let position = from; position < to; position += 1) {
    const payment = at(sequence.payment, position);
    if (payment >= from) gone.add(position).add(payment);
  }
  const paid: number[] = [];
  const back: number[] = [];
  for (let position = from; position < to; position += 1) {
    if (gone.has(position) || isCharged[at(sequence.channel, position)] !== 1) continue;
    const amount = at(sequence.amount, position);
    if (amount > 0) paid.push(amount);
    else if (clawback === 'returned') back.push(-amount);
  }
  return { paid, back };
}
