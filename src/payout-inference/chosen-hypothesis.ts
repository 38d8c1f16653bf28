import type { ModelAnswer } from './model-answer';
import type { Rival } from './rival-hypotheses';

/** The evidence that chance reaches among the hypotheses that are always tried, and among all fees of the grid. */
const LOG_EVIDENCE_OF_CHANCE = 11;
const LOG_EVIDENCE_OF_CHANCE_LEARNED = 20;

/** The evidence that chance reaches with one hypothesis: nine are always tried, three models with three card rules. */
const LOG_EVIDENCE_OF_CHANCE_ALONE = LOG_EVIDENCE_OF_CHANCE - Math.log(9);

export interface Chosen {
  readonly answer: ModelAnswer;
  /** The probability that the credits fit by accident, given the number of hypotheses tried. */
  readonly accidentError: number;
  /** The hypotheses that the file does not rule out. */
  readonly rivals: readonly Rival[];
  readonly feesLearned: boolean;
}

/** The result if no hypothesis has enough evidence. */
export interface NotChosen {
  readonly answer: undefined;
  /** Credits that a hypothesis might have explained, but a bound stopped the search. */
  readonly cutShort: ReadonlySet<number>;
  /** The answer with the most evidence, which may be chance. */
  readonly unproven: ModelAnswer | undefined;
}

/**
 * Returns the probability that chance alone produced this evidence. Without it, an account that was never paid would
 * resolve a credit now and then.
 */
export function accidentErrorOf({ logEvidence }: ModelAnswer, feesLearned: boolean): number {
  return Math.exp(Math.min(0, (feesLearned ? LOG_EVIDENCE_OF_CHANCE_LEARNED : LOG_EVIDENCE_OF_CHANCE) - logEvidence));
}

/** Returns the probability that chance alone adds this evidence to one of many hypotheses. */
export function accidentErrorAmong(hypotheses: number, logEvidence: number): number {
  return Math.exp(Math.min(0, LOG_EVIDENCE_OF_CHANCE_ALONE + Math.log(hypotheses) - logEvidence));
}
