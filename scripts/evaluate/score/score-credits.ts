import type { InferredCredit } from '../../../src/payout-inference';
import { judgeCredits, type JudgedCredit, payoutKeyOf } from './judge-credits';
import { lastCutOf, type TrueBook } from './true-book';
import type { CreditScore } from './world-score';

export interface ScoredRun {
  readonly scenario: string;
  readonly seed: number;
  readonly maxError: number;
  readonly book: TrueBook;
  /** The payouts that an ideal reader resolves, by `payoutKeyOf`. */
  readonly resolvable: ReadonlySet<string>;
}

/** Counts the engine's answers for the credits of one world. */
export function scoreCredits(credits: readonly InferredCredit[], run: ScoredRun): CreditScore {
  const judged = judgeCredits(credits, run.book);
  const exact = judged.filter(({ verdict }) => verdict === 'exact');
  const withOutcome = (outcome: InferredCredit['outcome']): InferredCredit[] =>
    credits.filter((credit) => credit.outcome === outcome);
  const stated = exact.filter(({ credit }) => credit.cut !== undefined);
  const { scenario, seed, maxError } = run;
  return {
    resolved: withOutcome('resolved').length,
    exact: exact.length,
    exactResolvable: exact.filter(({ payoutKey }) => run.resolvable.has(payoutKey)).length,
    wrong: judged
      .filter(({ verdict }) => verdict === 'wrong')
      .map(({ credit, why }) => ({ scenario, seed, lineId: credit.lineId, maxError, why })),
    ambiguous: withOutcome('ambiguous').length,
    unexplained: withOutcome('unexplained').length,
    cutShort: withOutcome('search_cut_short').length,
    commonCoreFalse: judged.reduce((sum, { coreFalse }) => sum + coreFalse.length, 0),
    proposalsRight: judged.filter(({ proposal }) => proposal === 'right').length,
    proposalsWrong: judged.filter(({ proposal }) => proposal === 'wrong').length,
    claimedErrorSum: withOutcome('resolved').reduce((sum, { claimedError }) => sum + claimedError, 0),
    cutsStated: stated.length,
    cutsRight: stated.filter(isCutRight).length,
  };
}

/** Returns the payouts of credits, each once. */
export function payoutKeys(lineIds: ReadonlySet<string>, book: TrueBook): ReadonlySet<string> {
  return new Set([...lineIds].map((lineId) => payoutKeyOf(lineId, book.lines.get(lineId), book)));
}

/** Two payouts in one credit have two cuts, and the interval states the last one. */
export function isCutRight({ credit: { cut }, truth }: JudgedCredit): boolean {
  const last = lastCutOf(truth);
  return cut !== undefined && last !== undefined && cut.after < last.cutAt && last.cutAt <= cut.until;
}
