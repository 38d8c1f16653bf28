// Goal: no day is closed over a bank line that no run has read, or over a statement that waits for a decision.
// Method: the rooms on both databases. One statement is reconciled; a second one of the same days comes afterwards.
import { beforeEach, expect, test } from '@jest/globals';
import { businessDate, isAppError, noticeLine } from '../../../../src/kernel';
import { silentLogger } from '../../../../src/logging';
import { createDayClosing, type DayClosing } from '../../../../src/reconciliation';
import { bankFileOfBytes } from '../../../../src/statements';
import { type LineGiven, statementBytes } from '../../../fixtures/statements/statement-bytes';
import { describeOnEachDatabase } from '../../../support/db';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../../ledger/rooms';
import { SALMA } from './scene';

const DAY = '2026-03-03';
const REASON = 'compared with the paper statement';
const OTHER_ACCOUNT = '08003000000000000061';
const UNREAD = `a statement was posted after the last run (1 line, ${DAY}); run "millime reconcile --through ${DAY}"`;

describeOnEachDatabase('closing a day after a late statement', (harness) => {
  let rooms: Rooms;
  let closing: DayClosing;

  beforeEach(async () => {
    rooms = openRooms(harness.database, '2026-03-02T08:00:00+01:00');
    const { clock, calendar, workingDays } = rooms;
    closing = createDayClosing({ database: harness.database, clock, calendar, workingDays, logger: silentLogger });
    await rooms.importAgents('A1');
    await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 10_000 }, '2026-03-02T09:00:00+01:00');
    clock.set('2026-03-04T09:00:00+01:00');
    await rooms.importStatement([['03/03/2026', PAYOUT_TEXT, 10_000]]);
    await rooms.reconcile(DAY);
  });

  const importOther = async (lines: readonly LineGiven[], closingBalance?: number): Promise<string> => {
    const given = {
      account: OTHER_ACCOUNT,
      lines,
      ...(closingBalance === undefined ? {} : { closing: closingBalance }),
    };
    const file = bankFileOfBytes('other.csv', statementBytes(given));
    const outcome = await rooms.statements.import({ file, actor: SALMA, account: OTHER_ACCOUNT });
    return outcome.kind === 'imported' ? (outcome.statements[0]?.statement.id ?? '') : '';
  };
  const close = async (dryRun = false): Promise<string | readonly string[]> => {
    try {
      const { kind, obstacles } = await closing.close({ date: businessDate(DAY), actor: SALMA, dryRun });
      return obstacles.length > 0 ? obstacles.map(noticeLine) : kind;
    } catch (error) {
      if (!isAppError(error, 'conflict')) throw error;
      return error.details;
    }
  };

  test('closes a day without one', async () => {
    expect(await close()).toBe('closed');
  });

  test('waits for a run after a credit was posted, and for no run after a line of another business', async () => {
    await importOther([
      ['03/03/2026', PAYOUT_TEXT, 1_234],
      ['03/03/2026', 'LOYER', -99],
    ]);
    expect(await close(true)).toEqual([UNREAD]);
    expect(await close()).toEqual([UNREAD]);
    await rooms.reconcile(DAY);
    expect(await close()).toBe('closed');
  });

  test('waits for a run after a debit that may return a payout, although it changes no answer', async () => {
    await importOther([['03/03/2026', PAYOUT_TEXT, 1_234]]);
    await rooms.reconcile(DAY);
    await rooms.importStatement([['03/03/2026', 'ACHAT', -10_000]]);
    expect(await close()).toEqual([UNREAD]);
    await rooms.reconcile(DAY);
    expect(await close()).toBe('closed');
    const runs = (await rooms.reconciliation.runs({ limit: 10 })).rows;
    await rooms.reconcile(DAY);
    expect((await rooms.reconciliation.runs({ limit: 10 })).rows).toEqual(runs);
  });

  test('waits for a decision on an unbalanced statement, and after its acceptance for a run', async () => {
    const id = await importOther([['03/03/2026', PAYOUT_TEXT, 1_234]], 1);
    const held = `statement ${id} of account ${OTHER_ACCOUNT} waits for a decision; `;
    const commands = `run "millime statements accept ${id} --reason ..." or "millime statements exclude ${id} --reason ..."`;
    expect(await close()).toEqual([held + commands]);
    await rooms.statements.accept({ id, reason: REASON, actor: SALMA });
    expect(await close()).toEqual([UNREAD]);
    await rooms.reconcile(DAY);
    expect(await close()).toBe('closed');
  });

  test('is possible after an unbalanced statement was excluded, and beside one of later days', async () => {
    const id = await importOther([['03/03/2026', PAYOUT_TEXT, 1_234]], 1);
    await importOther([['04/03/2026', PAYOUT_TEXT, 4_321]], 1);
    await rooms.statements.leaveOut({ id, reason: REASON, actor: SALMA });
    expect(await close()).toBe('closed');
  });
});
