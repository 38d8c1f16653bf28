// Goal: decisions of people and the bank about a match are exact, reversible to the same balances, and kept by the next
// run; fees are posted once per item.
// Method: the rooms on both databases with a stand-in for the inference; each test ends with a check of the books.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type BreakWorkflow, type NewBreak, openBreakStore, type ReconBreak } from '../../../src/breaks';
import { businessDate, millimes, noticeLine } from '../../../src/kernel';
import {
  type Account,
  BANK_UNMATCHED,
  GATEWAY_FEES,
  GATEWAY_FEES_TVA,
  gatewayClearing,
  openLedger,
  WRITE_OFF,
} from '../../../src/ledger';
import type { FeeRule } from '../../../src/payout-inference';
import { bankFileOfBytes } from '../../../src/statements';
import { statementBytes } from '../../fixtures/statements/statement-bytes';
import { describeOnEachDatabase } from '../../support/db';
import { TESTER } from '../../support/factories';
import { ONE_PERCENT, sweepBySums } from '../../support/sweep-by-sums';
import { receive } from '../ledger/gateway-money';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';
import { contents } from '../ledger/row-counts';
import { decideByTwo, KARIM, LEILA, openWorkflow } from './two-people';

const START = '2026-03-02T08:00:00+01:00';
const THROUGH = '2026-03-06';

