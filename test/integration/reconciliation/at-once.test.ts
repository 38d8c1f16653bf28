// Goal: after two runs, a closing, and people who unmatch and match, all concurrently, every item is paid once, every
// seal holds, and the next run changes nothing.
// Method: some days of payments on both databases; all operations start at the same moment, several times. A later one
// may be refused, with no other message than these.
import { beforeEach, expect, test } from '@jest/globals';
import { type Database, openDatabase, rowsOf } from '../../../src/db';
import { businessDate, isAppError } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { createDayClosing, createReconciliation, type DayClosing } from '../../../src/reconciliation';
import { describeOnEachDatabase, parsedUrl } from '../../support/db';
import { TESTER } from '../../support/factories';
import { runsFirst } from '../../support/runs-first';
import { sweepBySums } from '../../support/sweep-by-sums';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';

const DAYS = ['02', '03', '04', '05'];
const PER_DAY = 6;
const THROUGH = '2026-03-06';
const TOLD = ['conflict', 'not_found', 'duplicate_key'];
const ROUNDS = 3;
const LEARNING = 3;

describeOnEachDatabase('concurrent runs, closings and persons', (harness) => {
  let rooms: Rooms;
  let closing: DayClosing;

  beforeEach(async () => {
    rooms = openRooms(harness.database, '2026-03-02T08:00:00+01:00');
    const { clock, calendar, workingDays } = rooms;
    closing = createDayClosing({ database: harness.database, clock, calendar, workingDays, logger: silentLogger });
    await rooms.importAgents('A1');
    for (const day of DAYS) {
      for (let item = 1; item <= PER_DAY; item += 1) {
        const call = { transactionId: `T${day}${item}`, agentId: 'A1', amount: 1_000 + 7 * item + Number(day) };
        await rooms.confirm(call, `2026-03-${day}T${String(9 + item).padStart(2, '0')}:00:00+01:00`);
      }
    }
    rooms.clock.set('2026-03-07T09:00:00+01:00');
    await rooms.importStatement(
      DAYS.map((day) => {
        const sum = Array.from({ length: PER_DAY }, (_, index) => 1_000 + 7 * (index + 1) + Number(day));
        return [`0${Number(day) + 1}/03/2026`, PAYOUT_TEXT, sum.reduce((total, each) => total + each, 0)] as const;
      }),
    );
  });

  const matched = async (): Promise<{ lineId: string; itemIds: readonly string[] }[]> =>
    (await rooms.reconcile(THROUGH, { dryRun: true })).credits.map(({ line_id, item_ids }) => ({
      lineId: line_id,
      itemIds: item_ids,
    }));
  const count = async (table: string): Promise<number> =>
    harness.database.read(async (session) => (await rowsOf(session(table).select('*'))).length);

  async function allAtOnce(works: readonly (() => Promise<unknown>)[]): Promise<void> {
    const ends = await Promise.allSettled(works.map((work) => work()));
    for (const end of ends) {
      if (end.status === 'fulfilled') continue;
      if (!isAppError(end.reason) || !TOLD.includes(end.reason.code)) throw end.reason;
    }
  }

  test('pay each item once, leave valid seals and nothing for the next run', async () => {
    const credits = await matched();
    const by = { actor: TESTER, dryRun: false, reason: 'looked at it' };
    const date = businessDate('2026-03-02');
    await rooms.reconcile('2026-03-03');
    for (let round = 0; round < ROUNDS; round += 1) {
      await allAtOnce([
        () => rooms.reconcile(THROUGH),
        () => rooms.reconcile(THROUGH),
        () => closing.close({ date, actor: TESTER, dryRun: false }),
        () => closing.close({ date, actor: TESTER, dryRun: false }),
        ...credits.flatMap(({ lineId, itemIds }) => [
          () => rooms.reconciliation.unmatch({ ...by, lineId }),
          () => rooms.reconciliation.match({ ...by, lineId, items: itemIds }),
        ]),
      ]);
      expect(await rooms.reporting.verifyBooks()).toEqual([]);
      expect(await closing.verify()).toEqual([]);
    }
    expect(await count('day_seals')).toBe(1);
    const live = await harness.database.read((session) => rowsOf(session('payout_claimed_lines').select('line_id')));
    for (const { lineId, itemIds } of credits.filter((each) => !live.some((row) => row['line_id'] === each.lineId))) {
      await rooms.reconciliation.match({ ...by, lineId, items: itemIds });
    }
    expect(await count('payout_claimed_items')).toBe(DAYS.length * PER_DAY);
    const last = await rooms.reconcile(THROUGH);
    expect(last).toMatchObject({ breaks: [], pendingMillimes: 0 });
    expect(await rooms.reconcile(THROUGH)).toEqual(last);
    expect(await rooms.reporting.verifyBooks()).toEqual([]);
    expect(await closing.verify()).toEqual([]);
  });

  test('store fees once that all of them learned', async () => {
    let reading = LEARNING;
    let begin = (): void => undefined;
    const all = new Promise<void>((resolve) => (begin = resolve));
    /** Whose first transaction begins when all have read, and know of no fees. */
    const waiting = (database: Database): Database =>
      runsFirst(() => {
        reading -= 1;
        if (reading === 0) begin();
        return all;
      }, database);
    const databases = Array.from({ length: LEARNING }, () => openDatabase(parsedUrl(harness.url), silentLogger));
    try {
      const { clock, calendar, workingDays } = rooms;
      const through = businessDate(THROUGH);
      const results = await Promise.all(
        databases.map((database) =>
          createReconciliation({
            ...{ database: waiting(database), clock, calendar, workingDays, logger: silentLogger },
            ...{ infer: sweepBySums(), itemsPerTransaction: 1 },
          }).run({ through, actor: TESTER, dryRun: false }),
        ),
      );
      for (const result of results) expect(result).toEqual(results[0]);
    } finally {
      for (const database of databases) await database.close();
    }
    expect(await count('payout_fee_schedules')).toBe(1);
    expect(await count('payout_matches')).toBe(DAYS.length);
    expect(await rooms.reporting.verifyBooks()).toEqual([]);
  });
});
