// Goal: the results of the inference among cards, refunds and many channels are posted unchanged, and stay.
// Method: generated worlds of some hundreds of items whose truth is known, written into both databases and reconciled
// by the real inference; each resolved credit is compared with the items that truly paid it.
import { expect, test } from '@jest/globals';
import { scenarioNamed } from '../../../scripts/evaluate/score/make-world';
import { isSameItems } from '../../../scripts/evaluate/score/same-items';
import type { World } from '../../../scripts/evaluate/world';
import { gatewayClearing, openLedger } from '../../../src/ledger';
import { CHANNELS, inferPayouts } from '../../../src/payout-inference';
import { describeOnEachDatabase } from '../../support/db';
import { sized } from '../../support/faults';
import { openRooms, type Rooms } from '../ledger/rooms';
import { contents } from '../ledger/row-counts';
import { putWorld } from './put-world';

const ITEMS = 250;
const LIMIT_MS = 300_000;
const SHORT = ['refunds-after-returned', 'fees-learned', 'returned-payout'];
const SCENARIOS = sized({ short: SHORT, full: ['clean-daily', 'refunds-before', 'per-channel', ...SHORT] });
/** What the inference must at least dare to say; it is scored elsewhere, here it must have something to write. */
const RESOLVED_MIN = 10;

function aWorld(scenario: string): World {
  const found = scenarioNamed(scenario);
  if (found === undefined) throw new Error(`there is no scenario ${scenario}`);
  return found.generate(1, { items: ITEMS, days: found.size.days });
}

describeOnEachDatabase('a generated world', (harness) => {
  let rooms: Rooms;

  async function clearings(): Promise<number> {
    const totals = await harness.database.read((session) =>
      Promise.all(CHANNELS.map((channel) => openLedger(session).sumOf(gatewayClearing(channel)))),
    );
    return totals.reduce((sum, total) => sum + Number(total), 0);
  }

  test.each(SCENARIOS)(
    '%s is reconciled as its truth says, and the second run changes nothing',
    async (scenario) => {
      const world = aWorld(scenario);
      const { items, lines } = world.files;
      rooms = openRooms(harness.database, '2026-01-01T00:00:00+01:00', inferPayouts);
      const lineIds = await putWorld(harness.database, rooms, world);
      const through = lines.at(-1)?.bookingDate ?? '';
      const result = await rooms.reconcile(through);

      const refunds = new Map(items.flatMap(({ itemId, refundOf }) => (refundOf ? [[itemId, refundOf]] : [])));
      const truth = new Map(world.truth.lines.map((line) => [line.lineId, line]));
      const resolved = result.credits.filter(({ outcome }) => outcome === 'resolved');
      expect(resolved.length).toBeGreaterThanOrEqual(RESOLVED_MIN);
      for (const { line_id, item_ids, fee_millimes, tva_millimes } of resolved) {
        const line = truth.get(lineIds.get(line_id) ?? '');
        const isRight = isSameItems(item_ids, line?.itemIds ?? [], refunds);
        expect({ line, isRight, fee_millimes, tva_millimes }).toEqual({
          ...{ line, isRight: true, fee_millimes: line?.feeMillimes, tva_millimes: line?.tvaMillimes },
        });
      }

      const paid = new Set(resolved.flatMap(({ item_ids }) => item_ids));
      const open = items.filter(({ itemId }) => !paid.has(itemId)).reduce((sum, { amount }) => sum + amount, 0);
      expect(await clearings()).toBe(open);
      expect(await rooms.reporting.verifyBooks()).toEqual([]);
      const before = await contents(harness.database);
      expect(await rooms.reconcile(through)).toEqual(result);
      expect(await contents(harness.database)).toEqual(before);
    },
    LIMIT_MS,
  );
});
