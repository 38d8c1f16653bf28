import type { CutRates } from '../cut-rates';
import type { Credit } from '../find-links';
import type { ChainEdge } from './chain-graph';
import type { CutSlot } from './cut-slots';
import { logOfCut } from './log-of-cut';
import type { FoundChain } from './search-chain';

/** The weight of a credit that no payout of the stream explains, in the units of `hitRatio`. */
const UNPAID = 1;
/** Both ends of a payout may be cuts that were not tried. */
const ENDS = 2;
const EXPLAINED_MIN = 0.5;

export interface ChainErrorRequest {
  readonly slots: readonly CutSlot[];
  readonly chain: FoundChain;
  readonly credits: readonly Credit[];
  readonly edges: readonly ChainEdge[];
  /** The share of each edge. */
  readonly shares: readonly number[];
  readonly cutRates: CutRates;
  /** Returns the number of amounts that the credit could have had. */
  readonly hitRatio: (credit: Credit) => number;
  /** Returns the probability that a cut in the slot is booked on the credit's day. */
  readonly lag: (slot: CutSlot, credit: Credit) => number;
  /** By the credit's index, the weight of its runs: their shares times the probability of their cuts. */
  readonly ofRuns: ReadonlyMap<number, number>;
}

/**
 * Returns the probability that each credit was paid in a way that a bound left untried. A choice that fits by chance is
 * as likely as the cut itself, because the number of possible choices grows with the number of amounts. An amount that
 * a run or a tried choice meets exactly is that many times less likely to be such a chance.
 */
export function chainErrors(request: ChainErrorRequest): Map<number, number> {
  const { chain, credits, edges, shares, cutRates, hitRatio, lag, ofRuns } = request;
  const likely = new Map<number, number>();
  const explained = new Map<number, number>();
  edges.forEach(({ to, credit }, index) => {
    const share = shares[index] ?? 0;
    const weight = share * Math.exp(logOfCut(to, cutRates, (slot) => lag(slot, credit)));
    likely.set(credit.index, (likely.get(credit.index) ?? 0) + weight);
    explained.set(credit.index, (explained.get(credit.index) ?? 0) + share);
  });
  const errors = new Map<number, number>();
  for (const credit of credits) {
    const { index } = credit;
    const chanceOf = (slot: CutSlot): number => cutRates.expected(slot.from, slot.to) * lag(slot, credit);
    let untried = 0;
    for (const { slot, kind } of chain.skipped.get(index) ?? []) {
      untried += chanceOf(slot) * (kind === 'many' ? hitRatio(credit) : 1);
    }
    // An explained credit needs no untried beginning.
    const isNotBegun = chain.notBegun.has(index) && (explained.get(index) ?? 0) < EXPLAINED_MIN;
    const from = isNotBegun ? -Infinity : chain.givenUpFrom;
    if (from !== undefined) untried += ENDS * straddledChance(request, credit, from, chanceOf);
    if (untried === 0) continue;
    const tried = Math.max(likely.get(index) ?? 0, ofRuns.get(index) ?? 0) * hitRatio(credit);
    errors.set(index, untried / (untried + tried + UNPAID));
  }
  return errors;
}

/** Returns the expected cuts for a credit, after an instant, inside the intervals of items. The runs try the others. */
function straddledChance(
  { slots }: ChainErrorRequest,
  { earliest, latest }: Credit,
  after: number,
  chanceOf: (slot: CutSlot) => number,
): number {
  let chance = 0;
  for (const slot of slots) {
    if (slot.to <= Math.max(after, earliest) || slot.from >= latest) continue;
    if (slot.isCrowded || slot.open.length > 0) chance += chanceOf(slot);
  }
  return chance;
}
