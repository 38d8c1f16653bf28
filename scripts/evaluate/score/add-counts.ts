import type { BreakScore, BreakScores, Counts, CreditScore, EvidenceCounts } from './world-score';

/** Returns the sum of the counts of many worlds; zeros for none. */
export function addCounts(all: readonly Counts[]): Counts {
  const sum = (of: (counts: Counts) => number): number => all.reduce((total, counts) => total + of(counts), 0);
  return {
    worlds: sum(({ worlds }) => worlds),
    items: sum(({ items }) => items),
    credits: sum(({ credits }) => credits),
    resolvable: sum(({ resolvable }) => resolvable),
    strict: addCreditScores(all.map(({ strict }) => strict)),
    loose: addCreditScores(all.map(({ loose }) => loose)),
    evidence: addEvidence(all.map(({ evidence }) => evidence)),
    breaks: addBreakScores(all.map(({ breaks }) => breaks)),
    decoys: sum(({ decoys }) => decoys),
    decoysResolved: sum(({ decoysResolved }) => decoysResolved),
    withDecoys: addCreditScores(all.map(({ withDecoys }) => withDecoys)),
    shuffles: sum(({ shuffles }) => shuffles),
    shufflesDifferent: sum(({ shufflesDifferent }) => shufflesDifferent),
    calibration: all.flatMap(({ calibration }) => calibration),
    tookMs: sum(({ tookMs }) => tookMs),
  };
}

function addCreditScores(all: readonly CreditScore[]): CreditScore {
  const sum = (of: (score: CreditScore) => number): number => all.reduce((total, score) => total + of(score), 0);
  return {
    resolved: sum(({ resolved }) => resolved),
    exact: sum(({ exact }) => exact),
    exactResolvable: sum(({ exactResolvable }) => exactResolvable),
    wrong: all.flatMap(({ wrong }) => wrong),
    ambiguous: sum(({ ambiguous }) => ambiguous),
    unexplained: sum(({ unexplained }) => unexplained),
    cutShort: sum(({ cutShort }) => cutShort),
    commonCoreFalse: sum(({ commonCoreFalse }) => commonCoreFalse),
    proposalsRight: sum(({ proposalsRight }) => proposalsRight),
    proposalsWrong: sum(({ proposalsWrong }) => proposalsWrong),
    claimedErrorSum: sum(({ claimedErrorSum }) => claimedErrorSum),
    cutsStated: sum(({ cutsStated }) => cutsStated),
    cutsRight: sum(({ cutsRight }) => cutsRight),
  };
}

function addEvidence(all: readonly EvidenceCounts[]): EvidenceCounts {
  const sum = (evidence: keyof EvidenceCounts): number => all.reduce((total, counts) => total + counts[evidence], 0);
  return {
    reported: sum('reported'),
    inferred_by_tracer: sum('inferred_by_tracer'),
    inferred_by_cut: sum('inferred_by_cut'),
    inferred_by_sum: sum('inferred_by_sum'),
    asserted: sum('asserted'),
  };
}

function addBreakScores(all: readonly BreakScores[]): BreakScores {
  const total: Record<string, BreakScore> = {};
  for (const [breakClass, score] of all.flatMap((scores) => Object.entries(scores))) {
    const before = total[breakClass];
    total[breakClass] = {
      justified: (before?.justified ?? 0) + score.justified,
      justifiedFound: (before?.justifiedFound ?? 0) + score.justifiedFound,
      reported: (before?.reported ?? 0) + score.reported,
      reportedRight: (before?.reportedRight ?? 0) + score.reportedRight,
    };
  }
  return total;
}
