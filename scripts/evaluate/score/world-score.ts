import type { Evidence } from '../../../src/payout-inference';

/** A credit that was resolved and should not have been, or with other items: what a person needs to repeat it. */
export interface WrongCredit {
  readonly scenario: string;
  readonly seed: number;
  readonly lineId: string;
  readonly maxError: number;
  readonly why: string;
}

/** What one run of the engine said about the credits of a world, beside the truth. */
export interface CreditScore {
  readonly resolved: number;
  /** Resolved with the true items; a returned payout counts once. */
  readonly exact: number;
  /** The exact ones that an ideal reader resolves as well: the share is of these. */
  readonly exactResolvable: number;
  readonly wrong: readonly WrongCredit[];
  readonly ambiguous: number;
  readonly unexplained: number;
  readonly cutShort: number;
  /** Items of a common core that the credit did not pay. */
  readonly commonCoreFalse: number;
  readonly proposalsRight: number;
  readonly proposalsWrong: number;
  /** Of the resolved credits: how many wrong ones the engine itself expects. */
  readonly claimedErrorSum: number;
  /** Exact credits with a stated cut, and those of them whose interval holds the true one. */
  readonly cutsStated: number;
  readonly cutsRight: number;
}

export interface BreakScore {
  /** Breaks that the files justify, and those of them that were found. */
  readonly justified: number;
  readonly justifiedFound: number;
  /** Breaks that were reported, and those of them that are justified. */
  readonly reported: number;
  readonly reportedRight: number;
}

export type BreakScores = Readonly<Record<string, BreakScore>>;
export type EvidenceCounts = Readonly<Record<Evidence, number>>;

/** Everything that is counted, of one world or of many. */
export interface Counts {
  readonly worlds: number;
  readonly items: number;
  /** All credits of the statement, from any payer. */
  readonly credits: number;
  /** Payouts that an ideal reader resolves. */
  readonly resolvable: number;
  /** At the limit of 1e-3. */
  readonly strict: CreditScore;
  /** At the limit of 5e-3. */
  readonly loose: CreditScore;
  readonly evidence: EvidenceCounts;
  readonly breaks: BreakScores;
  readonly decoys: number;
  readonly decoysResolved: number;
  /** With the decoys among the credits, at the limit of 1e-3. */
  readonly withDecoys: CreditScore;
  readonly shuffles: number;
  readonly shufflesDifferent: number;
  /** The engine alone, at the limit of 1e-3. */
  readonly tookMs: number;
}

export interface WorldScore extends Counts {
  readonly scenario: string;
  readonly seed: number;
}
