import { addToGroup } from '../../../src/kernel';
import type { InferredCredit } from '../../../src/payout-inference';
import { judgeCredits } from './judge-credits';
import { atLeast, atMost } from './poisson-binomial';
import type { ScoredRun } from './score-credits';
import type { WorldDecade, WrongCredit } from './world-score';

/** Explanations with a claimed error up to this are judged, resolved or not. */
export const JUDGED_ERROR_MAX = 0.3;
/** A row that true claims produce less often than this fails the run. With ten rows, one run in a hundred fails so. */
export const CALIBRATION_LEVEL = 1e-3;

/** The explanations of all worlds in one decade. */
export interface CalibrationRow {
  /** Undefined: all decades together. */
  readonly decade: number | undefined;
  readonly explanations: number;
  readonly claimed: number;
  readonly wrong: readonly WrongCredit[];
  readonly worlds: number;
  /** Worlds with a wrong explanation, and the least and the most of them that the claims expect. */
  readonly worldsWrong: number;
  readonly worldsExpectedMin: number;
  readonly worldsExpectedMax: number;
  readonly verdict: 'agrees' | 'too sure' | 'too careful';
}

/** Judges every explanation of one world that the engine gave at the limit `JUDGED_ERROR_MAX`. */
export function decadesOfWorld(credits: readonly InferredCredit[], run: ScoredRun): WorldDecade[] {
  const { scenario, seed, maxError, book } = run;
  const byDecade = new Map<number, WorldDecade>();
  for (const { credit, verdict, why } of judgeCredits(credits, book)) {
    if (verdict === 'not resolved') continue;
    const { lineId, claimedError } = credit;
    const decade = Math.floor(Math.log10(claimedError));
    const before = byDecade.get(decade);
    const wrong = verdict === 'wrong' ? [{ scenario, seed, lineId, maxError, why }] : [];
    byDecade.set(decade, {
      world: `${scenario}:${seed}`,
      decade,
      explanations: (before?.explanations ?? 0) + 1,
      claimedSum: (before?.claimedSum ?? 0) + claimedError,
      claimedMax: Math.max(before?.claimedMax ?? 0, claimedError),
      wrong: [...(before?.wrong ?? []), ...wrong],
    });
  }
  return [...byDecade.values()].sort((a, b) => a.decade - b.decade);
}

/** Returns one row for each decade and one for all of them. */
export function calibrationRows(all: readonly WorldDecade[]): CalibrationRow[] {
  const decades = [...new Set(all.map(({ decade }) => decade))].sort((a, b) => a - b);
  const rows = decades.map((decade) =>
    rowOf(
      decade,
      all.filter((each) => each.decade === decade),
    ),
  );
  return [...rows, rowOf(undefined, all)];
}

/**
 * Counts worlds, because the explanations of one world depend on each other. Whatever that dependence is, the
 * probability of a world with a wrong explanation is at most the sum of the claims and at least the greatest of them.
 * Worlds are independent, so the number of such worlds lies between two sums of independent events.
 */
function rowOf(decade: number | undefined, of: readonly WorldDecade[]): CalibrationRow {
  const byWorld = new Map<string, WorldDecade[]>();
  for (const each of of) addToGroup(byWorld, each.world, each);
  const worlds = [...byWorld.values()];
  const most = worlds.map((parts) => Math.min(1, sum(parts.map(({ claimedSum }) => claimedSum))));
  const least = worlds.map((parts) => Math.max(...parts.map(({ claimedMax }) => claimedMax)));
  const worldsWrong = worlds.filter((parts) => parts.some(({ wrong }) => wrong.length > 0)).length;
  return {
    decade,
    explanations: sum(of.map(({ explanations }) => explanations)),
    claimed: sum(of.map(({ claimedSum }) => claimedSum)),
    wrong: of.flatMap(({ wrong }) => wrong),
    worlds: worlds.length,
    worldsWrong,
    worldsExpectedMin: sum(least),
    worldsExpectedMax: sum(most),
    verdict: verdictOf(worldsWrong, least, most),
  };
}

function verdictOf(worldsWrong: number, least: readonly number[], most: readonly number[]): CalibrationRow['verdict'] {
  if (atLeast(worldsWrong, most) < CALIBRATION_LEVEL) return 'too sure';
  return atMost(worldsWrong, least) < CALIBRATION_LEVEL ? 'too careful' : 'agrees';
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
