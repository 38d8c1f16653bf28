import type { ModelAnswer } from './model-answer';
import type { Rival } from './rival-hypotheses';

/** What chance reaches among the hypotheses that are always tried, and among all fees of the grid. */
const LOG_EVIDENCE_OF_CHANCE = 11;
const LOG_EVIDENCE_OF_CHANCE_LEARNED = 20;

export interface Chosen {
  readonly answer: ModelAnswer;
  /** The chance that the credits fit by accident, among all that was tried. */
  readonly accidentError: number;
  /** What else the file does not rule out. */
  readonly rivals: readonly Rival[];
  readonly feesLearned: boolean;
}

/** Nothing was found that the file speaks for. */
export interface NotChosen {
  readonly answer: undefined;
  /** Credits of which a bound on the work leaves open whether something would have been. */
  readonly cutShort: ReadonlySet<number>;
}

/** Without it an account that was never paid resolves a credit now and then: so much evidence chance alone makes. */
export function accidentErrorOf({ logEvidence }: ModelAnswer, feesLearned: boolean): number {
  return Math.exp(Math.min(0, (feesLearned ? LOG_EVIDENCE_OF_CHANCE_LEARNED : LOG_EVIDENCE_OF_CHANCE) - logEvidence));
}
