import type { CutRates } from '../cut-rates';
import type { Credit } from '../find-links';
import type { ChainEdge } from './chain-graph';
import type { CutSlot } from './cut-slots';
import { logOfCut } from './log-of-cut';
import type { FoundChain } from './search-chain';

const NEVER = 1e-30;
/** A smaller error is not reported. */
const ERROR_MIN = 1e-4;
const EXPLAINED_MIN = 0.5;

export interface ChainErrorRequest {
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
}

/**
 * Returns the probability that each credit was paid in a way that a bound left untried. A choice that fits by chance is
 * as likely as the cut itself, because the number of possible choices grows with the number of amounts.
 */
export function chainErrors({
  chain,
  credits,
  edges,
  shares,
  cutRates,
  hitRatio,
  lag,
}: ChainErrorRequest): Map<number, number> {
  const likely = new Map<number, number>();
  edges.forEach(({ to, credit }, index) => {
    const weight =
      (shares[index] ?? 0) * Math.exp(logOfCut(to, cutRates, (slot) => lag(slot, credit))) * hitRatio(credit);
    likely.set(credit.index, (likely.get(credit.index) ?? 0) + weight);
  });
  const errors = new Map<number, number>();
  for (const credit of credits) {
    if (chain.givenUpFrom !== undefined && credit.latest > chain.givenUpFrom) errors.set(credit.index, 1);
    const skipped = chain.skipped.get(credit.index);
    if (skipped === undefined || errors.has(credit.index)) continue;
    const unseen = skipped.reduce((sum, { slot, kind }) => {
      const chance = cutRates.expected(slot.from, slot.to) * lag(slot, credit);
      return sum + chance * (kind === 'many' ? hitRatio(credit) : 1);
    }, 0);
    errors.set(credit.index, unseen / Math.max(NEVER, unseen + (likely.get(credit.index) ?? 0)));
  }
  return errors;
}

/** Returns the credits whose search was incomplete. An explained credit needs no untried beginning. */
export function cutShortOf(
  { notBegun }: FoundChain,
  edges: readonly ChainEdge[],
  shares: readonly number[],
  errors: ReadonlyMap<number, number>,
): Set<number> {
  const cutShort = new Set([...errors].filter(([, error]) => error > ERROR_MIN).map(([credit]) => credit));
  const explained = new Map<number, number>();
  edges.forEach(({ credit: { index } }, edge) => {
    explained.set(index, (explained.get(index) ?? 0) + (shares[edge] ?? 0));
  });
  for (const credit of notBegun) if ((explained.get(credit) ?? 0) < EXPLAINED_MIN) cutShort.add(credit);
  return cutShort;
}
