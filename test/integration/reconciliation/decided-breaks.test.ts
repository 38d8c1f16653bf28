// Goal: the verdict of a run agrees with the break workflow: what two people wrote off or accepted is not counted again.
// Method: the rooms on both databases with a stand-in for the inference; each test ends with a check of the books.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { BreakWorkflow, ReconBreak } from '../../../src/breaks';
import { businessDate } from '../../../src/kernel';
import { BANK_UNMATCHED, gatewayClearing } from '../../../src/ledger';
import { silentLogger } from '../../../src/logging';
import { createReconciliation, type ReconciliationResult } from '../../../src/reconciliation';
import { describeOnEachDatabase } from '../../support/db';
import { TESTER } from '../../support/factories';
import { runsFirst } from '../../support/runs-first';
import { sweepBySums } from '../../support/sweep-by-sums';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';
import { decideByTwo, openWorkflow } from './two-people';

const THROUGH = '2026-03-09';
const ITEM_IDS = ['service:T1', 'service:T2'];

describeOnEachDatabase('a run after decisions of two people', (harness) => {
  let rooms: Rooms;
  let workflow: BreakWorkflow;

  beforeEach(async () => {
    rooms = openRooms(harness.database, '2026-03-02T08:00:00+01:00', sweepBySums([]));
    await rooms.importAgents('A1');
    await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 10_000 }, '2026-03-02T09:00:00+01:00');
    await rooms.confirm({ transactionId: 'T2', agentId: 'A1', amount: 2_500 }, '2026-03-02T15:00:00+01:00');
    rooms.clock.set('2026-03-10T09:00:00+01:00');
    await rooms.importStatement([
      ['03/03/2026', PAYOUT_TEXT, 12_400],
      ['09/03/2026', 'COMMISSION', -1],
    ]);
    workflow = openWorkflow(harness.database, rooms);
    await run();
  });

  afterEach(async () => {
    const runs = (await rooms.reconciliation.runs({ limit: 50 })).rows;
    for (const { id } of runs) expect(await rooms.reconciliation.replay(id)).toMatchObject({ isSame: true });
    expect(await rooms.reporting.verifyBooks()).toEqual([]);
  });

  const run = (): Promise<ReconciliationResult> => {
    rooms.clock.advance(60_000);
    return rooms.reconcile(THROUGH);
  };
  const byTwo = (breakId: string, kind: string, payload?: Readonly<Record<string, unknown>>): Promise<void> => {
    rooms.clock.advance(60_000);
    return decideByTwo(workflow, breakId, kind, payload);
  };
  const theBreak = async (breakClass: 'missing_in_book' | 'amount_differs'): Promise<ReconBreak> => {
    const [found] = await rooms.breaks.list({ classes: [breakClass], includeResolved: true });
    if (found === undefined) throw new Error(`the run found ${breakClass}`);
    return found;
  };
  const verdictOf = ({ verdict, breaks, decided }: ReconciliationResult): unknown => [
    verdict,
    breaks.map((each) => [each.class, each.amount_millimes]),
    decided.map((each) => [each.class, each.resolution, each.amount_millimes, each.written_off_millimes]),
  ];

  describe('about the rest of a forced match', () => {
    let restId: string;

    beforeEach(async () => {
      const { id, subject } = await theBreak('missing_in_book');
      await byTwo(id, 'force_match', { lineId: subject.lineIds[0], itemIds: ITEM_IDS });
      restId = (await theBreak('amount_differs')).id;
      expect(verdictOf(await run())).toEqual(['breaks', [['amount_differs', 100]], []]);
    });

    test('reports it as reconciled once all of it is written off, and names the write-off', async () => {
      await byTwo(restId, 'write_off', { account: gatewayClearing('agent') });
      const result = await run();
      expect(verdictOf(result)).toEqual(['reconciled', [], [['amount_differs', 'written_off', 100, 100]]]);
      expect(result.decided[0]).toMatchObject({ break_id: restId, since: '2026-03-03', item_ids: ITEM_IDS });
      expect((await workflow.list({ limit: 10 })).rows).toEqual([]);
      expect(await run()).toEqual(result);
      const { difference } = await rooms.reconciliation.runAndCompare({ actor: TESTER, dryRun: true });
      expect(difference.breaks).toEqual({ new: [], persisting: [], resolved: [] });
    });

    test('counts what is left after a part is written off', async () => {
      await byTwo(restId, 'write_off', { amountMillimes: 40 });
      expect(verdictOf(await run())).toEqual(['breaks', [['amount_differs', 60]], [['amount_differs', null, 100, 40]]]);
      expect(await theBreak('amount_differs')).toMatchObject({ status: 'open', amount: 100 });
      await byTwo(restId, 'write_off');
      expect(verdictOf(await run())).toEqual(['reconciled', [], [['amount_differs', 'written_off', 100, 100]]]);
    });

    test('does not count it once two people accept it', async () => {
      await byTwo(restId, 'accept');
      expect(verdictOf(await run())).toEqual(['reconciled', [], [['amount_differs', 'accepted', 100, 0]]]);
    });

    test.each(['write_off', 'accept'])('counts it again after %s and a reopening by two people', async (kind) => {
      await byTwo(restId, kind);
      await run();
      await byTwo(restId, 'reopen');
      expect(verdictOf(await run())).toEqual(['breaks', [['amount_differs', 100]], []]);
    });

    test('counts the returned payout if the bank takes the credit back after the write-off', async () => {
      await byTwo(restId, 'write_off');
      rooms.clock.advance(60_000);
      await rooms.importStatement([['09/03/2026', `RETOUR ${PAYOUT_TEXT}`, -12_400]]);
      const { verdict, breaks, decided } = await run();
      expect([verdict, breaks.map((each) => each.class), decided]).toEqual(['breaks', ['returned_payout'], []]);
    });
  });

  test('does not count a credit that two people accept, nor wait for it', async () => {
    await rooms.importStatement([['09/03/2026', PAYOUT_TEXT, 12_500]]);
    expect((await run()).verdict).toBe('breaks');
    await byTwo((await theBreak('missing_in_book')).id, 'accept');
    const { verdict, breaks, decided, credits } = await run();
    expect(breaks).not.toContainEqual(expect.objectContaining({ class: 'missing_in_book' }));
    expect(decided).toMatchObject([{ class: 'missing_in_book', resolution: 'accepted', amount_millimes: 12_400 }]);
    expect(credits).toMatchObject([{ outcome: 'unexplained' }, { outcome: 'resolved' }]);
    expect(verdict).toBe('reconciled');
  });

  test('names a credit that two people wrote off', async () => {
    const { id } = await theBreak('missing_in_book');
    await byTwo(id, 'write_off', { account: BANK_UNMATCHED });
    const { decided, credits } = await run();
    expect(credits).toEqual([]);
    expect(decided).toMatchObject([{ break_id: id, resolution: 'written_off', written_off_millimes: 12_400 }]);
  });

  test('counts a credit again, and reopens its break, if one person undoes the forced match', async () => {
    const { id, subject } = await theBreak('missing_in_book');
    const lineId = subject.lineIds[0] ?? '';
    await byTwo(id, 'force_match', { lineId, itemIds: ITEM_IDS });
    expect((await run()).breaks.map((each) => each.class)).toEqual(['amount_differs']);
    rooms.clock.advance(60_000);
    await rooms.reconciliation.unmatch({ actor: TESTER, dryRun: false, lineId, reason: 'it is not theirs' });
    expect((await run()).breaks.map((each) => each.class)).toContain('missing_in_book');
    expect(await theBreak('missing_in_book')).toMatchObject({ status: 'open', resolution: undefined });
  });

  test('keeps a break closed that two people close by a match while the run works', async () => {
    const { id, subject } = await theBreak('missing_in_book');
    const database = runsFirst(
      () => byTwo(id, 'force_match', { lineId: subject.lineIds[0], itemIds: ITEM_IDS }),
      harness.database,
    );
    const { clock, calendar, workingDays } = rooms;
    const deps = { database, clock, calendar, workingDays, logger: silentLogger, infer: sweepBySums([]) };
    const result = await createReconciliation(deps).run({
      actor: TESTER,
      dryRun: false,
      through: businessDate(THROUGH),
    });
    expect(result.breaks.map((each) => each.class)).toEqual(['amount_differs']);
    expect(await theBreak('missing_in_book')).toMatchObject({ status: 'resolved', resolution: 'force_matched' });
  });
});
