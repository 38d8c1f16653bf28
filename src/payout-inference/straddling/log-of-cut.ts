import type { CutRates } from '../cut-rates';
import { logAdd } from '../weigh-paths';
import type { ChainNode } from './chain-graph';
import type { CutSlot } from './cut-slots';

const NEVER = 1e-30;

/** Returns the log probability that a cut takes exactly this set, somewhere in its slots. */
export function logOfCut({ slots }: ChainNode, cutRates: CutRates, factor: (slot: CutSlot) => number): number {
  let log = -Infinity;
  for (const { slot, logChance } of slots) {
    const chance = -Math.expm1(-cutRates.expected(slot.from, slot.to)) * factor(slot);
    log = logAdd(log, logChance + Math.log(Math.max(NEVER, chance)));
  }
  return log;
}
