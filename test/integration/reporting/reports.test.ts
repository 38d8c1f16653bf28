// Goal: finance reads figures that rows explain, and sees when they do not add up.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { addDays, businessDate } from '../../../src/kernel';
import { type DailyReport, dailyReportToJson, dailyReportToText } from '../../../src/reporting';
import { describeOnEachDatabase } from '../../support/db';
import { BY_TEST } from '../../support/factories';
import { giveBack, receive, reportFee } from '../ledger/gateway-money';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';
import { LEILA, openWorkflow } from '../reconciliation/two-people';

describeOnEachDatabase('the daily report', (harness) => {
  let rooms: Rooms;

  beforeEach(async () => {
    rooms = openRooms(harness.database, '2026-03-02T08:00:00+01:00');
    await rooms.importAgents('004711', '4711', 'closed');
    await rooms.importDues(['D1', '004711', 150_000], ['D2', '4711', 2_000]);
    await rooms.agents.close('closed', BY_TEST);
    await rooms.confirm({ transactionId: 'T1', agentId: '004711', amount: 100_000 }, '2026-03-02T09:00:00+01:00');
    await rooms.confirm({ transactionId: 'T2', agentId: '4711', amount: 2_500 }, '2026-03-02T23:30:00+01:00');
    await rooms.confirm({ transactionId: 'T3', agentId: '004711', amount: 7_001 }, '2026-03-03T00:30:00+01:00');
    await rooms.confirm({ transactionId: 'T8', agentId: 'unknown', amount: 40 }, '2026-03-03T10:00:00+01:00');
    await rooms.importStatement([
      ['03/03/2026', PAYOUT_TEXT, 102_500],
      ['03/03/2026', PAYOUT_TEXT, 999_999],
    ]);
    rooms.clock.set('2026-03-04T06:30:00+01:00');
    await rooms.reconcile('2026-03-03');
  });

  // Each test that damages nothing leaves right books.
  let damaged = false;
  afterEach(async () => {
    if (!damaged) expect(await rooms.reporting.verifyBooks()).toEqual([]);
    damaged = false;
  });

  const text = (report: DailyReport): string => dailyReportToText(report, rooms.calendar);

  test('prints the day as text', async () => {
    expect(text(await rooms.reporting.daily())).toBe(
      `
Daily report through 2026-03-03
As of the end of 2026-03-03 by ledger date, known at 2026-03-04 06:30:00
Ledger date: a payment counts when it was received, a bank movement on its booking date, a decision when it was made.

Agents
  open agents                              2
  owe                              42,999 DT   1 agent
  have credit                       0,500 DT   1 agent

Payments of agents
  confirmed on the day              7,001 DT   1 payment
  confirmed so far                109,501 DT   3 payments
  paid out by the bank            102,500 DT   1 credit
  in transit                        7,001 DT   1 payment
  proof                 confirmed = paid out + in transit
  the day               open

What the gateway owes, by channel, on the day
  agent, before                   102,500 DT
    succeeded                       7,001 DT   1 payment
    paid out                     -102,500 DT
  agent, after                      7,001 DT
    = in transit                    7,001 DT   1 item

Bank credits (statements through 2026-03-03)
  2026-03-03                      102,500 DT   paid 2 payments (inferred_by_cut)
      2026-03-02 09:00            100,000 DT   004711  Agent 004711  (T1)
      2026-03-02 23:30              2,500 DT   4711  Agent 4711  (T2)
  2026-03-03                      999,999 DT   not explained yet

Agents' payments in transit, by day of payment
  2026-03-03                        7,001 DT   1 payment

Breaks
  paid_but_rejected                 0,040 DT   1 open break
`.trim(),
    );
  });

  test('returns the day as JSON with amounts in millimes', async () => {
    const report = await rooms.reporting.daily(businessDate('2026-03-03'));
    const credit = { bookingDate: '2026-03-03', counterparty: '', remittance: PAYOUT_TEXT };
    const receivedAt = (time: string): string => `2026-03-02T${time}:00.000Z`;
    expect(JSON.parse(JSON.stringify(dailyReportToJson(report)))).toEqual({
      through: '2026-03-03',
      bankCoveredThrough: '2026-03-03',
      asOf: 'the end of 2026-03-03 by ledger date',
      knownAt: '2026-03-04T05:30:00.000Z',
      agents: { open: 2, owing: 1, dueMillimes: 42_999, inCredit: 1, creditMillimes: 500 },
      agentsNow: { open: 2, owing: 1, dueMillimes: 42_999, inCredit: 1, creditMillimes: 500 },
      confirmed: { count: 3, amountMillimes: 109_501 },
      confirmedToday: { count: 1, amountMillimes: 7_001 },
      matched: { count: 1, amountMillimes: 102_500 },
      forcedMillimes: 0,
      paidAheadMillimes: 0,
      onTheWay: { count: 1, amountMillimes: 7_001, byDay: [{ day: '2026-03-03', count: 1, amountMillimes: 7_001 }] },
      channels: [
        {
          channel: 'agent',
          openingMillimes: 102_500,
          succeeded: { count: 1, amountMillimes: 7_001 },
          refunded: { count: 0, amountMillimes: 0 },
          feesMillimes: 0,
          tvaMillimes: 0,
          paidOutMillimes: 102_500,
          returnedMillimes: 0,
          writtenOffMillimes: 0,
          correctedMillimes: 0,
          closingMillimes: 7_001,
          parts: [
            { part: 'unpaid_items', items: 1, amountMillimes: 7_001 },
            { part: 'unexplained', items: null, amountMillimes: 0 },
          ],
          proven: true,
          seal: null,
        },
      ],
      proven: true,
      day: { state: 'open', seal: null, sealedAt: null, sealedBy: null },
      credits: [
        {
          ...credit,
          lineId: expect.any(String),
          amountMillimes: 102_500,
          matched: true,
          returned: false,
          evidence: 'inferred_by_cut',
          itemCount: 2,
          payments: [
            {
              transactionId: 'T1',
              agentId: '004711',
              fullName: 'Agent 004711',
              amountMillimes: 100_000,
              receivedAt: receivedAt('08:00'),
            },
            {
              transactionId: 'T2',
              agentId: '4711',
              fullName: 'Agent 4711',
              amountMillimes: 2_500,
              receivedAt: receivedAt('22:30'),
            },
          ],
        },
        {
          ...credit,
          lineId: expect.any(String),
          amountMillimes: 999_999,
          matched: false,
          returned: false,
          evidence: null,
          itemCount: 0,
          payments: [],
        },
      ],
      breaks: [{ class: 'paid_but_rejected', count: 1, amountMillimes: 40, ended: [] }],
    });
  });

  test('adds up for every past day', async () => {
    for (let day = businessDate('2026-03-01'); day <= '2026-03-05'; day = addDays(day, 1)) {
      expect([day, (await rooms.reporting.daily(day)).proven]).toEqual([day, true]);
    }
    const before = await rooms.reporting.daily(businessDate('2026-03-02'));
    expect(before).toMatchObject({
      confirmed: { count: 2, amount: 102_500n },
      confirmedToday: { count: 2 },
      matched: { count: 0 },
      credits: [],
      breaks: [],
      onTheWay: { count: 2, amount: 102_500n, byDay: [{ day: '2026-03-02', count: 2, amount: 102_500n }] },
    });
  });

  test('lists a break on the pages before its resolution, with the assignee of the day', async () => {
    const [found] = await rooms.breaks.list({});
    const id = found?.id ?? '';
    const workflow = openWorkflow(harness.database, rooms);
    rooms.clock.set('2026-03-05T09:00:00+01:00');
    await workflow.assign({ id, assignee: 'leila', actor: LEILA });
    rooms.clock.set('2026-03-06T09:00:00+01:00');
    await workflow.resolve({ id, reason: 'the gateway paid it back', actor: LEILA });
    const pages = ['2026-03-03', '2026-03-05', '2026-03-06'].map(async (day) => {
      const { breaks } = await rooms.reporting.daily(businessDate(day));
      const { oldest } = await rooms.reporting.aging(businessDate(day));
      const ended = breaks.flatMap((each) => each.ended.map(({ end }) => end));
      expect(oldest.map((each) => each.ended)).toEqual(ended);
      return [day, breaks.map(({ count, amount }) => [count, amount]), oldest.map(({ assignee }) => assignee), ended];
    });
    const end = { resolution: 'by_hand', endedOn: '2026-03-06', bookedOn: undefined };
    expect(await Promise.all(pages)).toEqual([
      ['2026-03-03', [[1, 40n]], [undefined], [end]],
      ['2026-03-05', [[1, 40n]], ['leila'], [end]],
      ['2026-03-06', [], [], []],
    ]);
  });

  test('has the balances of agents at the end of the day', async () => {
    const agentsOf = async (day: string): Promise<unknown> => (await rooms.reporting.daily(businessDate(day))).agents;
    expect(await agentsOf('2026-03-01')).toEqual({ open: 0, owing: 0, due: 0n, inCredit: 0, credit: 0n });
    expect(await agentsOf('2026-03-02')).toEqual({ open: 2, owing: 1, due: 50_000n, inCredit: 1, credit: 500n });
    expect(await agentsOf('2026-03-03')).toEqual({ open: 2, owing: 1, due: 42_999n, inCredit: 1, credit: 500n });
  });

  describe('with money of the other channels', () => {
    const SHOP = { id: 'P1', channel: 'card', amount: 10_000 } as const;
    const PLAN = { id: 'P2', channel: 'subscription', amount: 30_000 } as const;
    const DUE = { id: 'P3', channel: 'wallet', amount: 20_000, agentId: '004711' } as const;
    const at = (text: string): number => {
      rooms.clock.set(text);
      return rooms.clock.now();
    };

    beforeEach(async () => {
      const [first, second] = [at('2026-03-04T09:00:00+01:00'), at('2026-03-05T00:30:00+01:00')];
      for (const given of [SHOP, PLAN, DUE]) await receive(harness.database, given, first);
      await receive(harness.database, { id: 'P4', channel: 'pos', amount: 9, isTest: true }, first);
      await reportFee(harness.database, { of: PLAN, fee: 150, tva: 29 }, first);
      await giveBack(harness.database, { id: 'R1', of: DUE, amount: 20_000 }, second);
      await receive(harness.database, { id: 'P5', channel: 'card', amount: 9_000, ourShare: 2_000 }, second);
      await reportFee(harness.database, { of: PLAN, fee: 150, tva: 19 }, second);
    });

    test('has the day of each channel, by ledger date', async () => {
      const days = async (day: string): Promise<unknown[]> => {
        const { channels } = await rooms.reporting.daily(businessDate(day));
        return channels.map(
          ({ channel, opening, succeeded, refunded, fees, tva, paidOut, corrected, closing, proven }) => {
            expect([channel, corrected, proven]).toEqual([channel, 0n, true]);
            return [channel, opening, succeeded.amount, refunded.amount, fees, tva, paidOut, closing].join(' ');
          },
        );
      };
      expect(await days('2026-03-03')).toEqual(['agent 102500 7001 0 0 0 102500 7001']);
      expect(await days('2026-03-04')).toEqual([
        'agent 7001 0 0 0 0 0 7001',
        'card 0 10000 0 0 0 0 10000',
        'subscription 0 30000 0 150 29 0 29821',
        'wallet 0 20000 0 0 0 0 20000',
      ]);
      expect(await days('2026-03-05')).toEqual([
        'agent 7001 0 0 0 0 0 7001',
        'card 10000 2000 0 0 0 0 12000',
        'subscription 29821 0 0 0 -10 0 29831',
        'wallet 20000 0 20000 0 0 0 0',
      ]);
      // The wallet was paid and given back: nothing of it is left to say.
      expect(await days('2026-03-06')).toEqual([
        'agent 7001 0 0 0 0 0 7001',
        'card 12000 0 0 0 0 0 12000',
        'subscription 29831 0 0 0 0 0 29831',
      ]);
    });

    test('shows only amounts that are not 0', async () => {
      const report = text(await rooms.reporting.daily(businessDate('2026-03-05')));
      expect(report).toContain(
        `
  card, before                     10,000 DT
    succeeded                       2,000 DT   1 payment
  card, after                      12,000 DT
    = in transit                   12,000 DT   2 items
  subscription, before             29,821 DT
    TVA on fees                     0,010 DT
  subscription, after              29,831 DT
    = in transit                   30,000 DT   1 item
    = fees posted                  -0,169 DT
  wallet, before                   20,000 DT
    refunded                      -20,000 DT   1 refund
  wallet, after                     0,000 DT
    = in transit                    0,000 DT   2 items
`,
      );
      expect(report).not.toContain('pos,');
    });

    test("has an agent's payments and refunds among the agent's movements", async () => {
      const { rows } = await rooms.reporting.agentMovements('004711', { limit: 2 });
      expect(rows.map(({ code, reference, amount, balance }) => [code, reference, amount, balance])).toEqual([
        ['refund', 'refund:R1', 20_000, 42_999],
        ['payment', 'payment:P3', -20_000, 22_999],
      ]);
    });

    test('does not add up if an item is not posted, and the channel states it', async () => {
      damaged = true;
      await harness.database.transact((session) =>
        session('gateway_items').insert({
          item_id: 'payment:P9',
          channel: 'qr',
          amount_millimes: 1,
          occurred_at: rooms.clock.now(),
          recorded_at: rooms.clock.now(),
          ledger_transaction_id: '0'.repeat(26),
        }),
      );
      const report = await rooms.reporting.daily(businessDate('2026-03-05'));
      expect(report).toMatchObject({ confirmsProven: true, proven: false });
      expect(report.channels.filter(({ proven }) => !proven).map(({ channel }) => channel)).toEqual(['qr']);
      expect(text(report)).toMatch(/qr, after .*DOES NOT ADD UP/);
    });
  });

  test('prints DOES NOT ADD UP', async () => {
    damaged = true;
    await harness.database.transact(async (session) => {
      const [line] = await session('bank_statement_lines').select('id').where('amount_minor', 999_999);
      const match = { id: '0'.repeat(26), line_id: line?.['id'] };
      const at = rooms.calendar.startOf(businessDate('2026-03-03'));
      await session('ledger_transactions').insert({
        id: match.id,
        reference: 'payout:damaged',
        code: 'payout',
        occurred_at: at,
        recorded_at: at,
        recorded_by: 'test',
      });
      await session('payout_matches').insert({
        ...match,
        kind: 'forced',
        evidence: 'asserted',
        gross_millimes: 999_999,
        fee_millimes: 0,
        tva_millimes: 0,
        remainder_millimes: 0,
        rest_channel: 'agent',
        ledger_transaction_id: '0'.repeat(26),
        recorded_at: 1,
        recorded_by: 'test',
      });
    });
    const report = await rooms.reporting.daily();
    expect(report.proven).toBe(false);
    expect(text(report)).toContain('DOES NOT ADD UP');
    expect(await rooms.reporting.verifyBooks()).not.toEqual([]);
  });

  test('shortens a long credit in the text, and prints how many payments it omits', async () => {
    for (let index = 0; index < 11; index += 1) {
      const at = `2026-03-04T10:${String(10 + index)}:00+01:00`;
      await rooms.confirm({ transactionId: `N${index}`, agentId: '4711', amount: 1_000 }, at);
    }
    await rooms.importStatement([
      ['04/03/2026', PAYOUT_TEXT, 7_001],
      ['05/03/2026', PAYOUT_TEXT, 11_000],
    ]);
    rooms.clock.set('2026-03-06T06:30:00+01:00');
    await rooms.reconcile('2026-03-05');
    const report = await rooms.reporting.daily();
    expect(text(report)).toContain('paid 11 payments');
    expect(text(report)).toContain('      and 3 more\n');
    expect(report.credits.at(-1)?.payments).toHaveLength(11);
    expect(text(report)).toContain("Agents' payments in transit, by day of payment\n  nothing");
  });

  test('has every movement of an agent, with the balance after each one', async () => {
    await rooms.dues.cancel('D1', 'typed twice', BY_TEST);
    const { rows: movements, next } = await rooms.reporting.agentMovements('004711', { limit: 4 });
    expect(next).toBeUndefined();
    expect(movements.map(({ code, reference, amount, balance }) => [code, reference, amount, balance])).toEqual([
      ['due_cancelled', 'due-cancel:D1', -150_000, -107_001],
      ['agent_payment', 'service:T3', -7_001, 42_999],
      ['agent_payment', 'service:T1', -100_000, 50_000],
      ['due_assessed', 'due:D1', 150_000, 150_000],
    ]);
    const { due, credit } = await rooms.dues.dueOf('004711');
    expect(movements[0]?.balance).toBe(due - credit);
    expect((await rooms.reporting.agentMovements('4711', { limit: 9 })).rows).toHaveLength(2);
    expect(await rooms.reporting.agentMovements('04711', { limit: 9 })).toEqual({ rows: [], next: undefined });
  });
});
