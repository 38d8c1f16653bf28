// Goal: each report is computed from rows, adds up to the ledger or reports that it does not, and is equal on each
// database.
// Method: a small month: agents' payments, cards with fees, a matched payout, one matched by two people, one waiting.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { businessDate, millimes, newId } from '../../../src/kernel';
import { type NewMatch, postMatches, releaseMatch } from '../../../src/reconciliation/testing';
import {
  agentsDocument,
  agingDocument,
  clearingDocument,
  createReporting,
  documentToCsv,
  documentToJson,
  documentToText,
  feesDocument,
  payoutsDocument,
  type ReportDocument,
  type Reporting,
  wholeReportToHtml,
} from '../../../src/reporting';
import { describeOnEachDatabase } from '../../support/db';
import { giveBack, receive, reportFee } from '../ledger/gateway-money';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';

const MARCH = { from: businessDate('2026-03-01'), to: businessDate('2026-03-05') };
const LINE_CHARACTERS_MAX = 100;

describeOnEachDatabase('the reports of a period', (harness) => {
  let rooms: Rooms;
  let reporting: Reporting;

  beforeEach(async () => {
    rooms = openRooms(harness.database, '2026-03-02T08:00:00+01:00');
    const { clock, calendar, workingDays } = rooms;
    reporting = createReporting({ database: harness.database, clock, calendar, workingDays });
    await rooms.importAgents('004711', '4711');
    await rooms.importDues(['D1', '004711', 150_000], ['D2', '4711', 2_000]);
    await rooms.confirm({ transactionId: 'T1', agentId: '004711', amount: 100_000 }, '2026-03-02T09:00:00+01:00');
    await rooms.confirm({ transactionId: 'T2', agentId: '4711', amount: 2_500 }, '2026-03-02T23:30:00+01:00');
    await rooms.confirm({ transactionId: 'T3', agentId: '004711', amount: 7_001 }, '2026-03-03T00:30:00+01:00');
    await rooms.confirm({ transactionId: 'T8', agentId: 'unknown', amount: 40 }, '2026-03-03T10:00:00+01:00');
    const card = { id: 'P1', channel: 'card', amount: 10_000 } as const;
    const due = { id: 'P3', channel: 'wallet', amount: 20_000, agentId: '004711' } as const;
    const at = (text: string): number => (clock.set(text), clock.now());
    await receive(harness.database, card, at('2026-03-03T11:00:00+01:00'));
    await reportFee(harness.database, { of: card, fee: 150, tva: 29 }, at('2026-03-03T11:00:01+01:00'));
    await receive(harness.database, due, at('2026-03-03T12:00:00+01:00'));
    await giveBack(harness.database, { id: 'R1', of: due, amount: 5_000 }, at('2026-03-04T09:00:00+01:00'));
    await rooms.importStatement([
      ['03/03/2026', PAYOUT_TEXT, 102_500],
      ['04/03/2026', PAYOUT_TEXT, 999_999],
    ]);
    await writeMatch({ line: 102_500, items: { 'service:T1': 100_000, 'service:T2': 2_500 } });
    clock.set('2026-03-06T06:30:00+01:00');
  });

  afterEach(async () => {
    for (const document of await everyReport()) {
      for (const line of documentToText(document, rooms.calendar).split('\n')) {
        expect([line, line.length <= LINE_CHARACTERS_MAX]).toEqual([line, true]);
      }
    }
  });

  /** The rows of a match and its posting, as a run writes them. */
  async function writeMatch(given: { line: number; items: Readonly<Record<string, number>> }): Promise<void> {
    await harness.database.transact(async (session) => {
      const [row] = await session('bank_statement_lines').select('id').where('amount_minor', given.line);
      const lineId = String(row?.['id']);
      const [matchId, transactionId] = [newId(), newId()];
      const by = { recorded_at: rooms.clock.now(), recorded_by: 'run' };
      await session('ledger_transactions').insert({
        id: transactionId,
        reference: `payout:${lineId}`,
        code: 'payout',
        occurred_at: rooms.clock.now(),
        ...by,
      });
      await session('postings').insert({
        transaction_id: transactionId,
        position: 1,
        debit_account: 'bank_unmatched',
        credit_account: 'gateway_clearing:agent',
        amount_millimes: given.line,
      });
      await session('payout_matches').insert({
        id: matchId,
        line_id: lineId,
        kind: 'inferred',
        model: 'sweep-all',
        stream: 'all',
        evidence: 'inferred_by_cut',
        gross_millimes: given.line,
        fee_millimes: 0,
        tva_millimes: 0,
        remainder_millimes: 0,
        rest_channel: 'agent',
        claimed_error: '0.0001',
        cut_after: 1,
        cut_until: 2,
        ledger_transaction_id: transactionId,
        ...by,
      });
      await session('payout_claimed_lines').insert({ line_id: lineId, match_id: matchId });
      for (const [itemId, amount] of Object.entries(given.items)) {
        const item = { match_id: matchId, item_id: itemId };
        await session('payout_claimed_items').insert(item);
        const figures = { amount_millimes: amount, fee_millimes: 0, tva_millimes: 0 };
        await session('payout_match_items').insert({
          ...item,
          ...figures,
          channel: 'agent',
          evidence: 'inferred_by_cut',
        });
      }
    });
  }

  async function everyReport(): Promise<ReportDocument[]> {
    return [
      agingDocument(await reporting.aging(MARCH.to)),
      clearingDocument(await reporting.clearing(MARCH)),
      agentsDocument(await reporting.agents(MARCH)),
      payoutsDocument(await reporting.payouts(MARCH)),
      feesDocument(await reporting.fees(MARCH)),
    ];
  }

  async function asCsv(document: ReportDocument): Promise<Record<string, string>[]> {
    const rows = parse<Record<string, string>>(documentToCsv(document), { columns: true });
    return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '')));
  }

  test('roll the clearing forward by channel, and list the parts of its balance', async () => {
    const report = await reporting.clearing(MARCH);
    expect(report.proven).toBe(true);
    const told = documentToJson(clearingDocument(report));
    expect(told['rollForward']).toEqual([
      { channel: 'agent', line: 'opening', amountMillimes: 0, proof: null },
      { channel: 'agent', line: 'succeeded', amountMillimes: 109_501, proof: null },
      { channel: 'agent', line: 'paid out', amountMillimes: -102_500, proof: null },
      { channel: 'agent', line: 'closing', amountMillimes: 7_001, proof: 'adds up' },
      { channel: 'card', line: 'opening', amountMillimes: 0, proof: null },
      { channel: 'card', line: 'succeeded', amountMillimes: 10_000, proof: null },
      { channel: 'card', line: 'fees', amountMillimes: -150, proof: null },
      { channel: 'card', line: 'TVA on fees', amountMillimes: -29, proof: null },
      { channel: 'card', line: 'closing', amountMillimes: 9_821, proof: 'adds up' },
      { channel: 'wallet', line: 'opening', amountMillimes: 0, proof: null },
      { channel: 'wallet', line: 'succeeded', amountMillimes: 20_000, proof: null },
      { channel: 'wallet', line: 'refunded', amountMillimes: -5_000, proof: null },
      { channel: 'wallet', line: 'closing', amountMillimes: 15_000, proof: 'adds up' },
    ]);
    expect(told['consistsOf']).toEqual([
      { channel: 'agent', part: 'unpaid_items', items: 1, amountMillimes: 7_001 },
      { channel: 'agent', part: 'unexplained', items: null, amountMillimes: 0 },
      { channel: 'card', part: 'unpaid_items', items: 1, amountMillimes: 10_000 },
      { channel: 'card', part: 'fees_posted', items: null, amountMillimes: -179 },
      { channel: 'card', part: 'unexplained', items: null, amountMillimes: 0 },
      { channel: 'wallet', part: 'unpaid_items', items: 2, amountMillimes: 15_000 },
      { channel: 'wallet', part: 'unexplained', items: null, amountMillimes: 0 },
    ]);
    const days = report.days.filter(({ channel }) => channel === 'agent');
    expect(days.map(({ date, opening, closing }) => [date, opening, closing])).toEqual([
      ['2026-03-02', 0n, 102_500n],
      ['2026-03-03', 102_500n, 109_501n],
      ['2026-03-04', 109_501n, 7_001n],
    ]);
  });

  test('open the clearing with the closing balance of the earlier period', async () => {
    const day = businessDate('2026-03-04');
    const { channels, proven } = await reporting.clearing({ from: day, to: day });
    expect(proven).toBe(true);
    expect(channels.map(({ channel, opening, closing }) => [channel, opening, closing])).toEqual([
      ['agent', 109_501n, 7_001n],
      ['card', 9_821n, 9_821n],
      ['wallet', 20_000n, 15_000n],
    ]);
  });

  test('name a row that differs from its posting, for which the clearing does not add up', async () => {
    await harness.database.transact(async (session) => {
      await session('gateway_items').insert({
        item_id: 'payment:P9',
        channel: 'qr',
        amount_millimes: 1,
        occurred_at: rooms.calendar.startOf(MARCH.to),
        recorded_at: rooms.clock.now(),
        ledger_transaction_id: newId(),
      });
    });
    const { channels, proven } = await reporting.clearing(MARCH);
    expect(proven).toBe(false);
    expect(
      channels.flatMap(({ channel, disagreements }) => disagreements.map((each) => ({ channel, ...each }))),
    ).toEqual([{ channel: 'qr', kind: 'succeeded', posted: 0n, inRows: 1n }]);
  });

  test('list open breaks by class and unpaid items by channel, in working days that statements cover', async () => {
    const report = await reporting.aging(MARCH.to);
    expect(report.agedThrough).toBe('2026-03-04');
    expect(report.breaks).toEqual([
      {
        breakClass: 'paid_but_rejected',
        band: '0-1',
        severity: 'low',
        count: 1,
        unassigned: 1,
        amount: 40n,
        net: 40n,
      },
    ]);
    expect(report.oldest).toMatchObject([{ breakClass: 'paid_but_rejected', since: '2026-03-03', ageDays: 1 }]);
    expect(report.items).toEqual([
      { channel: 'agent', band: '0-1', count: 1, amount: 7_001n },
      { channel: 'card', band: '0-1', count: 1, amount: 10_000n },
      { channel: 'wallet', band: '0-1', count: 2, amount: 15_000n },
    ]);
  });

  test('rate a break by its amount or its age, whichever is more severe', async () => {
    const urgency = {
      high: { fromMillimes: millimes(1_000_000), fromDays: 1 },
      medium: { fromMillimes: millimes(40), fromDays: 99 },
    };
    const { clock, calendar, workingDays } = rooms;
    const severityAt = async (settings: typeof urgency): Promise<unknown> => {
      const strict = createReporting({ database: harness.database, clock, calendar, workingDays, urgency: settings });
      return (await strict.aging(MARCH.to)).breaks.map(({ severity }) => severity);
    };
    expect(await severityAt(urgency)).toEqual(['high']);
    expect(await severityAt({ ...urgency, high: { ...urgency.high, fromDays: 2 } })).toEqual(['medium']);
  });

  test('list what each agent owed, was assessed, paid and owes, with exact ids', async () => {
    const report = await reporting.agents(MARCH);
    expect(report.proven).toBe(true);
    expect(await asCsv(agentsDocument(report))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          section: 'agents',
          agent_id: '004711',
          opening_due_millimes: '0',
          assessed_millimes: '150000',
          paid_millimes: '127001',
          refunded_millimes: '5000',
          closing_due_millimes: '27999',
        }),
        expect.objectContaining({ agent_id: '4711', paid_millimes: '2500', closing_credit_millimes: '500' }),
      ]),
    );
    expect(report.totals).toMatchObject({
      assessed: 152_000n,
      paid: 129_501n,
      closingDue: 27_999n,
      closingCredit: 500n,
    });
  });

  test('list credits with and without a match, and separate the grades of evidence', async () => {
    const report = await reporting.payouts(MARCH);
    expect(report.proven).toBe(true);
    expect(report.credits.map(({ amount, outcome, match }) => [amount, outcome, match?.itemCount])).toEqual([
      [102_500, 'matched', 2],
      [999_999, 'waiting', undefined],
    ]);
    expect(report.evidence).toEqual([
      { evidence: 'inferred_by_cut', credits: 1, creditAmount: 102_500n, items: 2, itemAmount: 102_500n },
    ]);
  });

  test('write all credits with all items as JSON and CSV', async () => {
    const written = async (format: 'json' | 'csv'): Promise<string> => {
      let text = '';
      await reporting.writePayouts(MARCH, format, (piece) => ((text += piece), Promise.resolve(true)));
      return text;
    };
    const { credits } = JSON.parse(await written('json')) as { credits: Record<string, unknown>[] };
    expect(credits).toMatchObject([
      {
        amountMillimes: 102_500,
        claimedError: '0.0001',
        items: [
          { itemId: 'service:T1', amountMillimes: 100_000, evidence: 'inferred_by_cut' },
          { itemId: 'service:T2', amountMillimes: 2_500 },
        ],
      },
      { amountMillimes: 999_999, outcome: 'waiting', items: [] },
    ]);
    const rows = parse<Record<string, string>>(await written('csv'), { columns: true });
    expect(rows.map((row) => [row['section'], row['item_id'], row['amount_millimes']])).toEqual([
      ['credit', '', '102500'],
      ['item', 'service:T1', '100000'],
      ['item', 'service:T2', '2500'],
      ['credit', '', '999999'],
    ]);
  });

  test('show one credit completely, and refuse an unknown id', async () => {
    const lineId = (await reporting.payouts(MARCH)).credits[0]?.lineId ?? '';
    const document = await reporting.payout(lineId);
    const text = documentToText(document, rooms.calendar);
    expect(text).toContain('service:T1');
    expect(text).toMatch(/^ {2}error +0,01 %$/m);
    expect(text).not.toContain('…');
    await expect(reporting.payout('01ARZ3NDEKTSV4RRFFQ69G5FAV')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('do not add up if a match differs from the sum of its items', async () => {
    await harness.database.transact(async (session) => {
      const [row] = await session('bank_statement_lines').select('id').where('amount_minor', 999_999);
      const id = newId();
      await session('ledger_transactions').insert({
        id,
        reference: 'payout:damaged',
        code: 'payout',
        occurred_at: rooms.calendar.startOf(MARCH.to),
        recorded_at: rooms.clock.now(),
        recorded_by: 'test',
      });
      const figures = { gross_millimes: 999_999, fee_millimes: 0, tva_millimes: 0, remainder_millimes: 0 };
      await session('payout_matches').insert({
        ...figures,
        id,
        line_id: row?.['id'],
        kind: 'forced',
        evidence: 'asserted',
        rest_channel: 'agent',
        ledger_transaction_id: id,
        recorded_at: 1,
        recorded_by: 'test',
      });
      await session('payout_claimed_lines').insert({ line_id: row?.['id'], match_id: id });
    });
    expect(await reporting.payouts(MARCH)).toMatchObject({ proven: false });
  });

  test('list fees and TVA by origin, equal to the accounts of the ledger', async () => {
    const report = await reporting.fees({ from: businessDate('2026-02-10'), to: MARCH.to });
    expect(report).toMatchObject({ proven: true, ledgerFee: 150n, ledgerTva: 29n });
    expect(report.months).toEqual([
      { month: '2026-03', channel: 'card', origin: 'reported', count: 1, fee: 150n, tva: 29n },
    ]);
  });

  test('list a fee that a match found as inferred', async () => {
    await harness.database.transact(async (session) => {
      const [fee] = await session('gateway_item_fees').select('recorded_at');
      const match = await session('payout_matches').select('*');
      const id = newId();
      await session('payout_matches').insert({
        ...match[0],
        id,
        recorded_at: fee?.['recorded_at'],
        recorded_by: 'test',
      });
      await session('payout_match_items').insert({
        match_id: id,
        item_id: 'payment:P1',
        channel: 'card',
        amount_millimes: 10_000,
        fee_millimes: 150,
        tva_millimes: 29,
        evidence: 'inferred_by_sum',
      });
    });
    const { months } = await reporting.fees(MARCH);
    expect(months.map(({ origin }) => origin)).toEqual(['inferred']);
  });

  test('form one page without scripts and links to load, with a table for each plot', async () => {
    const whole = await reporting.whole(MARCH);
    const page = wholeReportToHtml(whole, rooms.calendar);
    expect(whole.proven).toBe(true);
    for (const key of ['daily', 'aging', 'clearing', 'payouts', 'fees']) {
      expect(page).toContain(`<section id="${key}">`);
    }
    expect(page).not.toMatch(/<script|<link|<img|<iframe|javascript:|\son\w+=|https?:|url\((?!#)|@import/i);
    const plots = page.split('<div class="drawing').slice(1);
    expect(plots.length).toBeGreaterThanOrEqual(4);
    for (const plot of plots) expect(plot).toMatch(/<title id=.*<desc id=.*<\/svg>.*<table>/s);
  });

  test('roll forward payouts with fees, with a remainder, and one that was unmatched', async () => {
    const lineOf = async (amount: number): Promise<string> =>
      (await reporting.payouts(MARCH)).credits.find((credit) => credit.amount === amount)?.lineId ?? '';
    const [lineId, other] = [await lineOf(999_999), await lineOf(102_500)];
    const part = { channel: 'wallet', fee: millimes(200), tva: millimes(38), evidence: 'asserted' } as const;
    const match: NewMatch = {
      id: newId(),
      lineId,
      bookingDate: businessDate('2026-03-04'),
      kind: 'forced',
      model: undefined,
      stream: undefined,
      evidence: 'asserted',
      gross: millimes(15_000),
      // 119 millimes of it are of the payout as a whole.
      fee: millimes(300),
      tva: millimes(57),
      remainder: millimes(999_999 - 14_643),
      restChannel: 'wallet',
      claimedError: undefined,
      cut: undefined,
      parts: [
        { ...part, itemId: 'payment:P3', amount: millimes(20_000) },
        { ...part, itemId: 'refund:R1', amount: millimes(-5_000), fee: millimes(0), tva: millimes(0) },
      ],
      returned: undefined,
    };
    const by = {
      runId: undefined,
      reason: 'a test',
      recordedAt: rooms.clock.now(),
      recordedBy: 'Amel',
      approvedBy: 'Badr',
    };
    const today = { from: MARCH.from, to: businessDate('2026-03-06') };
    const wallet = async (): Promise<unknown> => {
      const { channels, proven } = await reporting.clearing(today);
      const found = channels.find(({ channel }) => channel === 'wallet');
      return { proven, movements: found?.movements, closing: found?.closing, parts: found?.parts };
    };
    await harness.database.transact((session) => postMatches(session, [match], by, rooms.calendar));
    expect(await wallet()).toMatchObject({
      proven: true,
      movements: { fees: -300n, tva: -57n, payouts: -999_999n, payoutsReturned: 0n },
      closing: 15_000n - 357n - 999_999n,
      parts: [
        { label: 'forced', amount: -985_356n },
        { label: 'unexplained', amount: 0n },
      ],
    });
    expect((await reporting.payouts(MARCH)).credits.find((credit) => credit.lineId === lineId)?.outcome).toBe('forced');
    expect((await reporting.daily(today.to)).channels.map(({ channel, proven }) => [channel, proven])).toContainEqual([
      'wallet',
      true,
    ]);
    const fees = (await reporting.fees(today)).months.filter(({ channel }) => channel === 'wallet');
    expect(fees.map(({ origin, fee, tva }) => [origin, fee, tva])).toEqual([
      ['inferred', 200n, 38n],
      ['inferred_per_payout', 100n, 19n],
    ]);

    await harness.database.transact((session) =>
      releaseMatch(session, {
        ...{ lineId, kind: 'unmatched', debitLineId: undefined, runId: undefined, reason: 'a mistake' },
        ...{ occurredAt: rooms.clock.now(), recordedAt: rooms.clock.now(), recordedBy: 'Amel' },
      }),
    );
    // The match never was, but what was found of the items' fees stays posted.
    expect(await wallet()).toMatchObject({
      proven: true,
      movements: { fees: -200n, tva: -38n, payouts: 0n, payoutsReturned: 0n },
      closing: 14_762n,
      parts: [
        { label: 'unpaid_items', items: 2, amount: 15_000n },
        { label: 'fees_posted', amount: -238n },
        { label: 'unexplained', amount: 0n },
      ],
    });
    const outcomes = (await reporting.payouts(MARCH)).credits.map((credit) => [credit.lineId, credit.outcome]);
    expect(outcomes).toEqual(expect.arrayContaining([[other, 'matched']]));
    expect(outcomes).not.toContainEqual([lineId, 'forced']);
  });

  test('state when a day was sealed or reopened', async () => {
    const seal = {
      business_date: MARCH.to,
      content: '{}',
      digest: '0'.repeat(64),
      recorded_at: 1,
      recorded_by: 'Amel',
    };
    await harness.database.transact((session) => session('day_seals').insert({ ...seal, number: 1, kind: 'closed' }));
    expect((await reporting.daily(MARCH.to)).day).toEqual({ kind: 'closed', seal: 1, sealedAt: 1, sealedBy: 'Amel' });
    await harness.database.transact((session) =>
      session('day_seals').insert({ ...seal, number: 2, kind: 'reopened', reopens_number: 1 }),
    );
    expect((await reporting.daily(MARCH.to)).day).toMatchObject({ kind: 'reopened', seal: 2 });
    expect((await reporting.daily(MARCH.from)).day).toEqual({ kind: 'open' });
  });

  test('refuse a period that ends before it starts, and default to the month through yesterday', async () => {
    await expect(reporting.clearing({ from: MARCH.to, to: MARCH.from })).rejects.toMatchObject({ code: 'bad_input' });
    expect(reporting.usualPeriod()).toEqual(MARCH);
  });
});
