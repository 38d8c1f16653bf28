// Goal: each obstacle to closing a day is found in the books of both databases, with its code and its parameters.
// Method: one scene for each code, checked in a dry run.
import { beforeEach, expect, test } from '@jest/globals';
import { AppError, businessDate } from '../../../../src/kernel';
import { silentLogger } from '../../../../src/logging';
import { createDayClosing, createReconciliation, type DayClosing } from '../../../../src/reconciliation';
import type { ObstacleCode } from '../../../../src/reconciliation/testing';
import { bankFileOfBytes } from '../../../../src/statements';
import { type LineGiven, statementBytes } from '../../../fixtures/statements/statement-bytes';
import { describeOnEachDatabase } from '../../../support/db';
import { TESTER } from '../../../support/factories';
import { sweepBySums } from '../../../support/sweep-by-sums';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../../ledger/rooms';
import { NO_BANK, SALMA } from './scene';

const ACCOUNT = '11222333333333333344';
const MONDAY = '2026-03-02';
const TUESDAY = '2026-03-03';
const WEDNESDAY = '2026-03-04';

/** What a scene does before a day is checked, and what is then in the way. */
interface ObstacleScene {
  arrange(): Promise<void>;
  readonly date?: string;
  readonly params: object;
}

describeOnEachDatabase('closing a day', (harness) => {
  let rooms: Rooms;
  let closing: DayClosing;

  beforeEach(async () => {
    rooms = openRooms(harness.database, '2026-03-02T08:00:00+01:00');
    const { clock, calendar, workingDays } = rooms;
    closing = createDayClosing({ database: harness.database, clock, calendar, workingDays, logger: silentLogger });
    await rooms.importAgents('A1');
    for (const [index, day] of [MONDAY, TUESDAY, WEDNESDAY].entries()) {
      const call = { transactionId: `T${index}`, agentId: 'A1', amount: 10_000 + index };
      await rooms.confirm(call, `${day}T09:00:00+01:00`);
    }
  });

  const dayAfter = async (): Promise<void> => {
    rooms.clock.set('2026-03-04T09:00:00+01:00');
    await rooms.importStatement([['03/03/2026', PAYOUT_TEXT, 10_000]], ACCOUNT);
    await rooms.reconcile(TUESDAY);
  };
  const closed = async (): Promise<void> => {
    await dayAfter();
    await closing.close({ date: businessDate(TUESDAY), actor: SALMA, reason: NO_BANK, dryRun: false });
  };
  const importWaiting = async (lines: readonly LineGiven[], opening: number): Promise<void> => {
    const file = bankFileOfBytes('other.csv', statementBytes({ account: ACCOUNT, lines, opening, closing: 1 }));
    await rooms.statements.import({ file, actor: SALMA });
  };
  const importSeven = async (): Promise<void> => {
    for (let day = 0; day < 7; day += 1) await importWaiting([['02/03/2026', 'ACHAT', -100 - day]], 5_000 + day);
  };
  /** Stops a run after the transactions of the fees and of the first match. */
  const interruptRun = async (): Promise<void> => {
    const through = businessDate('2026-03-06');
    rooms.clock.set('2026-03-07T09:00:00+01:00');
    await rooms.reconcile(through);
    await rooms.importStatement(
      [
        ['03/03/2026', PAYOUT_TEXT, 10_000],
        ['04/03/2026', PAYOUT_TEXT, 10_001],
        ['05/03/2026', PAYOUT_TEXT, 10_002],
      ],
      ACCOUNT,
    );
    const leave = new AbortController();
    const { clock, calendar, workingDays } = rooms;
    let stored = 0;
    const database: typeof harness.database = {
      ...harness.database,
      transact: async (work, options) => {
        const result = await harness.database.transact(work, options);
        stored += 1;
        if (stored === 2) leave.abort(new AppError('interrupted', 'the process stops'));
        return result;
      },
    };
    const deps = { database, clock, calendar, workingDays, logger: silentLogger, infer: sweepBySums() };
    const run = createReconciliation({ ...deps, itemsPerTransaction: 1 }).run({
      ...{ through, actor: TESTER, dryRun: false, signal: leave.signal },
    });
    await expect(run).rejects.toMatchObject({ code: 'interrupted' });
  };
  const unread = { lines: 1, firstDate: TUESDAY, lastDate: TUESDAY, through: TUESDAY };
  const anId = expect.stringMatching(/^[0-9A-Z]{26}$/);

  const scenes: Readonly<Record<ObstacleCode, ObstacleScene>> = {
    earlier_day_open: { arrange: closed, date: '2026-03-05', params: { date: WEDNESDAY } },
    closed_through: { arrange: closed, date: MONDAY, params: { through: TUESDAY } },
    day_not_over: {
      arrange: () => Promise.resolve(),
      date: WEDNESDAY,
      params: { from: '2026-03-04T23:01:00.000Z', localTime: '2026-03-05 00:01:00' },
    },
    not_reconciled: { arrange: () => Promise.resolve(), params: { through: TUESDAY } },
    run_unfinished: { arrange: interruptRun, date: '2026-03-06', params: { through: '2026-03-06' } },
    lines_unread: {
      arrange: async () => {
        await dayAfter();
        await rooms.importStatement([['03/03/2026', PAYOUT_TEXT, 1_234]], ACCOUNT);
      },
      params: unread,
    },
    statement_waiting: { arrange: importSeven, params: { statementId: anId, account: ACCOUNT } },
    more_statements_waiting: { arrange: importSeven, params: { statements: 2 } },
    no_statement: { arrange: () => Promise.resolve(), params: {} },
    statements_end: { arrange: dayAfter, date: WEDNESDAY, params: { account: ACCOUNT, through: TUESDAY } },
  };

  test.each(Object.entries(scenes))('finds %s', async (code, { arrange, date = TUESDAY, params }) => {
    await arrange();
    const { obstacles } = await closing.close({ date: businessDate(date), actor: SALMA, dryRun: true });
    expect(obstacles).toContainEqual(expect.objectContaining({ code, params }));
  });
});
