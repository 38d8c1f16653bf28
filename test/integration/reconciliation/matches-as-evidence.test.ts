// Goal: a match by a person is evidence for later runs, and a run replays with it.
// Method: a generated world of six credits in both databases, of which people match four before the first run; the real
// inference, which proves nothing by two credits.
import { expect, test } from '@jest/globals';
import { scenarioNamed } from '../../../scripts/evaluate/score/make-world';
import { inferPayouts } from '../../../src/payout-inference';
import { describeOnEachDatabase } from '../../support/db';
import { TESTER } from '../../support/factories';
import { openRooms } from '../ledger/rooms';
import { contents } from '../ledger/row-counts';
import { putWorld } from './put-world';

const LIMIT_MS = 120_000;
const MATCHED_BY_PEOPLE = 4;

describeOnEachDatabase('matches by people', (harness) => {
  test(
    'are evidence for the credits that they left',
    async () => {
      const world = scenarioNamed('odd-millimes')?.generate(3, { items: 250, days: 11 });
      if (world === undefined) throw new Error('there is no such scenario');
      const rooms = openRooms(harness.database, '2026-01-01T00:00:00+01:00', inferPayouts);
      const lineIds = await putWorld(harness.database, rooms, world);
      const truth = new Map(world.truth.lines.map((line) => [line.lineId, line]));
      const through = world.files.lines.at(-1)?.bookingDate ?? '';
      const [...credits] = [...lineIds].map(
        ([lineId, ofWorld]) => [lineId, truth.get(ofWorld)?.itemIds ?? []] as const,
      );
      for (const [lineId, items] of credits.slice(0, MATCHED_BY_PEOPLE)) {
        const why = { reason: 'listed in the portal', actor: TESTER, dryRun: false };
        await rooms.reconciliation.match({ lineId, items, ...why });
      }

      const result = await rooms.reconcile(through);
      const left = result.credits.slice(MATCHED_BY_PEOPLE);
      expect(left.map(({ outcome, evidence }) => [outcome, evidence === 'asserted'])).toEqual([
        ['resolved', false],
        ['resolved', false],
      ]);
      for (const { line_id, item_ids } of left) {
        expect(item_ids).toEqual([...(truth.get(lineIds.get(line_id) ?? '')?.itemIds ?? [])].sort());
      }
      const before = await contents(harness.database);
      expect(await rooms.reconcile(through)).toEqual(result);
      expect(await contents(harness.database)).toEqual(before);
      for (const { id } of (await rooms.reconciliation.runs({ limit: 10 })).rows) {
        expect(await rooms.reconciliation.replay(id)).toMatchObject({ isSame: true, differsIn: [] });
      }
      expect(await rooms.reporting.verifyBooks()).toEqual([]);
    },
    LIMIT_MS,
  );
});
