// Goal: a credit that no run explains offers a decision: what a run proposes, the unpaid items with their due days, a
// choice of a run of them, and a proposal without a break.
// Method: the rooms on both databases with a stand-in for the inference; each test ends with a check of the books.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { rowsOf } from '../../../src/db';
import { businessDate, millimes } from '../../../src/kernel';
import type { ItemSelection } from '../../../src/reconciliation';
import { describeOnEachDatabase } from '../../support/db';
import { TESTER } from '../../support/factories';
import { sweepBySums } from '../../support/sweep-by-sums';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';
import { contents } from '../ledger/row-counts';
import { KARIM, LEILA, openWorkflow } from './two-people';

const START = '2026-03-02T08:00:00+01:00';
const THROUGH = '2026-03-06';

describeOnEachDatabase('credits that wait', (harness) => {
  let rooms: Rooms;
  const byTester = { actor: TESTER, dryRun: false };

  beforeEach(async () => {
    rooms = openRooms(harness.database, START);
    await rooms.importAgents('A1', 'A2');
    await rooms.confirm({ transactionId: 'TX-AB-1', agentId: 'A1', amount: 10_000 }, '2026-03-02T09:00:00+01:00');
    await rooms.confirm({ transactionId: 'TX-AB-2', agentId: 'A2', amount: 2_500 }, '2026-03-02T15:00:00+01:00');
    await rooms.confirm({ transactionId: 'TX-CD-3', agentId: 'A1', amount: 7_001 }, '2026-03-03T10:00:00+01:00');
    rooms.clock.set('2026-03-06T18:00:00+01:00');
  });

  afterEach(async () => expect(await rooms.reporting.verifyBooks()).toEqual([]));

  const pay = (amount: number, day = '05/03/2026'): Promise<void> =>
    rooms.importStatement([[day, PAYOUT_TEXT, amount]]);
  const lineId = async (): Promise<string> => {
    const [line] = await harness.database.read((session) =>
      rowsOf(
        session('bank_statement_lines as l').select('l.id').where('l.payout_candidate', 1).orderBy('l.id', 'desc'),
      ),
    );
    return String(line?.['id']);
  };
  const chosen = async (selection: ItemSelection): Promise<string[]> =>
    (await rooms.reconciliation.unpaidList({ selection: selection, limit: 1_000 })).rows.map(({ itemId }) => itemId);

  describe('unpaidItems', () => {
    test('returns the items in the order in which they became available, with agents and due days', async () => {
      expect((await rooms.reconciliation.unpaidList({ selection: {}, limit: 1_000 })).rows).toMatchObject([
        { itemId: 'service:TX-AB-1', agentId: 'A1', channel: 'agent', amount: 10_000, isLate: false },
        { itemId: 'service:TX-AB-2', agentId: 'A2', amount: 2_500 },
        { itemId: 'service:TX-CD-3', agentId: 'A1', amount: 7_001 },
      ]);
    });

    test('returns the due days that a run expects', async () => {
      await pay(12_500, '03/03/2026');
      const { expected } = await rooms.reconcile('2026-03-05');
      const open = (await rooms.reconciliation.unpaidList({ selection: {}, limit: 1_000 })).rows;
      expect(open.map(({ itemId }) => itemId)).toEqual(['service:TX-CD-3']);
      expect(open.map(({ dueOn, amount }) => ({ due_on: dueOn, items: 1, amount_millimes: amount }))).toEqual(expected);
    });

    test('chooses by agent, by channel, by day, and from one item through another', async () => {
      const { startOf } = rooms.calendar;
      const tuesday = startOf(businessDate('2026-03-03'));
      expect(await chosen({ agentId: 'A1' })).toEqual(['service:TX-AB-1', 'service:TX-CD-3']);
      expect(await chosen({ channels: ['card'] })).toEqual([]);
      expect(await chosen({ from: { at: tuesday } })).toEqual(['service:TX-CD-3']);
      expect(await chosen({ through: { at: tuesday - 1 } })).toEqual(['service:TX-AB-1', 'service:TX-AB-2']);
      expect(await chosen({ from: { itemId: 'TX-AB-2' }, through: { itemId: 'service:TX-C' } })).toEqual([
        'service:TX-AB-2',
        'service:TX-CD-3',
      ]);
    });

    test('refuses a beginning of several items and an item that is not unpaid', async () => {
      await expect(chosen({ through: { itemId: 'TX-AB' } })).rejects.toMatchObject({
        code: 'bad_input',
        message: expect.stringContaining('service:TX-AB-1, service:TX-AB-2'),
      });
      await expect(chosen({ through: { itemId: 'TX-XX' } })).rejects.toMatchObject({ code: 'not_found' });
      await expect(rooms.reconciliation.chosenItems(['TX-AB-1', 'TX'])).rejects.toMatchObject({
        code: 'not_found',
        message: 'unpaid item not found: "TX"; type at least 4 characters of the id',
      });
    });
  });

  describe('match of a run of items', () => {
    test('matches exactly the items of the selection', async () => {
      await pay(12_500);
      const items: ItemSelection = { through: { itemId: 'service:TX-AB-2' } };
      const done = await rooms.reconciliation.match({ ...byTester, lineId: await lineId(), items, reason: 'counted' });
      expect(done).toMatchObject({ itemIds: ['service:TX-AB-1', 'service:TX-AB-2'], remainderMillimes: 0 });
      expect(await chosen({})).toEqual(['service:TX-CD-3']);
    });

    test('matches items that are named by a unique beginning, and refuses the same item twice', async () => {
      await pay(17_001);
      const line = await lineId();
      const match = (items: readonly string[]): Promise<unknown> =>
        rooms.reconciliation.match({ ...byTester, lineId: line, items, reason: 'counted' });
      await expect(match(['TX-AB-1', 'service:TX-AB-1'])).rejects.toMatchObject({ code: 'bad_input' });
      expect(await match(['TX-AB-1', 'TX-C'])).toMatchObject({ itemIds: ['service:TX-AB-1', 'service:TX-CD-3'] });
    });

    test('refuses another sum and names the command for two people', async () => {
      await pay(12_400);
      const line = await lineId();
      const match = rooms.reconciliation.match({
        ...byTester,
        lineId: line,
        items: { through: { itemId: 'TX-AB-2' } },
        reason: 'counted',
      });
      await expect(match).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining(`millime breaks propose ${line} --action force_match`),
      });
    });
  });

  describe('explain', () => {
    test('returns a waiting credit with the difference to its nearest items and the reason', async () => {
      await pay(12_400);
      const line = await lineId();
      const before = await contents(harness.database);
      expect(await rooms.reconciliation.explain(line)).toMatchObject({
        line: { lineId: line, amount: 12_400, bookingDate: '2026-03-05', account: '11222333333333333344' },
        through: '2026-03-05',
        state: 'waiting',
        match: undefined,
        answer: { outcome: 'unexplained', reason: 'none', candidates: [], errorMax: 0.001 },
      });
      expect(await contents(harness.database)).toEqual(before);
    });

    test('returns the items that the next run matches, and then the match', async () => {
      await pay(12_500);
      const line = await lineId();
      const itemIds = ['service:TX-AB-1', 'service:TX-AB-2'];
      expect(await rooms.reconciliation.explain(line)).toMatchObject({
        state: 'waiting',
        answer: { reason: 'next_run_matches', candidates: [{ itemIds, gross: 12_500, difference: 0 }] },
      });
      await rooms.reconcile(THROUGH);
      expect(await rooms.reconciliation.explain(line)).toMatchObject({
        state: 'matched',
        match: { lineId: line, gross: 12_500 },
        answer: undefined,
      });
    });

    test('returns the proposal for a credit whose match a person reversed', async () => {
      await pay(12_500);
      await rooms.reconcile(THROUGH);
      const line = await lineId();
      await rooms.reconciliation.unmatch({ ...byTester, lineId: line, reason: 'the bank says so' });
      expect((await rooms.reconciliation.explain(line)).answer).toMatchObject({
        outcome: 'ambiguous',
        reason: 'unmatched_before',
        candidates: [{ itemIds: ['service:TX-AB-1', 'service:TX-AB-2'], gross: 12_500, fee: 0, difference: 0 }],
      });
    });

    test('names a candidate by its items, so that a person matches exactly those', async () => {
      await pay(12_500);
      await rooms.reconcile(THROUGH);
      const line = await lineId();
      await rooms.reconciliation.unmatch({ ...byTester, lineId: line, reason: 'the bank says so' });
      const [candidate] = (await rooms.reconciliation.explain(line)).answer?.candidates ?? [];
      expect(candidate).toMatchObject({ kind: 'run', probability: 0.9999, against: [{ code: 'unmatched_before' }] });
      const items = await rooms.reconciliation.candidateItems(line, candidate?.id ?? '');
      expect(items).toEqual(candidate?.itemIds);
      await expect(rooms.reconciliation.candidateItems(line, '00000000')).rejects.toMatchObject({
        code: 'not_found',
        message: `candidate not found: "00000000"; run "millime reconcile show ${line}"`,
      });
      await rooms.reconciliation.match({ ...byTester, lineId: line, items, reason: 'it was right' });
      expect(await rooms.reconciliation.explain(line)).toMatchObject({ state: 'matched', match: { gross: 12_500 } });
    });

    test('returns the answer of the last run without an inference, while its credit and items are open', async () => {
      let inferences = 0;
      const infer = sweepBySums();
      rooms = openRooms(harness.database, '2026-03-06T18:00:00+01:00', (request) => {
        inferences += 1;
        return infer(request);
      });
      const explained = async (line: string): Promise<unknown> => {
        inferences = 0;
        const { runId, ...credit } = await rooms.reconciliation.explain(line, { answer: 'last_run' });
        expect(runId !== undefined).toBe(inferences === 0);
        return { isStored: runId !== undefined, ...credit };
      };
      await pay(12_500);
      const line = await lineId();
      expect(await explained(line)).toMatchObject({ isStored: false, answer: { reason: 'next_run_matches' } });
      await rooms.reconcile(THROUGH);
      await rooms.reconciliation.unmatch({ ...byTester, lineId: line, reason: 'the bank says so' });
      expect(await explained(line)).toMatchObject({ isStored: false, answer: { reason: 'unmatched_before' } });
      await rooms.reconcile(THROUGH);
      const { runId: _now, ...computed } = await rooms.reconciliation.explain(line);
      expect(await explained(line)).toEqual({ isStored: true, ...computed, through: THROUGH });
      await pay(10_000, '06/03/2026');
      const items = ['service:TX-AB-1'];
      await rooms.reconciliation.match({ ...byTester, lineId: await lineId(), items, reason: 'listed in the portal' });
      expect(await explained(line)).toMatchObject({ isStored: false, answer: { candidates: [] } });
    });

    test('names the break of a credit past its grace, and refuses a line that is no credit', async () => {
      await pay(12_400, '03/03/2026');
      rooms.clock.set('2026-03-10T09:00:00+01:00');
      await rooms.importStatement([['09/03/2026', 'COMMISSION', -1]]);
      await rooms.reconcile('2026-03-09');
      const [missing] = await rooms.breaks.list({ classes: ['missing_in_book'] });
      expect(await rooms.reconciliation.explain(await lineId())).toMatchObject({
        state: 'break',
        breakId: missing?.id,
        breakClass: 'missing_in_book',
      });
      await expect(rooms.reconciliation.explain('0'.repeat(26))).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  describe('a proposal about a credit without a break', () => {
    const propose = async (line: string, itemIds: readonly string[]): Promise<string> => {
      const { proposalId, wouldDo } = await openWorkflow(harness.database, rooms).propose({
        about: { subject: `line:${line}` },
        action: { kind: 'force_match', payload: { lineId: line, itemIds } },
        reason: 'the gateway kept 0,100',
        actor: LEILA,
      });
      expect(wouldDo.detail).toMatchObject({ items: itemIds.length, remainderMillimes: -100, grossMillimes: 12_500 });
      return proposalId;
    };

    test('is approved by another person, with the items of the proposal and no later ones', async () => {
      await pay(12_400);
      const line = await lineId();
      const selection: ItemSelection = { through: { at: rooms.calendar.startOf(businessDate('2026-03-03')) } };
      const proposalId = await propose(line, await rooms.reconciliation.chosenItems(selection));
      // A payment that the selection would choose now arrives before the approval.
      await rooms.confirm({ transactionId: 'TX-AB-0', agentId: 'A1', amount: 50 }, '2026-03-02T18:00:00+01:00');
      rooms.clock.set('2026-03-06T19:00:00+01:00');
      const workflow = openWorkflow(harness.database, rooms);
      await expect(workflow.approve({ id: proposalId, actor: LEILA })).rejects.toMatchObject({ code: 'forbidden' });
      await workflow.approve({ id: proposalId, actor: KARIM });
      expect(await rooms.reconciliation.explain(line)).toMatchObject({
        state: 'matched',
        match: { kind: 'forced', gross: 12_500, remainder: -100 },
      });
      expect(await chosen({})).toEqual(['service:TX-AB-0', 'service:TX-CD-3']);
    });

    test('fails if another person matched the credit meanwhile', async () => {
      await pay(12_400);
      const line = await lineId();
      const proposalId = await propose(line, ['service:TX-AB-1', 'service:TX-AB-2']);
      await rooms.confirm({ transactionId: 'TX-EF-5', agentId: 'A1', amount: 12_400 }, '2026-03-05T09:00:00+01:00');
      rooms.clock.set('2026-03-06T19:00:00+01:00');
      await rooms.reconciliation.match({ ...byTester, lineId: line, items: ['TX-EF-5'], reason: 'equal' });
      const approved = openWorkflow(harness.database, rooms).approve({ id: proposalId, actor: KARIM });
      await expect(approved).rejects.toMatchObject({ code: 'conflict' });
    });
  });

  test('are matched with a remainder beside the fees of the schedule, as their trial says', async () => {
    const rule = { channel: 'agent' as const, ratePpm: 10_000, fixedMillimes: millimes(0), tvaPpm: 190_000 };
    const rules = [{ ...rule, rounding: 'half_up' as const, basis: 'item' as const, from: undefined }];
    await rooms.reconciliation.giveFees({ rules, reason: 'the contract', ...byTester });
    await pay(12_000);
    const line = await lineId();
    const items = ['service:TX-AB-1', 'service:TX-AB-2'];
    const tried = await rooms.reconciliation.tryMatch(line, items);
    expect(tried).toMatchObject({ gross: 12_500, fee: 125, tva: 24, net: 12_351, difference: -351 });
    const workflow = openWorkflow(harness.database, rooms);
    const action = { kind: 'force_match', payload: { lineId: line, itemIds: items } };
    const about = { subject: `line:${line}` };
    const proposed = await workflow.propose({ about, action, reason: 'seen with the gateway', actor: LEILA });
    expect(proposed.wouldDo.detail).toMatchObject({ remainderMillimes: -351 });
    await workflow.approve({ id: proposed.proposalId, actor: KARIM });
    expect(await rooms.reconciliation.explain(line)).toMatchObject({
      state: 'matched',
      match: { gross: 12_500, fee: 125, tva: 24, remainder: -351 },
    });
  });
});
