import type { StreamItems } from './line-up-stream';
import type { PathWeights } from './weigh-paths';

/** Gaps that hardly any way has are not worth a repair. */
const GAP_SHARE_MIN = 0.02;
const GAP_MS_MAX = 20 * 86_400_000;

/** A stretch between two cuts in which no link fits. Positions; the share of the ways that have it. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  readonly share: number;
}

/** From each node where ways go into a deviation to the next ones where they come out again. */
export function findGaps({ gapEntries, gapExits }: PathWeights, places: readonly number[], line: StreamItems): Gap[] {
  const gaps: Gap[] = [];
  for (let entry = 0; entry < places.length; entry += 1) {
    const entering = gapEntries[entry] ?? 0;
    if (entering < GAP_SHARE_MIN) continue;
    const from = places[entry] ?? 0;
    let leaving = 0;
    for (let exit = entry + 1; exit < places.length && leaving < 1 - GAP_SHARE_MIN; exit += 1) {
      const share = gapExits[exit] ?? 0;
      if (share < GAP_SHARE_MIN) continue;
      const to = places[exit] ?? 0;
      if ((line.key[to - 1] ?? 0) - (line.key[from] ?? 0) > GAP_MS_MAX) break;
      leaving += share;
      gaps.push({ from, to, share: Math.min(entering, share) });
    }
  }
  return gaps;
}
