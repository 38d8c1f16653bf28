// Goal: what people and other runs do about a credit between the reading and the writing of a run is seen by it.
// Method: a run whose first writing waits until the others are done, on both databases; then the books are checked.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '../../../src/db';
import { businessDate } from '../../../src/kernel';
import { BANK_UNMATCHED, openLedger } from '../../../src/ledger';
import { silentLogger } from '../../../src/logging';
import { createReconciliation } from '../../../src/reconciliation';
import { describeOnEachDatabase } from '../../support/db';
import { TESTER } from '../../support/factories';
import { sweepBySums } from '../../support/sweep-by-sums';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';
import { decideByTwo, openDesk } from './two-people';

const THROUGH = '2026-03-13';
const COMMISSION = 1;

describeOnEachDatabase('what happens while a run works', (harness) => {
  let rooms: Rooms;

  beforeEach(async () => {
    rooms = openRooms(harness.database, '2026-03-02T08:00:00+01:00');
    await rooms.importAgents('A1');
    rooms.clock.set('2026-03-13T18:00:00+01:00');
    await rooms.importStatement([['03/03/2026', PAYOUT_TEXT, 12_500]]);
    // The bank has told of later days, and kept its commission.
    await rooms.importStatement([['12/03/2026', 'COMMISSION', -COMMISSION]]);
  });

  afterEach(async () => expect(await rooms.reporting.verifyBooks()).toEqual([]));

  const confirmBoth = async (): Promise<void> => {
    await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 10_000 }, '2026-03-02T09:00:00+01:00');
    await rooms.confirm({ transactionId: 'T2', agentId: 'A1', amount: 2_500 }, '2026-03-02T15:00:00+01:00');
    rooms.clock.set('2026-03-13T19:00:00+01:00');
  };
  const unmatchedMoney = async (): Promise<number> =>
    Number(await harness.database.read((session) => openLedger(session).sumOf(BANK_UNMATCHED)));

  /** A run that has read its facts, and worked all out, when the others do theirs. */
  async function runWhile(others: () => Promise<void>): Promise<Awaited<ReturnType<Rooms['reconcile']>>> {
    let isFirst = true;
    const database: Database = {
      ...harness.database,
      transact: async (work, options) => {
        if (isFirst) {
          isFirst = false;
          await others();
        }
        return harness.database.transact(work, options);
      },
    };
    const { clock, calendar, workingDays } = rooms;
    const reconciliation = createReconciliation({
      ...{ database, clock, calendar, workingDays, logger: silentLogger },
      infer: sweepBySums(),
    });
    return reconciliation.run({ through: businessDate(THROUGH), actor: TESTER, dryRun: false });
  }

  test('a credit that another run matched and a person took back is left to people', async () => {
    await confirmBoth();
    const result = await runWhile(async () => {
      const { credits } = await rooms.reconcile(THROUGH);
      const lineId = credits[0]?.line_id ?? '';
      await rooms.reconciliation.unmatch({ lineId, reason: 'the bank says so', actor: TESTER, dryRun: false });
    });
    expect(result.credits).toMatchObject([{ outcome: 'ambiguous', proposal: ['service:T1', 'service:T2'] }]);
    expect(await unmatchedMoney()).toBe(COMMISSION - 12_500);
  });

  test('a credit that two people write off is not matched as well', async () => {
    await rooms.reconcile(THROUGH);
    const [missing] = (await rooms.breaks.list({})).filter(({ breakClass }) => breakClass === 'missing_in_book');
    await confirmBoth();
    const result = await runWhile(async () => {
      const desk = openDesk(harness.database, rooms);
      await decideByTwo(desk, missing?.id ?? '', 'write_off', { account: BANK_UNMATCHED });
    });
    expect(result.credits).toEqual([]);
    expect(await unmatchedMoney()).toBe(COMMISSION);
  });

  test('another run that ends first is not followed by breaks of what was before it', async () => {
    await confirmBoth();
    await runWhile(async () => {
      await rooms.reconcile(THROUGH);
    });
    expect(await rooms.breaks.list({ includeResolved: true })).toEqual([]);
    expect(await unmatchedMoney()).toBe(COMMISSION);
  });
});
