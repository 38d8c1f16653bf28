import { countBreaks } from './count-breaks';
import type { Facts } from './facts';
import type { RunPlan } from './plan-run';
import { isOfRuns } from './run-breaks';

/** The changes of a run against the stored state. */
export interface RunDifference {
  /** Newly matched credits. */
  readonly newlyResolved: readonly string[];
  /** Credits whose match was reversed. */
  readonly takenBack: readonly string[];
  /** Fingerprints of breaks that runs find. */
  readonly breaks: {
    readonly new: readonly string[];
    readonly persisting: readonly string[];
    readonly resolved: readonly string[];
  };
}

/** Compares a plan with what is stored. A difference that two people closed, and that is unchanged, is none. Pure. */
export function runDifference({ openBreaks }: Facts, { releases, matches, breaks, after }: RunPlan): RunDifference {
  const before = new Set(openBreaks.filter(isOfRuns).map(({ fingerprint }) => fingerprint));
  const now = new Set(countBreaks(breaks, after).counted.map(({ fingerprint }) => fingerprint));
  return {
    newlyResolved: matches.map(({ lineId }) => lineId).sort(),
    takenBack: releases.map(({ match }) => match.lineId).sort(),
    breaks: {
      new: [...now].filter((each) => !before.has(each)).sort(),
      persisting: [...now].filter((each) => before.has(each)).sort(),
      resolved: [...before].filter((each) => !now.has(each)).sort(),
    },
  };
}
