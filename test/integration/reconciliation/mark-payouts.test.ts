// Goal: a mistyped payout pattern is repaired: people mark stored credits as payouts or as none, later runs read that,
// and earlier runs replay as they were.
// Method: the rooms on both databases with a stand-in for the inference; each test ends with a check of the books.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { rowsOf } from '../../../src/db';
import type { Actor } from '../../../src/identity';
import { businessDate } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { createDayClosing, type MarkedPayouts } from '../../../src/reconciliation';
import { bankFileOfBytes, type CreditChoice } from '../../../src/statements';
import { statementBytes } from '../../fixtures/statements/statement-bytes';
import { describeOnEachDatabase } from '../../support/db';
import { TESTER } from '../../support/factories';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';

const THROUGH = '2026-03-06';
/** When a credit that nothing explains is a break. */
const LATER = '2026-03-20';
const OTHER_TEXT = 'VIR RECU PASSERELLE SARL';
const REASON = 'the contract names the payer';

describeOnEachDatabase('markPayouts', (harness) => {
  let rooms: Rooms;

  beforeEach(async () => {
    rooms = openRooms(harness.database, '2026-03-02T08:00:00+01:00');
    await rooms.importAgents('A1');
    await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 10_000 }, '2026-03-02T09:00:00+01:00');
    await rooms.confirm({ transactionId: 'T2', agentId: 'A1', amount: 7_001 }, '2026-03-03T10:00:00+01:00');
    rooms.clock.set('2026-03-06T18:00:00+01:00');
  });

  afterEach(async () => expect(await rooms.reporting.verifyBooks()).toEqual([]));

  interface Given {
    readonly payoutPattern?: string;
    readonly isPayout?: boolean;
    readonly choice?: CreditChoice;
    readonly dryRun?: boolean;
  }
  const mark = async ({ payoutPattern = 'passerelle', isPayout = true, choice, dryRun = false }: Given = {}) =>
    rooms.reconciliation.markPayouts({
      choice: choice ?? { statementId: await statementId() },
      ...{ payoutPattern, isPayout, reason: REASON, actor: TESTER, dryRun },
    });
  const statementId = async (): Promise<string> =>
    (await rooms.statements.list({ limit: 100 })).rows[0]?.statement.id ?? '';
  const lineIds = async (): Promise<string[]> =>
    (await rooms.statements.show(await statementId())).lines.map(({ line }) => line.id);
  const isPayout = async (): Promise<boolean[]> =>
    (await rooms.statements.show(await statementId())).lines.map(({ line }) => line.payoutCandidate);
  const rowCount = async (): Promise<number> =>
    (await harness.database.read((session) => rowsOf(session('payout_marks as m').select('m.id')))).length;
  const replays = async (): Promise<boolean[]> => {
    const runs = (await rooms.reconciliation.runs({ limit: 10 })).rows;
    return Promise.all(runs.map(async ({ id }) => (await rooms.reconciliation.replay(id)).isSame));
  };
  const changed = ({ changed: lines }: MarkedPayouts): string[] => lines.map(({ remittance }) => remittance);

  describe('of credits that the import took for none', () => {
    beforeEach(() =>
      rooms.importStatement([
        ['03/03/2026', OTHER_TEXT, 10_000],
        ['03/03/2026', 'VERSEMENT', 500],
        ['04/03/2026', 'COMMISSION PASSERELLE', -1_190],
      ]),
    );

    test('lets the next run match them, and earlier runs replay as they were', async () => {
      expect((await rooms.reconcile(THROUGH)).credits).toEqual([]);
      rooms.clock.advance(60_000);
      const [first = '', other = '', debit = ''] = await lineIds();
      await expect(rooms.reconciliation.explain(first)).rejects.toMatchObject({
        problem: { code: 'line_no_payout' },
        message: expect.stringMatching(/is not marked as a payout; run "millime statements mark-payouts 0\w{25} --pay/),
      });
      await expect(rooms.reconciliation.credit(debit)).rejects.toMatchObject({ message: `line ${debit} is no credit` });

      expect(await mark()).toMatchObject({ credits: 2, recognized: 1, changed: [{ lineId: first, amount: 10_000 }] });
      expect(await isPayout()).toEqual([true, false, false]);
      expect(await rooms.reconciliation.explain(first)).toMatchObject({ state: 'waiting', line: { lineId: first } });
      const matched = { outcome: 'resolved', line_id: first, gross_millimes: 10_000 };
      expect((await rooms.reconcile(THROUGH)).credits).toMatchObject([matched]);
      expect(await replays()).toEqual([true, true]);
      await expect(rooms.reconciliation.credit(other)).rejects.toMatchObject({ problem: { code: 'line_no_payout' } });
      expect(await rooms.reporting.fullId(['credit'], debit.toLowerCase())).toBe(debit);
    });

    test('records who decided, when and why, and repeats without a change', async () => {
      await mark();
      expect(changed(await mark())).toEqual([]);
      const rows = await harness.database.read((session) =>
        rowsOf(
          session('payout_marks as m').select('m.position', 'm.decided_at', 'm.decided_by', 'm.pattern', 'm.reason'),
        ),
      );
      const at = rooms.clock.now();
      expect(rows).toEqual([
        { position: 1, decided_at: at, decided_by: TESTER.name, pattern: 'passerelle', reason: REASON },
      ]);
      const records = await harness.database.read((session) =>
        rowsOf(session('audit_records as a').select('a.action', 'a.subject').where('a.action', 'payouts.marked')),
      );
      expect(records).toEqual([{ action: 'payouts.marked', subject: `statement:${await statementId()}` }]);
    });

    test('chooses credits by account and day', async () => {
      const day = businessDate('2026-03-04');
      const choice = { account: '11 222 3333333333333 44', from: undefined, through: undefined };
      await expect(mark({ choice: { ...choice, from: day } })).rejects.toMatchObject({ code: 'not_found' });
      expect(changed(await mark({ choice: { ...choice, through: day }, dryRun: true }))).toEqual([OTHER_TEXT]);
      expect(await rowCount()).toBe(0);
      expect(changed(await mark({ choice }))).toEqual([OTHER_TEXT]);
    });

    test.each<[Given, string]>([
      [
        { payoutPattern: 'SERVICE DE PAIMENT' },
        'expected text or counterparty of one of 2 credits, got "SERVICE DE PAIM',
      ],
      [{ payoutPattern: ' ' }, 'expected 1 to 500 characters of a regular expression'],
      [{ payoutPattern: '(' }, 'expected a regular expression'],
      [{ choice: { statementId: '0'.repeat(26) } }, 'statement not found'],
      [
        { choice: { account: 'X1', from: undefined, through: undefined } },
        'credit in dinars of account not found: "X1"',
      ],
    ])('refuses %j and stores nothing', async (given, message) => {
      await expect(mark(given)).rejects.toMatchObject({ message: expect.stringContaining(message) });
      expect(await rowCount()).toBe(0);
    });

    test('refuses a key without the scope', async () => {
      const actor: Actor = {
        kind: 'api_key',
        name: 'writer',
        keyId: '1'.repeat(26),
        scopes: new Set(['statements:write']),
      };
      const command = { choice: { statementId: await statementId() }, payoutPattern: 'X', isPayout: true };
      await expect(
        rooms.reconciliation.markPayouts({ ...command, reason: REASON, actor, dryRun: false }),
      ).rejects.toMatchObject({ message: expect.stringContaining('lacks the scope statements:accept') });
    });

    test('stores one decision if two people decide at once', async () => {
      const both = await Promise.all([mark(), mark()]);
      expect(both.flatMap(changed)).toEqual([OTHER_TEXT]);
      expect(await rowCount()).toBe(1);
    });

    test('leaves a closed day closed, and posts the match on the next open day', async () => {
      const { clock, calendar, workingDays } = rooms;
      const closing = createDayClosing({
        database: harness.database,
        clock,
        calendar,
        workingDays,
        logger: silentLogger,
      });
      await rooms.reconcile('2026-03-02');
      const day = businessDate('2026-03-02');
      await closing.close({ date: day, actor: TESTER, dryRun: false });
      clock.advance(60_000);
      await mark();
      expect((await rooms.reconcile(THROUGH)).credits).toMatchObject([{ outcome: 'resolved' }]);
      expect(await closing.verify()).toEqual([]);
    });
  });

  describe('of credits that the import took for payouts', () => {
    beforeEach(() =>
      rooms.importStatement([
        ['03/03/2026', PAYOUT_TEXT, 10_000],
        ['04/03/2026', `${PAYOUT_TEXT} RETOUR CAUTION`, 900],
        ['18/03/2026', 'COMMISSION', -1],
      ]),
    );
    const unmark = (payoutPattern = 'caution', dryRun = false): Promise<MarkedPayouts> =>
      mark({ payoutPattern, isPayout: false, dryRun });

    const breaksOfCredit = async (): Promise<string[]> =>
      (await rooms.breaks.list({})).flatMap(({ breakClass, subject }) =>
        subject.lineIds.length > 0 ? [breakClass] : [],
      );

    test('as none closes the break of the credit, and earlier runs replay as they were', async () => {
      await rooms.reconcile(LATER);
      expect(await breaksOfCredit()).toEqual(['missing_in_book']);
      rooms.clock.advance(60_000);
      expect(changed(await unmark())).toHaveLength(1);
      expect((await rooms.reconcile(LATER)).credits).toMatchObject([{ outcome: 'resolved' }]);
      expect(await breaksOfCredit()).toEqual([]);
      expect(await replays()).toEqual([true, true]);

      rooms.clock.advance(60_000);
      await mark({ payoutPattern: 'caution' });
      expect(await isPayout()).toEqual([true, true, false]);
      await rooms.reconcile(LATER);
      expect(await breaksOfCredit()).toEqual(['missing_in_book']);
      expect(await replays()).toEqual([true, true, true]);
    });

    test('as none is refused while a match holds one of them, and possible after it was undone', async () => {
      await rooms.reconcile(THROUGH);
      const [matched = ''] = await lineIds();
      for (const dryRun of [true, false]) {
        await expect(unmark('SERVICE', dryRun)).rejects.toMatchObject({
          problem: { code: 'line_matched' },
          message: `line ${matched} is already matched; run "millime reconcile unmatch ${matched}" first`,
        });
      }
      expect(await rowCount()).toBe(0);
      rooms.clock.advance(60_000);
      await rooms.reconciliation.unmatch({ lineId: matched, reason: 'a deposit', actor: TESTER, dryRun: false });
      expect(changed(await unmark('SERVICE'))).toHaveLength(2);
      expect((await rooms.reconcile(THROUGH)).credits).toEqual([]);
      expect(await replays()).toEqual([true, true]);
      await expect(
        rooms.reconciliation.match({
          lineId: matched,
          items: ['service:T1'],
          reason: 'again',
          actor: TESTER,
          dryRun: false,
        }),
      ).rejects.toMatchObject({ problem: { code: 'line_no_payout' } });
    });

    test('as none and a run at once leave no match of a credit that is none', async () => {
      const [run, unmarked] = await Promise.allSettled([rooms.reconcile(THROUGH), unmark(PAYOUT_TEXT)]);
      expect(run.status).toBe('fulfilled');
      if (unmarked.status === 'rejected') {
        expect(unmarked.reason).toMatchObject({ problem: { code: 'line_matched' } });
      } else expect(await isPayout()).toEqual([false, false, false]);
    });
  });

  test('marks a line by a second statement that repeats it', async () => {
    await rooms.importStatement([['03/03/2026', OTHER_TEXT, 10_000]]);
    const more = statementBytes({
      lines: [
        ['03/03/2026', OTHER_TEXT, 10_000],
        ['05/03/2026', 'VERSEMENT', 500],
      ],
    });
    await rooms.statements.import({ file: bankFileOfBytes('more.csv', more), actor: TESTER });
    expect(await mark()).toMatchObject({ credits: 2, recognized: 1, changed: [{ remittance: OTHER_TEXT }] });
  });
});
