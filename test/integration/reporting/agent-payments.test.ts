// Goal: an agent sees where each payment is: confirmed, expected, late, in the bank, returned or refused, newest first;
// and no page reads more than it returns, whatever other agents have paid.
// Method: confirms, runs and bank files through their rooms, items of the gateway as their room writes them.
import { beforeEach, expect, test } from '@jest/globals';
import { type BreakClass, type NewBreak, openBreakStore } from '../../../src/breaks';
import { postItem } from '../../../src/gateway-items';
import { businessDate, millimes, parseInstant } from '../../../src/kernel';
import { type AgentPayment, type AgentPaymentKey, createReporting, type Reporting } from '../../../src/reporting';
import { describeOnEachDatabase } from '../../support/db';
import { countRowsRead, type RowsRead } from '../../support/rows-read';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';

const at = (text: string): number => parseInstant(text) ?? 0;
const CARD_AT = '2026-03-02T10:00:00+01:00';

describeOnEachDatabase("an agent's payments", (harness) => {
  let rooms: Rooms;
  let reads: RowsRead;
  let reporting: Reporting;

  beforeEach(async () => {
    rooms = openRooms(harness.database, '2026-03-02T08:00:00+01:00');
    reads = countRowsRead(harness.database);
    reporting = createReporting({ database: reads.database, clock: rooms.clock, calendar: rooms.calendar });
    await rooms.importAgents('A1', 'A2');
  });

  /** The state of each row, and what names it. */
  const short = (row: AgentPayment): unknown[] =>
    row.state === 'refused' ? [row.state, row.kind, row.transactionId, row.times] : [row.state, row.itemId, row.amount];
  const list = async (agentId = 'A1'): Promise<readonly AgentPayment[]> =>
    (await reporting.agentPayments(agentId, { limit: 50 })).rows;

  test('go through their steps until the bank has them, and are returned if the bank takes them back', async () => {
    await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 10_000 }, '2026-03-02T09:00:00+01:00');
    await rooms.confirm({ transactionId: 'T2', agentId: 'A2', amount: 2_500 }, '2026-03-02T15:00:00+01:00');
    const confirmedAt = at('2026-03-02T09:00:00+01:00');
    const steps = { confirmed: { at: confirmedAt }, banked: undefined };
    const payment = { itemId: 'service:T1', channel: 'agent', amount: 10_000, refunded: 0n, breakId: undefined };
    expect(await list()).toEqual([{ state: 'expected', ...payment, steps }]);

    await rooms.importStatement([['04/03/2026', PAYOUT_TEXT, 12_500]]);
    rooms.clock.set('2026-03-06T18:00:00+01:00');
    const { credits } = await rooms.reconcile('2026-03-04');
    const creditRef = String(credits[0]?.line_id).slice(-8);
    const banked = { on: '2026-03-04', creditRef, evidence: expect.stringMatching(/^inferred_by_/) };
    expect(creditRef).toHaveLength(8);
    expect(await list()).toEqual([{ state: 'banked', ...payment, steps: { ...steps, banked } }]);

    await rooms.importStatement([['05/03/2026', `RETOUR ${PAYOUT_TEXT}`, -12_500]]);
    await rooms.reconcile('2026-03-06');
    expect(await list()).toEqual([{ state: 'returned', ...payment, steps }]);
  });

  test('are late, with their break, when a run missed them in the bank', async () => {
    await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 10_000 }, '2026-03-02T09:00:00+01:00');
    rooms.clock.set('2026-03-31T09:00:00+01:00');
    await rooms.importStatement([['30/03/2026', 'COMMISSION', -1]]);
    await rooms.reconcile('2026-03-30');
    const [late] = await rooms.breaks.list({});
    expect(late).toMatchObject({ breakClass: 'clearing_unexplained', subject: { itemIds: ['service:T1'] } });
    expect(await list()).toMatchObject([{ state: 'late', itemId: 'service:T1', breakId: late?.id }]);
  });

  test('are late by a break of one payout, and not by a break of another kind', async () => {
    await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 10_000 });
    await rooms.confirm({ transactionId: 'T2', agentId: 'A1', amount: 20_000 });
    const about = (itemId: string, breakClass: BreakClass): NewBreak => ({
      fingerprint: `${breakClass}:agent:2026-03-02`,
      breakClass,
      since: businessDate('2026-03-02'),
      ...{ amount: millimes(1), direction: 'books_have_more' },
      subject: { itemIds: [itemId], lineIds: [], facts: {} },
    });
    const breaks = [about('service:T1', 'missing_in_bank'), about('service:T2', 'conflicting_duplicate')];
    await harness.database.transact((session) => openBreakStore(session).openNew(breaks, rooms.clock.now(), 'run:1'));
    expect((await list()).map(short)).toEqual([
      ['expected', 'service:T2', 20_000],
      ['late', 'service:T1', 10_000],
    ]);
  });

  test('are those of every channel and the refused confirms, newest first, in pages without a gap', async () => {
    await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 10_000 }, '2026-03-02T09:00:00+01:00');
    const ofCard = { channel: 'card', agentId: 'A1', occurredAt: at(CARD_AT) } as const;
    await harness.database.transact(async (session) => {
      const by = { recordedAt: at(CARD_AT), recordedBy: 'test' };
      const card = { itemId: 'payment:P1', amount: millimes(500), refundOf: undefined };
      await postItem(session, { ...ofCard, ...card }, by);
      const refund = { itemId: 'refund:R1', amount: millimes(-500), refundOf: 'payment:P1' };
      await postItem(session, { ...ofCard, ...refund, occurredAt: at(CARD_AT) + 1 }, by);
    });
    await rooms.confirm({ transactionId: 'T2', agentId: 'A1', amount: 700 }, CARD_AT);
    const bad = { transactionId: 'T3', agentId: 'A1', amount: 0 };
    for (let time = 0; time < 2; time += 1) await rooms.confirm(bad, '2026-03-02T11:00:00+01:00');
    await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 9 }, '2026-03-02T12:00:00+01:00');
    await rooms.confirm({ transactionId: 'T9', agentId: 'A2', amount: 9 }, '2026-03-02T12:30:00+01:00');
    const whole = await list();
    expect(whole.map(short)).toEqual([
      ['refused', 'conflicting', 'T1', 1],
      ['refused', 'invalid_amount', 'T3', 2],
      ['expected', 'service:T2', 700],
      ['expected', 'payment:P1', 500],
      ['expected', 'service:T1', 10_000],
    ]);
    expect(whole[3]).toMatchObject({ channel: 'card', refunded: 500n, steps: { confirmed: { at: at(CARD_AT) } } });
    const paged: AgentPayment[] = [];
    let after: AgentPaymentKey | undefined;
    do {
      const page = await reporting.agentPayments('A1', { after, limit: 1 });
      paged.push(...page.rows);
      after = page.next;
    } while (after !== undefined);
    expect(paged).toEqual(whole);
    expect(await list('NONE')).toEqual([]);
  });

  test('cost the same for every page, however many there are', async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => ({
      transaction_id: `T${index}`,
      agent_id: index % 2 === 0 ? 'B1' : 'B2',
      amount_millimes: 1,
      fingerprint: String(index).padStart(64, '0'),
      ...{ attempt_id: '0'.repeat(26), balance_before_millimes: 0, followed_unavailable: 0 },
      ...{ token_sub: 's', token_jti: 'j', received_at: index, recorded_at: index },
      ledger_transaction_id: '0'.repeat(26),
    }));
    const undo = new Error('the books have no postings for these rows');
    const read = harness.database.transact(async (session) => {
      await session.insert([{ table: 'agent_confirmations', rows }]);
      const within = { ...harness.database, read: (work: (on: typeof session) => Promise<unknown>) => work(session) };
      const counted = countRowsRead(within as typeof harness.database);
      const inside = createReporting({ database: counted.database, clock: rooms.clock, calendar: rooms.calendar });
      let after: AgentPaymentKey | undefined;
      let count = 0;
      do {
        const page = await inside.agentPayments('B1', { after, limit: 100 });
        expect(counted.take() ?? 0).toBeLessThanOrEqual(700);
        count += page.rows.length;
        after = page.next;
      } while (after !== undefined);
      expect(count).toBe(1_500);
      throw undo;
    });
    await expect(read).rejects.toBe(undo);
  });
});
