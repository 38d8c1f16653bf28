import { HOUR_MS, type Instant, MINUTE_MS } from '../../../src/kernel';
import type { PayableItem, SeededRandom } from '../../../src/simulator';
import type { WorldPlan } from './plan';
import type { CutPayout } from './planned-cuts';

const LATE_MINUTES = [15, 8 * 60] as const;
/** How long after its cut an item is stated at the latest. */
export const RECORDED_LATE_MAX_MS = 8 * HOUR_MS;

/**
 * Draws the items that the files state some time after the cut that took them, such as a payment that Millime learned
 * of late. Cards are never among them: their money follows their own clock.
 */
export function lateRecords(
  random: SeededRandom,
  { faults }: WorldPlan,
  payouts: readonly CutPayout[],
  knownItems: readonly PayableItem[],
): ReadonlyMap<string, Instant> {
  const refunded = new Set(knownItems.map(({ refundOf }) => refundOf));
  const usable = new Set(
    knownItems
      .filter(
        ({ itemId, channel, amountMillimes }) => channel !== 'card' && amountMillimes > 0 && !refunded.has(itemId),
      )
      .map(({ itemId }) => itemId),
  );
  return new Map(
    payouts.flatMap(({ payoutId, cutAt, lines }): [string, Instant][] => {
      const chance = random.fork(payoutId);
      const isLate = chance.chance(faults.lateRecordPpm);
      const candidates = lines.filter(({ itemId }) => usable.has(itemId));
      if (!isLate || candidates.length === 0) return [];
      const item = candidates[chance.int(0, candidates.length - 1)];
      return item === undefined ? [] : [[item.itemId, cutAt + chance.int(...LATE_MINUTES) * MINUTE_MS]];
    }),
  );
}
