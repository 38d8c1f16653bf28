import type { Evidence } from '../../../src/payout-inference';

/** A credit that was resolved with wrong items, or should not have been resolved, with the facts to repeat it. */
export interface WrongCredit {
  readonly scenario: string;
  readonly seed: number;
  readonly lineId: string;
  readonly maxError: number;
  readonly why: string;
}

/** The answers of one run of the engine for the credits of a world, compared with the truth. */
export interface CreditScore {
  readonly resolved: number;
  /** Resolved with the true items. A returned payout counts once. */
  readonly exact: number;
  /** The exact ones that an ideal reader resolves, too. The share is computed from these. */
  readonly exactResolvable: number;
  readonly wrong: readonly WrongCredit[];
  readonly ambiguous: number;
  readonly unexplained: number;
  readonly cutShort: number;
  /** Items of a common core that the credit did not pay. */
  readonly commonCoreFalse: number;
  readonly proposalsRight: number;
  readonly proposalsWrong: number;
  /** The number of wrong credits among the resolved ones that the engine itself expects. */
  readonly claimedErrorSum: number;
  /** Exact credits with a stated cut, and those of them whose interval contains the true one. */
  readonly cutsStated: number;
  readonly cutsRight: number;
}

/** The explanations of one world whose claimed errors lie in one decade, from `10^decade` on. */
export interface WorldDecade {
  readonly world: string;
  readonly decade: number;
  readonly explanations: number;
  readonly claimedSum: number;
  readonly claimedMax: number;
  readonly wrong: readonly WrongCredit[];
}

export interface BreakScore {
  /** Breaks that the files justify, and those of them that the engine found. */
  readonly justified: number;
  readonly justifiedFound: number;
  /** Breaks that the engine reported, and those of them that are justified. */
  readonly reported: number;
  readonly reportedRight: number;
}

export type BreakScores = Readonly<Record<string, BreakScore>>;
export type EvidenceCounts = Readonly<Record<Evidence, number>>;

/** All counts, of one world or of many. */
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
  /** Every explanation up to a claimed error of 0.3. */
  readonly calibration: readonly WorldDecade[];
  /** The time of the engine alone, at the limit of 1e-3. */
  readonly tookMs: number;
}

export interface WorldScore extends Counts {
  readonly scenario: string;
  readonly seed: number;
}
