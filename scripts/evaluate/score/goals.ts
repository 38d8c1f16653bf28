import { calibrationRows } from './calibration';
import type { BreakScores, Counts } from './world-score';

export const EXACT_SHARE_MIN_STRICT = 0.96;
export const EXACT_SHARE_MIN_LOOSE = 0.98;
export const BREAK_SHARE_MIN = 0.95;

/** Returns the share of the payouts that an ideal reader resolves; undefined without such payouts. */
export function exactShare(exactResolvable: number, resolvable: number): number | undefined {
  return resolvable === 0 ? undefined : exactResolvable / resolvable;
}

/** Returns the mean over the reported classes, and over the justified ones; undefined without any. */
export function breakShares(breaks: BreakScores): {
  readonly precision: number | undefined;
  readonly recall: number | undefined;
} {
  const scores = Object.values(breaks);
  return {
    precision: mean(scores.filter((each) => each.reported > 0).map((each) => each.reportedRight / each.reported)),
    recall: mean(scores.filter((each) => each.justified > 0).map((each) => each.justifiedFound / each.justified)),
  };
}

/** Returns the missed goals, one line each. */
export function missedGoals(counts: Counts): string[] {
  const { strict, loose, withDecoys, resolvable } = counts;
  const { precision, recall } = breakShares(counts.breaks);
  return [
    ...none('wrong at 1e-3', strict.wrong.length),
    ...none('wrong at 5e-3', loose.wrong.length),
    ...none('wrong beside decoys', withDecoys.wrong.length),
    ...none(
      'items of a false common core',
      strict.commonCoreFalse + loose.commonCoreFalse + withDecoys.commonCoreFalse,
    ),
    ...none('decoys resolved', counts.decoysResolved),
    ...none('answers that depend on the order of the files', counts.shufflesDifferent),
    ...atLeast('exact at 1e-3', exactShare(strict.exactResolvable, resolvable), EXACT_SHARE_MIN_STRICT),
    ...atLeast('exact at 5e-3', exactShare(loose.exactResolvable, resolvable), EXACT_SHARE_MIN_LOOSE),
    ...atLeast('exact beside decoys', exactShare(withDecoys.exactResolvable, resolvable), EXACT_SHARE_MIN_STRICT),
    ...tooSure(counts),
    ...atLeast('precision of the breaks', precision, BREAK_SHARE_MIN),
    ...atLeast('recall of the breaks', recall, BREAK_SHARE_MIN),
  ];
}

/** Only too much confidence is a fault; the table shows too little of it. */
function tooSure({ calibration }: Counts): string[] {
  return calibrationRows(calibration)
    .filter(({ verdict }) => verdict === 'too sure')
    .map(
      ({ decade, worldsWrong, worldsExpectedMax }) =>
        `worlds with a wrong explanation ${decade === undefined ? 'in all decades' : `claimed from 1e${decade}`}: ${worldsWrong}, the claims expect at most ${worldsExpectedMax.toFixed(2)}`,
    );
}

function none(what: string, count: number): string[] {
  return count === 0 ? [] : [`${what}: ${count}, the goal is 0`];
}

function atLeast(what: string, share: number | undefined, least: number): string[] {
  return share === undefined || share >= least ? [] : [`${what}: ${percent(share)}, the goal is ${percent(least)}`];
}

/** Formats a share, rounded down: 95.99 % is not 96 %. */
export function percent(share: number | undefined): string {
  return share === undefined ? '-' : `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`;
}

function mean(shares: readonly number[]): number | undefined {
  return shares.length === 0 ? undefined : shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
