// Goal: a run explains the bank by the agents' payments, posts its explanations, and can be repeated.
// Method: the rooms on both databases, with statements in the shipped profile's format; each test ends with a check of
// the books. Monday 2 March 2026 is the first day; Friday 20 March is a holiday.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type BreakClass, type BreakEvent, openBreakStore, type ReconBreak } from '../../../src/breaks';
import { openDatabase, rowsOf } from '../../../src/db';
import { type Account, BANK_UNMATCHED, gatewayClearing, openLedger } from '../../../src/ledger';
import { silentLogger } from '../../../src/logging';
import { describeOnEachDatabase, parsedUrl } from '../../support/db';
import { BY_TEST } from '../../support/factories';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';
import { contents, rowCounts } from '../ledger/row-counts';

const START = '2026-03-02T08:00:00+01:00';
const RUN_TABLES = ['recon_waiting_runs', 'recon_runs', 'recon_run_inputs', 'recon_run_lines', 'audit_records'];

describeOnEachDatabase('a reconciliation run', (harness) => {
  let rooms: Rooms;

  beforeEach(async () => {
    rooms = openRooms(harness.database, START);
    await rooms.importAgents('A1', 'A2');
    await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 10_000 }, '2026-03-02T09:00:00+01:00');
    await rooms.confirm({ transactionId: 'T2', agentId: 'A2', amount: 2_500 }, '2026-03-02T15:00:00+01:00');
    await rooms.confirm({ transactionId: 'T3', agentId: 'A1', amount: 7_001 }, '2026-03-03T10:00:00+01:00');
    rooms.clock.set('2026-03-31T09:00:00+01:00');
  });

  afterEach(async () => expect(await rooms.reporting.verifyBooks()).toEqual([]));

  const sumOf = async (account: Account): Promise<number> =>
    Number(await harness.database.read((session) => openLedger(session).sumOf(account)));
  const rowsIn = (table: string): Promise<readonly Record<string, unknown>[]> =>
    harness.database.read((session) => rowsOf(session(table).select('*')));
  const breaks = (): Promise<ReconBreak[]> => rooms.breaks.list({ includeResolved: true });
  const states = async (): Promise<string[][]> =>
    (await breaks()).map(({ breakClass, since, status }) => [breakClass, since, status]);
  const historyOf = async (breakClass: BreakClass): Promise<BreakEvent[]> => {
    const [found] = await rooms.breaks.list({ classes: [breakClass], includeResolved: true });
    return harness.database.read((session) => openBreakStore(session).history(found?.id ?? ''));
  };
  const payMonday = (): Promise<void> => rooms.importStatement([['03/03/2026', PAYOUT_TEXT, 12_500]]);

  describe('of a credit that is explained', () => {
    test('posts it as a payout, and reports its payments', async () => {
      await payMonday();
      const result = await rooms.reconcile('2026-03-03');
      const [match] = await rowsIn('payout_matches');
      expect(result).toEqual({
        verdict: 'reconciled_with_pending',
        through: '2026-03-03',
        model: 'sweep-all',
        credits: [
          {
            line_id: match?.['line_id'],
            outcome: 'resolved',
            item_ids: ['service:T1', 'service:T2'],
            common_core: [],
            gross_millimes: 12_500,
            fee_millimes: 0,
            tva_millimes: 0,
            remainder_millimes: 0,
            evidence: 'inferred_by_cut',
            claimed_error: 0.0001,
            proposal: [],
            cut: { after: '2026-03-02T14:00:00.000Z', until: '2026-03-03T09:00:00.000Z' },
          },
        ],
        pendingMillimes: 7_001,
        matchedMillimes: 12_500,
        expected: [{ due_on: '2026-03-09', items: 1, amount_millimes: 7_001 }],
        breaks: [],
        decided: [],
      });
      const posted = await harness.database.read((session) =>
        openLedger(session).find(`payout:${String(match?.['line_id'])}`),
      );
      expect(posted).toMatchObject({
        id: match?.['ledger_transaction_id'],
        code: 'payout',
        occurredAt: Date.parse('2026-03-03T00:00:00+01:00'),
        recordedAt: rooms.clock.now(),
        postings: [{ debit: BANK_UNMATCHED, credit: gatewayClearing('agent'), amount: 12_500 }],
      });
      expect(await sumOf(gatewayClearing('agent'))).toBe(7_001);
      expect(await sumOf(BANK_UNMATCHED)).toBe(0);
    });

    test('is reconciled if nothing remains', async () => {
      await payMonday();
      await rooms.importStatement([['04/03/2026', PAYOUT_TEXT, 7_001]]);
      expect(await rooms.reconcile('2026-03-04')).toMatchObject({
        verdict: 'reconciled',
        pendingMillimes: 0,
        breaks: [],
      });
      expect(await sumOf(gatewayClearing('agent'))).toBe(0);
    });

    test('changes nothing if it is repeated, and returns the same result', async () => {
      await payMonday();
      const first = await rooms.reconcile('2026-03-31');
      const before = await contents(harness.database);
      rooms.clock.advance(3_600_000);
      expect(await rooms.reconcile('2026-03-31')).toEqual(first);
      expect(await rooms.reconcile('2026-03-31')).toEqual(first);
      expect(await contents(harness.database)).toEqual(before);
    });

    test('is recorded again if its day has ended since', async () => {
      await payMonday();
      const first = await rooms.reconcile('2026-03-31');
      expect(await rooms.reconcile('2026-03-31')).toEqual(first);
      expect(await rowsIn('recon_runs')).toHaveLength(1);
      rooms.clock.set('2026-04-01T08:00:00+01:00');
      for (const _again of [1, 2]) expect((await rooms.reconcile('2026-03-31')).credits).toEqual(first.credits);
      const recordedAt = (await rowsIn('recon_runs')).map((run) => Number(run['recorded_at']));
      expect(recordedAt).toEqual([expect.any(Number), rooms.clock.now()]);
    });

    test('counts what was in transit on a past day, even if it was paid since', async () => {
      await payMonday();
      await rooms.reconcile('2026-03-03');
      expect(await rooms.reconcile('2026-03-02')).toMatchObject({
        verdict: 'reconciled_with_pending',
        matchedMillimes: 0,
        pendingMillimes: 12_500,
      });
    });

    test('continues where an earlier run stopped', async () => {
      await payMonday();
      await rooms.reconcile('2026-03-03');
      await rooms.importStatement([['04/03/2026', PAYOUT_TEXT, 7_001]]);
      const result = await rooms.reconcile('2026-03-04');
      expect(result.credits.map(({ item_ids }) => item_ids)).toEqual([['service:T1', 'service:T2'], ['service:T3']]);
      expect(await rowsIn('payout_matches')).toHaveLength(2);
    });

    test('ignores what follows its day', async () => {
      await payMonday();
      expect(await rooms.reconcile('2026-03-02')).toMatchObject({ credits: [], pendingMillimes: 12_500 });
      expect(await rowsIn('payout_matches')).toEqual([]);
    });

    test('records one of two concurrent runs', async () => {
      await payMonday();
      await rooms.importStatement([['04/03/2026', PAYOUT_TEXT, 7_001]]);
      const other = openDatabase(parsedUrl(harness.url), silentLogger);
      try {
        const twin = openRooms(other, '2026-03-31T09:00:00+01:00');
        const results = await Promise.all([rooms.reconcile('2026-03-31'), twin.reconcile('2026-03-31')]);
        expect(results[0]).toEqual(results[1]);
      } finally {
        await other.close();
      }
      expect(await rowCounts(harness.database)).toMatchObject({ payout_matches: 2, payout_match_items: 3 });
      expect(await sumOf(gatewayClearing('agent'))).toBe(0);
    });
  });

  describe('in a dry run', () => {
    test('stores nothing and reports what it would do', async () => {
      await payMonday();
      await rooms.importStatement([['12/03/2026', PAYOUT_TEXT, 999]]);
      const before = await contents(harness.database);
      const planned = await rooms.reconcile('2026-03-31', { dryRun: true });
      expect(await contents(harness.database)).toEqual(before);
      expect(planned).toMatchObject({ verdict: 'breaks', matchedMillimes: 12_500 });
      expect(await rooms.reconcile('2026-03-31')).toEqual(planned);
    });
  });

  describe('of missing money', () => {
    test('is incomplete without any statement, whatever else exists', async () => {
      expect(await rooms.reconcile('2026-03-31')).toMatchObject({ verdict: 'incomplete', credits: [] });
      await rooms.confirm({ transactionId: 'T9', agentId: 'unknown', amount: 1 });
      expect(await rooms.reconcile('2026-03-31')).toMatchObject({ verdict: 'incomplete' });
    });

    test('waits during the grace and then opens a break, which a late credit resolves', async () => {
      await payMonday();
      await rooms.importStatement([['09/03/2026', 'COMMISSION', -1]]);
      expect(await rooms.reconcile('2026-03-31')).toMatchObject({ verdict: 'reconciled_with_pending', breaks: [] });
      await rooms.importStatement([['10/03/2026', 'COMMISSION', -1]]);
      const found = await rooms.reconcile('2026-03-31');
      expect(found).toMatchObject({
        verdict: 'breaks',
        pendingMillimes: 0,
        breaks: [
          {
            class: 'missing_in_bank',
            amount_millimes: 7_001,
            item_ids: ['service:T3'],
            line_ids: [],
            since: '2026-03-03',
          },
        ],
      });
      expect(await states()).toEqual([['missing_in_bank', '2026-03-03', 'open']]);
      await rooms.importStatement([['12/03/2026', PAYOUT_TEXT, 7_001]]);
      expect(await rooms.reconcile('2026-03-31')).toMatchObject({ verdict: 'reconciled', breaks: [] });
      expect(await states()).toEqual([['missing_in_bank', '2026-03-03', 'resolved']]);
      expect((await historyOf('missing_in_bank')).map(({ kind, actor }) => [kind, actor.slice(0, 4)])).toEqual([
        ['opened', 'run:'],
        ['resolved', 'run:'],
      ]);
    });

    test('ages no break while the bank file is late', async () => {
      await payMonday();
      for (const through of ['2026-03-31', '2026-06-30', '2026-12-31']) {
        expect(await rooms.reconcile(through)).toMatchObject({ verdict: 'reconciled_with_pending', breaks: [] });
      }
    });

    test('waits for the slower of two accounts that the gateway pays into', async () => {
      await payMonday();
      await rooms.importStatement([['03/03/2026', PAYOUT_TEXT, 333]], '999');
      await rooms.importStatement([['31/03/2026', 'COMMISSION', -1]]);
      expect(await rooms.reconcile('2026-03-31')).toMatchObject({ breaks: [] });
      await rooms.importStatement([['31/03/2026', 'FRAIS', -1]], '999');
      expect((await rooms.reconcile('2026-03-31')).breaks).toMatchObject([
        { class: 'missing_in_bank' },
        { class: 'missing_in_book' },
      ]);
    });

    test('does not wait for an account that the gateway never paid into', async () => {
      await payMonday();
      await rooms.importStatement([['04/03/2026', 'FRAIS', -1]], '999');
      await rooms.importStatement([['31/03/2026', 'COMMISSION', -1]]);
      expect((await rooms.reconcile('2026-03-31')).breaks).toMatchObject([{ class: 'missing_in_bank' }]);
    });

    test('opens one break a month while no credit was ever explained', async () => {
      await rooms.importStatement([['31/03/2026', 'COMMISSION', -1]]);
      expect((await rooms.reconcile('2026-03-31')).breaks).toMatchObject([
        { class: 'clearing_unexplained', amount_millimes: 19_501, since: '2026-03-02' },
      ]);
      expect(await states()).toEqual([['clearing_unexplained', '2026-03-02', 'open']]);
      await rooms.confirm({ transactionId: 'T9', agentId: 'A1', amount: 5 }, '2026-04-02T10:00:00+01:00');
      await rooms.importStatement([['30/04/2026', 'COMMISSION', -1]]);
      await rooms.reconcile('2026-04-30');
      expect(await states()).toEqual([
        ['clearing_unexplained', '2026-03-02', 'open'],
        ['clearing_unexplained', '2026-04-02', 'open'],
      ]);
    });
  });

  describe('of a credit that nothing explains', () => {
    test('opens a break after the grace, records its changes, and leaves it open when it repeats', async () => {
      await payMonday();
      await rooms.importStatement([
        ['04/03/2026', PAYOUT_TEXT, 7_002],
        ['06/03/2026', 'COMMISSION', -1],
      ]);
      const waiting = await rooms.reconcile('2026-03-06');
      expect(waiting).toMatchObject({ verdict: 'reconciled_with_pending', breaks: [] });
      expect(waiting.credits.map(({ outcome, remainder_millimes }) => [outcome, remainder_millimes])).toEqual([
        ['resolved', 0],
        ['unexplained', 7_002],
      ]);
      await rooms.importStatement([['09/03/2026', 'COMMISSION', -1]]);
      const found = await rooms.reconcile('2026-03-09');
      expect(found.breaks).toMatchObject([{ class: 'missing_in_book', amount_millimes: 7_002, since: '2026-03-04' }]);
      await rooms.reconcile('2026-03-10');
      expect((await historyOf('missing_in_book')).map(({ kind }) => kind)).toEqual(['opened']);
      expect(await sumOf(BANK_UNMATCHED)).toBe(-7_000);
    });

    test('posts neither of two credits if only one can be the payout', async () => {
      await rooms.importStatement([
        ['03/03/2026', PAYOUT_TEXT, 12_500],
        ['04/03/2026', PAYOUT_TEXT, 12_500],
      ]);
      const result = await rooms.reconcile('2026-03-04');
      expect(result.verdict).toBe('breaks');
      expect(result.credits.map(({ outcome }) => outcome)).toEqual(['ambiguous', 'ambiguous']);
      expect(result.breaks.map((each) => each.class)).toEqual(['ambiguous_payout', 'ambiguous_payout']);
      expect(await rowsIn('payout_matches')).toEqual([]);
    });

    test('ignores a line that does not resemble a payout', async () => {
      await rooms.importStatement([['03/03/2026', 'VIREMENT DE QUELQU UN', 12_500]]);
      expect(await rooms.reconcile('2026-03-03')).toMatchObject({ credits: [], matchedMillimes: 0 });
    });
  });

  describe('of breaks', () => {
    const late = async (): Promise<void> => {
      await payMonday();
      await rooms.importStatement([['31/03/2026', 'COMMISSION', -1]]);
    };

    test('reopens one that had disappeared', async () => {
      await late();
      await rooms.reconcile('2026-03-31');
      const [opened] = await breaks();
      await harness.database.transact(async (session) => {
        // As if a person had closed it: the run does not agree.
        await openBreakStore(session).resolve(opened?.id ?? '', 'explained', rooms.clock.now(), 'finance');
      });
      await rooms.confirm({ transactionId: 'T4', agentId: 'A1', amount: 5 });
      await rooms.reconcile('2026-04-01');
      expect(await states()).toEqual([['missing_in_bank', '2026-03-03', 'open']]);
      expect((await historyOf('missing_in_bank')).map(({ kind }) => kind)).toEqual(['opened', 'resolved', 'reopened']);
    });

    test('records that one has other rows than before', async () => {
      await payMonday();
      await rooms.importStatement([['31/03/2026', 'COMMISSION', -1]]);
      await rooms.reconcile('2026-03-31');
      // Received late: a confirm of the same day that another process stored after the run.
      await rooms.confirm({ transactionId: 'T4', agentId: 'A1', amount: 5 }, '2026-03-03T11:00:00+01:00');
      await rooms.reconcile('2026-03-31');
      expect(await breaks()).toMatchObject([{ amount: 7_006, subject: { itemIds: ['service:T3', 'service:T4'] } }]);
      expect((await historyOf('missing_in_bank')).map(({ kind }) => kind)).toEqual(['opened', 'changed']);
    });

    test('leaves all as they are if it covers an earlier day', async () => {
      await late();
      await rooms.reconcile('2026-03-31');
      const before = await contents(harness.database, ...RUN_TABLES);
      expect(await rooms.reconcile('2026-03-04')).toMatchObject({ breaks: [] });
      // Later than the look back, and still earlier than what was seen.
      expect(await rooms.reconcile('2026-03-05')).toMatchObject({ breaks: [] });
      expect(await contents(harness.database, ...RUN_TABLES)).toEqual(before);
      await rooms.reconcile('2026-03-31');
      expect(await contents(harness.database, ...RUN_TABLES)).toEqual(before);
    });

    test('lists those that were opened elsewhere, and leaves them open', async () => {
      await late();
      await rooms.importStatement([['31/03/2026', PAYOUT_TEXT, 7_001]]);
      await rooms.confirm({ transactionId: 'T8', agentId: 'unknown', amount: 40 }, '2026-03-05T10:00:00+01:00');
      await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 9 }, '2026-03-06T10:00:00+01:00');
      const result = await rooms.reconcile('2026-03-31');
      expect(result.verdict).toBe('breaks');
      expect(result.breaks).toEqual([
        {
          class: 'paid_but_rejected',
          amount_millimes: 40,
          item_ids: ['service:T8'],
          line_ids: [],
          since: '2026-03-05',
        },
        {
          class: 'conflicting_duplicate',
          amount_millimes: 9,
          item_ids: ['service:T1'],
          line_ids: [],
          since: '2026-03-06',
        },
      ]);
      expect((await states()).map(([, , status]) => status)).toEqual(['open', 'open']);
      expect((await rooms.reconcile('2026-03-05')).breaks).toHaveLength(1);
    });
  });

  test('covers the days through yesterday by default', async () => {
    await payMonday();
    rooms.clock.set('2026-03-04T00:30:00+01:00');
    const result = await rooms.reconciliation.run(BY_TEST);
    expect(result).toMatchObject({ through: '2026-03-03', matchedMillimes: 12_500, pendingMillimes: 7_001 });
    expect(await rowsIn('recon_runs')).toMatchObject([
      { through: '2026-03-03', verdict: 'reconciled_with_pending', recorded_by: 'test' },
    ]);
  });

  test('matches 300 payments of a day to one credit', async () => {
    rooms.clock.set('2026-03-05T09:00:00+01:00');
    for (let index = 0; index < 300; index += 1) {
      rooms.clock.advance(1_000);
      await rooms.confirm({ transactionId: `N${index}`, agentId: 'A1', amount: 1_000 + index });
    }
    const total = 300 * 1_000 + (299 * 300) / 2;
    await payMonday();
    await rooms.importStatement([
      ['04/03/2026', PAYOUT_TEXT, 7_001],
      ['06/03/2026', PAYOUT_TEXT, total],
    ]);
    const result = await rooms.reconcile('2026-03-06');
    expect(result).toMatchObject({ verdict: 'reconciled', matchedMillimes: total + 19_501 });
    expect(result.credits.map(({ item_ids }) => item_ids.length)).toEqual([2, 1, 300]);
  });
});