describeOnEachDatabase('decisions about matches', (harness) => {
  let rooms: Rooms;

  async function open(learned: readonly FeeRule[] = []): Promise<void> {
    rooms = openRooms(harness.database, START, sweepBySums(learned));
    await rooms.importAgents('A1');
    await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 10_000 }, '2026-03-02T09:00:00+01:00');
    await rooms.confirm({ transactionId: 'T2', agentId: 'A1', amount: 2_500 }, '2026-03-02T15:00:00+01:00');
    await rooms.confirm({ transactionId: 'T3', agentId: 'A1', amount: 7_001 }, '2026-03-03T10:00:00+01:00');
    rooms.clock.set('2026-03-06T18:00:00+01:00');
  }

  beforeEach(() => open());

  afterEach(async () => expect(await rooms.reporting.verifyBooks()).toEqual([]));

  const sumOf = async (account: Account): Promise<number> =>
    Number(await harness.database.read((session) => openLedger(session).sumOf(account)));
  const payMonday = (amount = 12_500): Promise<void> => rooms.importStatement([['03/03/2026', PAYOUT_TEXT, amount]]);
  const firstLine = async (): Promise<string> => {
    const { credits } = await rooms.reconcile(THROUGH, { dryRun: true });
    return credits[0]?.line_id ?? '';
  };
  const outcomes = async (): Promise<unknown[]> =>
    (await rooms.reconcile(THROUGH)).credits.map(({ outcome, item_ids, proposal }) => [outcome, item_ids, proposal]);
  const byTester = { actor: TESTER, dryRun: false };

  const theDesk = (): BreakWorkflow => openWorkflow(harness.database, rooms);
  const byTwo = (breakId: string, kind: string, payload?: Readonly<Record<string, unknown>>): Promise<void> =>
    decideByTwo(theDesk(), breakId, kind, payload);
  /** A credit of which no items are as much. */
  const openMissing = async (): Promise<{ readonly breakId: string; readonly lineId: string }> => {
    await payMonday(12_400);
    rooms.clock.set('2026-03-10T09:00:00+01:00');
    await rooms.importStatement([['09/03/2026', 'COMMISSION', -1]]);
    await rooms.reconcile('2026-03-09');
    const [missing] = await rooms.breaks.list({ classes: ['missing_in_book'] });
    return { breakId: missing?.id ?? '', lineId: missing?.subject.lineIds[0] ?? '' };
  };

  describe('a match that a person unmatches', () => {
    const IDS = ['service:T1', 'service:T2'];

    test('is reversed, and later runs propose it without matching it', async () => {
      await payMonday();
      await rooms.reconcile(THROUGH);
      const lineId = await firstLine();
      const done = await rooms.reconciliation.unmatch({ ...byTester, lineId, reason: 'the bank says so' });
      expect(done).toMatchObject({ lineId, grossMillimes: 12_500, itemIds: IDS });
      expect(await sumOf(gatewayClearing('agent'))).toBe(19_501);
      expect(await sumOf(BANK_UNMATCHED)).toBe(-12_500);
      expect(await outcomes()).toEqual([['ambiguous', [], IDS]]);
      expect(await outcomes()).toEqual([['ambiguous', [], IDS]]);
    });

    test('can be matched again by a person, under its own reference', async () => {
      await payMonday();
      await rooms.reconcile(THROUGH);
      const lineId = await firstLine();
      await rooms.reconciliation.unmatch({ ...byTester, lineId, reason: 'by mistake' });
      await rooms.reconciliation.match({ ...byTester, lineId, items: IDS, reason: 'it was right' });
      const again = await harness.database.read((session) => openLedger(session).find(`payout:${lineId}:2`));
      expect(again).toMatchObject({ code: 'payout', recordedBy: TESTER.name });
      const { credits } = await rooms.reconcile(THROUGH);
      expect(credits).toMatchObject([{ outcome: 'resolved', evidence: 'asserted', claimed_error: null, cut: null }]);
      expect(await sumOf(BANK_UNMATCHED)).toBe(0);
      // And taken back once more: the second payout is the one that is reversed.
      await rooms.reconciliation.unmatch({ ...byTester, lineId, reason: 'it was not' });
      expect(await sumOf(BANK_UNMATCHED)).toBe(-12_500);
    });

    test('must exist, and needs a reason', async () => {
      await payMonday();
      const lineId = await firstLine();
      await expect(rooms.reconciliation.unmatch({ ...byTester, lineId, reason: 'x' })).rejects.toMatchObject({
        code: 'not_found',
      });
      await expect(rooms.reconciliation.unmatch({ ...byTester, lineId, reason: ' ' })).rejects.toMatchObject({
        code: 'bad_input',
      });
    });

    test('is unmatched once by two concurrent persons', async () => {
      await payMonday();
      await rooms.reconcile(THROUGH);
      const lineId = await firstLine();
      const both = await Promise.allSettled(
        ['a', 'b'].map((reason) => rooms.reconciliation.unmatch({ ...byTester, lineId, reason })),
      );
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await sumOf(BANK_UNMATCHED)).toBe(-12_500);
    });

    test('stays in a dry run', async () => {
      await payMonday();
      await rooms.reconcile(THROUGH);
      const before = await contents(harness.database);
      await rooms.reconciliation.unmatch({ actor: TESTER, dryRun: true, lineId: await firstLine(), reason: 'x' });
      expect(await contents(harness.database)).toEqual(before);
    });
  });

  describe('a match by a person', () => {
    test('is rejected if the amounts differ, or if an item or the line is already matched', async () => {
      await payMonday();
      const lineId = await firstLine();
      const match = (itemIds: readonly string[]): Promise<unknown> =>
        rooms.reconciliation.match({ ...byTester, lineId, items: itemIds, reason: 'seen in the portal' });
      await expect(match(['service:T1', 'service:T3'])).rejects.toMatchObject({ code: 'conflict' });
      await expect(match(['service:T1', 'service:T1'])).rejects.toMatchObject({
        message: 'itemIds: expected each item once, got "service:T1"',
      });
      await expect(match([])).rejects.toMatchObject({
        code: 'bad_input',
        message: expect.stringContaining(`"millime reconcile items --credit ${lineId}" lists them`),
      });
      await expect(match(['service:T9'])).rejects.toMatchObject({ code: 'not_found' });
      await match(['service:T1', 'service:T2']);
      await expect(match(['service:T3'])).rejects.toMatchObject({ code: 'conflict' });
    });

    test('may leave a difference if two persons decide, which stays its own break', async () => {
      await payMonday(12_400);
      await rooms.importStatement([[`06/03/2026`, 'COMMISSION', -1]]);
      rooms.clock.set('2026-03-10T09:00:00+01:00');
      await rooms.importStatement([[`09/03/2026`, 'COMMISSION', -1]]);
      await rooms.reconcile('2026-03-09');
      const [missing] = await rooms.breaks.list({ classes: ['missing_in_book'] });
      const lineId = missing?.subject.lineIds[0] ?? '';
      const workflow = theDesk();
      const action = { kind: 'force_match', payload: { lineId, itemIds: ['service:T1', 'service:T2'] } };
      const breakId = missing?.id ?? '';
      const proposed = await workflow.propose({
        about: { breakId },
        action,
        reason: 'a charge of the bank',
        actor: LEILA,
      });
      expect(proposed.wouldDo).toMatchObject({ breakBecomes: { kind: 'resolved', resolution: 'force_matched' } });
      await expect(workflow.approve({ id: proposed.proposalId, actor: LEILA })).rejects.toBeDefined();
      expect(await sumOf(BANK_UNMATCHED)).toBe(-12_398);
      await workflow.approve({ id: proposed.proposalId, actor: KARIM });
      const page = await rooms.reporting.daily(businessDate('2026-03-09'));
      expect(page.breaks.flatMap(({ ended }) => ended)).toMatchObject([
        { id: breakId, end: { resolution: 'force_matched', endedOn: '2026-03-10', bookedOn: '2026-03-03' } },
      ]);
      const { credits, breaks } = await rooms.reconcile('2026-03-09');
      expect(credits).toMatchObject([{ outcome: 'resolved', gross_millimes: 12_500, remainder_millimes: -100 }]);
      expect(breaks).toContainEqual(
        expect.objectContaining({ class: 'amount_differs', amount_millimes: 100, line_ids: [lineId] }),
      );
      expect(await sumOf(gatewayClearing('agent'))).toBe(7_001 + 100);
      expect(await sumOf(BANK_UNMATCHED)).toBe(2);
    });

    test('refuses the write-off of items that it paid since their break was raised', async () => {
      const { breakId, lineId } = await openMissing();
      const itemIds = ['service:T1', 'service:T2', 'service:T3'];
      const missing: NewBreak = {
        ...{ fingerprint: 'missing_in_bank:agent:2026-03-02', breakClass: 'missing_in_bank', amount: millimes(19_501) },
        ...{ since: businessDate('2026-03-02'), direction: 'books_have_more' },
        subject: { itemIds, lineIds: [], facts: {} },
      };
      await harness.database.transact((session) => openBreakStore(session).open([missing], rooms.clock.now(), 'run:1'));
      const [late] = await rooms.breaks.list({ classes: ['missing_in_bank'] });
      const lateId = late?.id ?? '';
      const workflow = theDesk();
      const propose = () =>
        workflow.propose({
          about: { breakId: lateId },
          action: { kind: 'write_off', payload: {} },
          reason: 'it will not be paid',
          actor: LEILA,
        });
      const { proposalId } = await propose();
      rooms.clock.advance(1_000);
      await byTwo(breakId, 'force_match', { lineId, itemIds: ['service:T1', 'service:T2'] });
      const message = expect.stringMatching(
        new RegExp(
          `^since break ${lateId} was raised, credit ${lineId} paid 2 of its 3 items; run "millime reconcile"`,
        ),
      );
      const { effect, refusal } = await workflow.preview(proposalId);
      expect([effect, refusal && noticeLine(refusal)]).toEqual([undefined, message]);
      await expect(workflow.approve({ id: proposalId, actor: KARIM })).rejects.toMatchObject({ message });
      await workflow.reject({ id: proposalId, reason: 'it was paid', actor: KARIM });
      await expect(propose()).rejects.toMatchObject({ code: 'conflict', message });
      await rooms.reconcile('2026-03-09');
      expect((await theDesk().show(lateId)).breakView).toMatchObject({ resolution: 'disappeared' });
      await expect(propose()).rejects.toMatchObject({ message: expect.stringContaining('nothing is open') });
    });

    describe('with a difference', () => {
      let breakId: string;
      let lineId: string;

      const remainder = async (): Promise<ReconBreak | undefined> =>
        (await rooms.breaks.list({ classes: ['amount_differs'], includeResolved: true }))[0];

      beforeEach(async () => {
        ({ breakId, lineId } = await openMissing());
        await byTwo(breakId, 'force_match', { lineId, itemIds: ['service:T1', 'service:T2'] });
        await rooms.reconcile('2026-03-09');
      });

      test('is unmatched by two persons: its break reopens, and the break of the rest disappears', async () => {
        expect(await remainder()).toMatchObject({ status: 'open', amount: 100 });
        await expect(byTwo(breakId, 'reopen')).rejects.toMatchObject({ code: 'conflict' });
        await byTwo(breakId, 'unmatch');
        expect((await theDesk().show(breakId)).breakView).toMatchObject({ status: 'open' });
        expect(await sumOf(gatewayClearing('agent'))).toBe(19_501);
        expect(await sumOf(BANK_UNMATCHED)).toBe(-12_399);
        await rooms.reconcile('2026-03-09');
        expect(await remainder()).toMatchObject({ status: 'resolved', resolution: 'disappeared' });
        await expect(byTwo(breakId, 'unmatch')).rejects.toMatchObject({ code: 'not_found' });
      });

      test('stays while its rest is written off', async () => {
        await byTwo((await remainder())?.id ?? '', 'write_off', { account: gatewayClearing('agent') });
        await rooms.reconcile('2026-03-09');
        expect(await remainder()).toMatchObject({ resolution: 'written_off' });
        await expect(byTwo(breakId, 'unmatch')).rejects.toMatchObject({ code: 'conflict' });
        await expect(
          rooms.reconciliation.unmatch({ ...byTester, lineId, reason: 'it is not ours' }),
        ).rejects.toMatchObject({ code: 'conflict' });
        await byTwo((await remainder())?.id ?? '', 'reopen');
        await byTwo(breakId, 'unmatch');
        expect(await sumOf(gatewayClearing('agent'))).toBe(19_501);
      });

      test('stays for one person while a part of its rest is written off', async () => {
        const account = gatewayClearing('agent');
        await byTwo((await remainder())?.id ?? '', 'write_off', { account, amountMillimes: 40 });
        expect(await remainder()).toMatchObject({ status: 'open' });
        await expect(
          rooms.reconciliation.unmatch({ ...byTester, lineId, reason: 'it is not ours' }),
        ).rejects.toMatchObject({ code: 'conflict' });
      });

      test.each([100, 40])(
        'loses the write-off of %d of 100 millimes if the bank takes the credit back',
        async (amountMillimes) => {
          const id = (await remainder())?.id ?? '';
          await byTwo(id, 'write_off', { account: gatewayClearing('agent'), amountMillimes });
          expect(await sumOf(gatewayClearing('agent'))).toBe(7_101 - amountMillimes);
          await rooms.importStatement([['09/03/2026', `RETOUR ${PAYOUT_TEXT}`, -12_400]]);
          const returned = await rooms.reconcile('2026-03-09');
          expect(await sumOf(gatewayClearing('agent'))).toBe(19_501);
          expect(await sumOf(WRITE_OFF)).toBe(0);
          const { breakView, history } = await theDesk().show(id);
          expect(breakView).toMatchObject({ status: 'resolved', resolution: 'disappeared' });
          expect(history.at(-1)?.detail).toMatchObject({ takenBackMillimes: amountMillimes });
          expect(await rooms.reconcile('2026-03-09')).toEqual(returned);
          expect(await rooms.reporting.verifyBooks()).toEqual([]);
        },
      );

      test('is proposed by its items alone if its break names one line', async () => {
        await byTwo(breakId, 'unmatch');
        await expect(byTwo(breakId, 'force_match', {})).rejects.toMatchObject({
          code: 'bad_input',
          message: expect.stringContaining(`"millime reconcile items --credit ${lineId}" lists them`),
        });
        await byTwo(breakId, 'force_match', { itemIds: ['service:T1', 'service:T2'] });
        expect((await theDesk().show(breakId)).breakView).toMatchObject({ resolution: 'force_matched' });
      });

      test('rejects an unmatch at a break that no match closed, and an action with more than a line', async () => {
        await byTwo((await remainder())?.id ?? '', 'accept');
        await expect(byTwo((await remainder())?.id ?? '', 'unmatch')).rejects.toMatchObject({ code: 'conflict' });
        await expect(byTwo(breakId, 'unmatch', { lineId, items: [] })).rejects.toMatchObject({ code: 'bad_input' });
      });
    });
  });

  describe('the remainder of a match of several channels', () => {
    const AGENT = gatewayClearing('agent');
    const CARD = gatewayClearing('card');
    let breakId: string;
    let id: string;

    const matchWith = async (paymentId: string, amount: number): Promise<void> => {
      await receive(harness.database, { id: paymentId, channel: 'card', amount }, rooms.clock.now());
      await byTwo(breakId, 'force_match', { itemIds: ['service:T2', `payment:${paymentId}`] });
      id = (await rooms.breaks.list({ classes: ['amount_differs'] }))[0]?.id ?? '';
    };

    beforeEach(async () => {
      ({ breakId } = await openMissing());
      await matchWith('P1', 10_000);
      expect(await balances()).toEqual([17_001, 100, 0]);
    });

    const balances = (): Promise<number[]> => Promise.all([AGENT, CARD, WRITE_OFF].map(sumOf));
    const broken = async (): Promise<unknown> =>
      (await rooms.reporting.verifyBooks()).map(({ rows }) =>
        rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]))),
      );
    const other = { field: 'account', expected: CARD, got: AGENT };

    test('is written off in the channel of the match alone', async () => {
      const workflow = theDesk();
      expect(await workflow.writeOffPlaces(id)).toEqual([{ account: CARD, effect: 'loss', left: 100 }]);
      for (const account of [AGENT, BANK_UNMATCHED]) {
        await expect(byTwo(id, 'write_off', { account })).rejects.toMatchObject({
          code: 'bad_input',
          problem: { field: 'account', params: { ...other, got: account } },
        });
      }
      await byTwo(id, 'write_off', { account: CARD, amountMillimes: 40 });
      expect(await workflow.writeOffPlaces(id)).toEqual([{ account: CARD, effect: 'loss', left: 60 }]);
      await byTwo(id, 'write_off');
      expect(await balances()).toEqual([17_001, 0, 100]);
      expect((await theDesk().show(id)).breakView).toMatchObject({ resolution: 'written_off' });
    });

    test('is a gain there if the bank has more', async () => {
      await byTwo(breakId, 'unmatch');
      await matchWith('P2', 9_800);
      expect(await theDesk().writeOffPlaces(id)).toEqual([{ account: CARD, effect: 'gain', left: 100 }]);
      await byTwo(id, 'write_off');
      expect(await balances()).toEqual([17_001, 10_000, -100]);
    });

    test('is no place for a write-off once the match is taken back', async () => {
      const { lineIds } = (await theDesk().show(id)).breakView.subject;
      await rooms.reconciliation.unmatch({ ...byTester, lineId: lineIds[0] ?? '', reason: 'other items' });
      const workflow = theDesk();
      await workflow.reopen({ id, reason: 'to try', actor: LEILA });
      expect(await workflow.writeOffPlaces(id)).toEqual([]);
      await expect(byTwo(id, 'write_off')).rejects.toMatchObject({ code: 'conflict' });
    });

    test('refuses what version 0.1.0 proposed for another channel', async () => {
      const about = { about: { breakId: id }, reason: 'below the cost of a claim', actor: LEILA };
      const action = { kind: 'write_off', payload: { account: AGENT } };
      const before = openWorkflow(harness.database, rooms, '0.1.0');
      const { proposalId } = await before.propose({ ...about, action });
      const { effect, problem } = await theDesk().preview(proposalId);
      expect([effect, problem]).toMatchObject([undefined, { code: 'bad_input', params: other }]);
      await expect(theDesk().approve({ id: proposalId, actor: KARIM })).rejects.toMatchObject({ code: 'bad_input' });
      expect(await balances()).toEqual([17_001, 100, 0]);
    });

    test.each([100, 40])('moves to its channel if version 0.1.0 wrote off %d millimes in another', async (amount) => {
      await decideByTwo(openWorkflow(harness.database, rooms, '0.1.0'), id, 'write_off', {
        ...{ account: AGENT, amountMillimes: amount },
      });
      expect(await balances()).toEqual([17_001 - amount, 100, amount]);
      expect(await broken()).toEqual([
        [
          { account: AGENT, unexplained: String(-amount) },
          { account: CARD, unexplained: String(amount) },
        ],
        [{ reference: `write-off:${id}`, account: AGENT, expected_account: CARD }],
      ]);
      await byTwo(id, 'reopen');
      expect(await rooms.reporting.verifyBooks()).toEqual([]);
      await byTwo(id, 'write_off');
      expect(await balances()).toEqual([17_001, 0, 100]);
    });
  });

  describe('a credit without an explanation', () => {
    let breakId: string;
    let lineId: string;

    beforeEach(async () => {
      ({ breakId, lineId } = await openMissing());
    });

    test('is decided once two persons write it off: no run names it, and no person matches it until it reopens', async () => {
      const itemIds = ['service:T1', 'service:T2'];
      await byTwo(breakId, 'write_off', { account: BANK_UNMATCHED });
      expect(await rooms.reconcile('2026-03-09')).toMatchObject({ breaks: [] });
      expect((await theDesk().show(breakId)).breakView).toMatchObject({ resolution: 'written_off' });
      await expect(byTwo(breakId, 'force_match', { lineId, itemIds })).rejects.toMatchObject({ code: 'conflict' });
      // What is left there is the commission.
      expect(await sumOf(BANK_UNMATCHED)).toBe(1);
      await byTwo(breakId, 'reopen');
      await byTwo(breakId, 'force_match', { lineId, itemIds });
      expect(await sumOf(WRITE_OFF)).toBe(0);
      expect(await rooms.reporting.verifyBooks()).toEqual([]);
    });

    test('stays a break if a part is written off, and cannot be matched', async () => {
      await byTwo(breakId, 'write_off', { account: BANK_UNMATCHED, amountMillimes: 400 });
      await rooms.reconcile('2026-03-09');
      expect((await theDesk().show(breakId)).breakView).toMatchObject({ status: 'open' });
      await expect(
        byTwo(breakId, 'force_match', { lineId, itemIds: ['service:T1', 'service:T2'] }),
      ).rejects.toMatchObject({ code: 'conflict' });
    });
  });

  test('show no break older than the last day that the statements cover', async () => {
    await payMonday();
    await rooms.importStatement([['10/03/2026', 'COMMISSION', -1]]);
    rooms.clock.set('2026-03-11T09:00:00+01:00');
    await rooms.reconcile('2026-03-10');
    const ages = async (): Promise<unknown[]> =>
      (await theDesk().list({ limit: 10 })).rows.map(({ ageDays }) => ageDays);
    const before = await ages();
    expect(before).toHaveLength(1);
    rooms.clock.set('2026-03-25T09:00:00+01:00');
    expect(await ages()).toEqual(before);
    await rooms.importStatement([['18/03/2026', 'FRAIS', -1]]);
    expect(await ages()).not.toEqual(before);
  });

  describe('a payout that the bank takes back', () => {
    test('reopens its items, and its second credit is matched in its place', async () => {
      await payMonday();
      await rooms.reconcile(THROUGH);
      await rooms.importStatement([['04/03/2026', `RETOUR ${PAYOUT_TEXT}`, -12_500]]);
      const returned = await rooms.reconcile(THROUGH);
      expect(returned.breaks.map((each) => each.class)).toEqual(['returned_payout']);
      expect(await sumOf(gatewayClearing('agent'))).toBe(19_501);
      expect(await sumOf(BANK_UNMATCHED)).toBe(0);
      expect(await rooms.reconcile(THROUGH)).toEqual(returned);

      await rooms.importStatement([['05/03/2026', PAYOUT_TEXT, 12_500]]);
      rooms.clock.advance(60_000);
      const again = await rooms.reconcile(THROUGH);
      expect(again.breaks).toEqual([]);
      expect(again.credits.map(({ outcome, item_ids }) => [outcome, item_ids.length])).toEqual([
        ['unexplained', 0],
        ['resolved', 2],
      ]);
      expect(await sumOf(gatewayClearing('agent'))).toBe(7_001);
      expect(await sumOf(BANK_UNMATCHED)).toBe(0);
      expect(await rooms.reconcile(THROUGH)).toEqual(again);
    });

    test('stays matched after a debit of another party', async () => {
      await payMonday();
      await rooms.reconcile(THROUGH);
      await rooms.importStatement([['04/03/2026', 'LOYER DE MARS', -12_500]]);
      expect((await rooms.reconcile(THROUGH)).credits).toMatchObject([{ outcome: 'resolved' }]);
    });
  });

  describe('learned fees', () => {
    test('are posted once for each item, fee and TVA apart, and shown as inferred until a person confirms them', async () => {
      await open([ONE_PERCENT]);
      // 12 500 less 100 and 25, and TVA of 19 and 5.
      await payMonday(12_351);
      const { credits } = await rooms.reconcile(THROUGH);
      expect(credits).toMatchObject([
        { outcome: 'resolved', gross_millimes: 12_500, fee_millimes: 125, tva_millimes: 24, remainder_millimes: 0 },
      ]);
      expect([await sumOf(GATEWAY_FEES), await sumOf(GATEWAY_FEES_TVA)]).toEqual([125, 24]);
      expect(await sumOf(gatewayClearing('agent'))).toBe(7_001);
      const fee = await harness.database.read((session) => openLedger(session).find('fee:service:T2'));
      expect(fee?.postings.map(({ amount }) => amount)).toEqual([25, 5]);
      const [schedule] = (await rooms.reconciliation.feeSchedules({ limit: 10 })).rows;
      expect(schedule).toMatchObject({ rules: [ONE_PERCENT], firstDate: '2026-03-03', confirmedBy: undefined });
      await rooms.reconciliation.confirmFees({ ...byTester, reason: 'the contract' });
      expect((await rooms.reconciliation.feeSchedules({ limit: 10 })).rows).toMatchObject([
        { confirmedBy: TESTER.name },
      ]);
      await expect(rooms.reconciliation.confirmFees({ ...byTester, reason: 'again' })).rejects.toMatchObject({
        code: 'conflict',
      });
      // A match that is taken back leaves the fees: the next one finds them posted.
      const lineId = await firstLine();
      await rooms.reconciliation.unmatch({ ...byTester, lineId, reason: 'to see' });
      const itemIds = ['service:T1', 'service:T2'];
      await rooms.reconciliation.match({ ...byTester, lineId, items: itemIds, reason: 'as before' });
      expect([await sumOf(GATEWAY_FEES), await sumOf(GATEWAY_FEES_TVA)]).toEqual([125, 24]);
    });

    test('are replaced by fees of a person, which no run learns anew and which a replay repeats', async () => {
      await open([ONE_PERCENT]);
      await payMonday(12_351);
      await rooms.reconcile(THROUGH);
      const [learning] = (await rooms.reconciliation.runs({ limit: 1 })).rows;
      const rules = [{ ...ONE_PERCENT, ratePpm: 11_900, tvaPpm: 0 }];
      const given = { ...byTester, rules, reason: 'the contract of March' };
      await rooms.reconciliation.giveFees({ ...given, dryRun: true });
      expect((await rooms.reconciliation.feeSchedules({ limit: 10 })).rows).toHaveLength(1);
      await rooms.reconciliation.giveFees(given);
      const holds = { rules, lineIds: [], firstDate: undefined, confirmedBy: TESTER.name };
      expect((await rooms.reconciliation.feeSchedules({ limit: 10 })).rows).toMatchObject([
        holds,
        { confirmedBy: undefined },
      ]);
      await expect(rooms.reconciliation.giveFees(given)).rejects.toMatchObject({ code: 'conflict' });
      // 7 001 less 83.
      await rooms.importStatement([['04/03/2026', PAYOUT_TEXT, 6_918]]);
      expect((await rooms.reconcile(THROUGH)).credits).toMatchObject([
        { fee_millimes: 125, tva_millimes: 24 },
        { outcome: 'resolved', fee_millimes: 83, tva_millimes: 0 },
      ]);
      expect((await rooms.reconciliation.feeSchedules({ limit: 10 })).rows).toHaveLength(2);
      expect(await rooms.reconciliation.replay(learning?.id ?? '')).toMatchObject({ isSame: true });
    });

    test('are corrected each time they differ, with a break that states the difference', async () => {
      await open([ONE_PERCENT]);
      await payMonday(12_351);
      await rooms.reconcile(THROUGH);
      const lineId = await firstLine();
      const itemIds = ['service:T1', 'service:T2'];
      const withoutTva = [{ ...ONE_PERCENT, ratePpm: 11_900, tvaPpm: 0 }];
      for (const rules of [withoutTva, [ONE_PERCENT]]) {
        rooms.clock.advance(1_000);
        await rooms.reconciliation.giveFees({ ...byTester, rules, reason: 'the contract' });
        await rooms.reconciliation.unmatch({ ...byTester, lineId, reason: 'other fees' });
        await rooms.reconciliation.match({ ...byTester, lineId, items: itemIds, reason: 'the same items' });
      }
      const corrected = await rooms.breaks.list({ classes: ['fee_unexplained'] });
      expect(corrected.map(({ amount, subject }) => [amount, subject.itemIds, subject.facts])).toEqual(
        expect.arrayContaining([
          [0, ['service:T1'], { feeDifferenceMillimes: 19, tvaDifferenceMillimes: -19 }],
          [0, ['service:T2'], { feeDifferenceMillimes: 5, tvaDifferenceMillimes: -5 }],
          [0, ['service:T1'], { feeDifferenceMillimes: -19, tvaDifferenceMillimes: 19 }],
          [0, ['service:T2'], { feeDifferenceMillimes: -5, tvaDifferenceMillimes: 5 }],
        ]),
      );
      expect(corrected).toHaveLength(4);
      expect([await sumOf(GATEWAY_FEES), await sumOf(GATEWAY_FEES_TVA)]).toEqual([125, 24]);
    });

    test('of a whole payout are posted with it, and reversed with it', async () => {
      // The stand-in takes it of each item; that no item is charged is what makes it one of the payout.
      await open([{ ...ONE_PERCENT, basis: 'payout' }]);
      await payMonday(12_351);
      await rooms.reconcile(THROUGH);
      const lineId = await firstLine();
      const fee = await harness.database.read((session) => openLedger(session).find(`fee:${lineId}`));
      expect(fee).toMatchObject({ code: 'payout_fee' });
      expect(fee?.postings.map(({ amount }) => amount)).toEqual([125, 24]);
      await rooms.reconciliation.unmatch({ ...byTester, lineId, reason: 'to see' });
      expect([await sumOf(GATEWAY_FEES), await sumOf(GATEWAY_FEES_TVA)]).toEqual([0, 0]);
      expect(await sumOf(gatewayClearing('agent'))).toBe(19_501);
    });
  });

  describe('a replayed run', () => {
    test('returns the same digest, whatever followed it', async () => {
      await payMonday();
      await rooms.reconcile(THROUGH);
      const [run] = (await rooms.reconciliation.runs({ limit: 10 })).rows;
      rooms.clock.advance(3_600_000);
      await rooms.confirm({ transactionId: 'T4', agentId: 'A1', amount: 9 }, '2026-03-06T20:00:00+01:00');
      await rooms.importStatement([['04/03/2026', PAYOUT_TEXT, 7_001]]);
      rooms.clock.advance(3_600_000);
      await rooms.reconcile(THROUGH);
      await rooms.reconciliation.unmatch({ ...byTester, lineId: await firstLine(), reason: 'later' });
      expect(await rooms.reconciliation.replay(run?.id ?? '')).toMatchObject({ isSame: true, differsIn: [] });
      await expect(rooms.reconciliation.replay('0'.repeat(26))).rejects.toMatchObject({ code: 'not_found' });
    });

    const repeated = async (): Promise<unknown> => {
      const [run] = (await rooms.reconciliation.runs({ limit: 1 })).rows;
      return rooms.reconciliation.replay(run?.id ?? '');
    };

    test('ignores a statement that was imported before it and accepted after it', async () => {
      await rooms.statements.import({
        file: bankFileOfBytes(
          'unproven.csv',
          statementBytes({ lines: [['03/03/2026', PAYOUT_TEXT, 12_500]], closing: 1 }),
        ),
        actor: TESTER,
      });
      await rooms.confirm({ transactionId: 'T4', agentId: 'A1', amount: 9 }, '2026-03-06T20:00:00+01:00');
      await rooms.reconcile(THROUGH);
      const [run] = (await rooms.reconciliation.runs({ limit: 1 })).rows;
      rooms.clock.advance(60_000);
      const [unproven] = (await rooms.statements.list({ waiting: true, limit: 100 })).rows;
      const id = unproven?.statement.id ?? '';
      await rooms.statements.accept({ id, reason: 'the bank confirms it', actor: TESTER });
      expect(await rooms.reconciliation.replay(run?.id ?? '')).toMatchObject({ isSame: true });
      await rooms.reconcile(THROUGH);
      expect(await repeated()).toMatchObject({ isSame: true });
      expect(await rooms.reconciliation.replay(run?.id ?? '')).toMatchObject({ isSame: true });
    });

    test('knows a match that a person unmatched shortly before it, and a repeated observation', async () => {
      await payMonday();
      await rooms.reconcile(THROUGH);
      rooms.clock.advance(60_000);
      await rooms.reconciliation.unmatch({ ...byTester, lineId: await firstLine(), reason: 'it is not ours' });
      rooms.clock.advance(60_000);
      await rooms.confirm({ transactionId: 'T3', agentId: 'A1', amount: 7_001 });
      await rooms.reconcile(THROUGH);
      expect(await repeated()).toMatchObject({ isSame: true, differsIn: [] });
    });
  });

  test('replay a run with a partly written-off credit to the same digest after the whole is written off', async () => {
    const { breakId } = await openMissing();
    await byTwo(breakId, 'write_off', { account: BANK_UNMATCHED, amountMillimes: 400 });
    await rooms.confirm({ transactionId: 'T4', agentId: 'A1', amount: 2_400 }, '2026-03-02T09:30:00+01:00');
    rooms.clock.set('2026-03-11T09:00:00+01:00');
    expect((await rooms.reconcile('2026-03-09')).credits).toMatchObject([
      { outcome: 'ambiguous', proposal: ['service:T1', 'service:T4'] },
    ]);
    const [run] = (await rooms.reconciliation.runs({ limit: 1 })).rows;
    rooms.clock.advance(60_000);
    const [ambiguous] = await rooms.breaks.list({ classes: ['ambiguous_payout'] });
    await byTwo(ambiguous?.id ?? '', 'write_off', { account: BANK_UNMATCHED });
    await rooms.reconcile('2026-03-09');
    expect(await rooms.reconciliation.replay(run?.id ?? '')).toMatchObject({ isSame: true, differsIn: [] });
  });

  test('report in a dry run what it would change', async () => {
    await payMonday();
    const { difference } = await rooms.reconciliation.runAndCompare({ actor: TESTER, dryRun: true });
    expect(difference).toMatchObject({ takenBack: [], breaks: { new: [], persisting: [], resolved: [] } });
    expect(difference.newlyResolved).toHaveLength(1);
  });
});
