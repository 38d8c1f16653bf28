// Goal: every figure of every report is as of the end of one day by ledger date: each page adds up, the pages of
// consecutive days follow from each other, and a past page changes only by rows with an earlier day.
// Method: seeded random days of payments, fees, refunds, payouts, returned and forced ones, write-offs and late
// statements. After each operation the stored pages of the days before its rows must be the same.
import { expect, test } from '@jest/globals';
import { BREAK_CLASSES, type BreakWorkflow } from '../../../src/breaks';
import { rowsOf } from '../../../src/db';
import { addDays, type BusinessDate, businessDate, HOUR_MS, isAppError, newId } from '../../../src/kernel';
import { gatewayClearing, openLedger } from '../../../src/ledger';
import { silentLogger } from '../../../src/logging';
import { createDayClosing } from '../../../src/reconciliation';
import {
  agentsDocument,
  agingDocument,
  clearingDocument,
  type DailyReport,
  dailyReportToJson,
  documentToJson,
  payoutsDocument,
  type ReportPeriod,
} from '../../../src/reporting';
import { describeOnEachDatabase } from '../../support/db';
import { TESTER } from '../../support/factories';
import { type Random, randomFrom } from '../../support/random';
import { ONE_PERCENT, sweepBySums } from '../../support/sweep-by-sums';
import { giveBack, ITEM_CHANNELS, type PaidGiven, receive, reportFee } from '../ledger/gateway-money';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';
import { decideByTwo, KARIM, LEILA, openWorkflow } from '../reconciliation/two-people';

const FIRST = businessDate('2026-03-02');
const DAYS = 12;
const OPERATIONS_PER_DAY = 4;
/** The second and the third of the first list have a payout that was booked before the bank returned another one. */
const SEEDS = { sqlite: [101, 131, 132, 137], mariadb: [131, 140] };

/** What happened in the days of each database. */
const KINDS = [
  'fee',
  'late statement',
  'paid ahead',
  'refund',
  'remainder',
  'returned',
  'unmatched',
  'write_off',
  'written off, and reopened',
];

interface OpenItem {
  readonly itemId: string;
  readonly amount: number;
}

/** A month in small: it knows what may happen next from the tables. */
class RandomDays {
  readonly rooms: Rooms;
  readonly database: Parameters<typeof openRooms>[0];
  readonly #random: Random;
  readonly #workflow: BreakWorkflow;
  readonly #paid: PaidGiven[] = [];
  /** Lines that the bank booked and no file contains yet. */
  #unsent: [date: BusinessDate, text: string, amount: number][] = [];
  readonly #returned = new Set<number>();
  #number = 0;

  constructor(database: Parameters<typeof openRooms>[0], seed: number) {
    this.database = database;
    this.#random = randomFrom(seed);
    const rules = seed % 2 === 0 ? [ONE_PERCENT] : [];
    this.rooms = openRooms(
      database,
      `${FIRST}T08:00:00+01:00`,
      sweepBySums(rules, ({ channel }) => channel === 'agent'),
    );
    this.#workflow = openWorkflow(database, this.rooms);
  }

  get today(): BusinessDate {
    return this.rooms.calendar.dateOf(this.rooms.clock.now());
  }

  async begin(): Promise<void> {
    await this.rooms.importAgents('A1', 'A2', 'A3');
    await this.rooms.importDues(['D1', 'A1', 400_000], ['D2', 'A2', 90_000]);
    await this.rooms.importStatement([['27/02/2026', 'VERSEMENT', 1]]);
  }

  async step(): Promise<void> {
    const operation = this.#random.oneOf(this.#operations());
    try {
      await operation();
    } catch (error) {
      // Chance asks for what the books refuse, such as a match of a credit that is written off.
      if (!isAppError(error) || !['conflict', 'bad_input'].includes(statusOf(error.code))) throw error;
    }
  }

  #operations(): (() => Promise<unknown>)[] {
    const [confirm, payOut] = [() => this.#confirm(), () => this.#payOut()];
    const [send, run] = [() => this.#sendStatement(), () => this.#reconcile()];
    const [force, writeOff] = [() => this.#force(), () => this.#writeOff()];
    return [
      ...[confirm, confirm, confirm, confirm, payOut, payOut, send, send, run, run, force, force, writeOff, writeOff],
      () => this.#payThroughChannel(),
      () => this.#refund(),
      () => this.#reportFee(),
      () => this.#payShort(),
      () => this.#returnPayout(),
      () => this.#unmatch(),
      () => this.#reopen(),
    ];
  }

  async #confirm(): Promise<void> {
    const agentId = this.#random.oneOf(['A1', 'A2', 'A3', 'unknown']);
    const amount = 1_000 + this.#random.below(50_000);
    await this.rooms.confirm({ transactionId: `T${(this.#number += 1)}`, agentId, amount });
  }

  async #payThroughChannel(): Promise<void> {
    const channel = this.#random.oneOf(ITEM_CHANNELS);
    const given = { id: `P${(this.#number += 1)}`, channel, amount: 10_000 + this.#random.below(90_000) };
    this.#paid.push(given);
    await receive(this.database, given, this.rooms.clock.now());
  }

  async #refund(): Promise<void> {
    const of = this.#paid.shift();
    if (of === undefined) return;
    const amount = 1 + this.#random.below(of.amount);
    await giveBack(this.database, { id: `R${(this.#number += 1)}`, of, amount }, this.rooms.clock.now());
  }

  async #reportFee(): Promise<void> {
    const of = this.#paid.at(-1);
    if (of === undefined || of.channel === 'subscription') return;
    await reportFee(this.database, { of, fee: 100 + this.#random.below(50), tva: 19 }, this.rooms.clock.now());
  }

  /** The bank books everything that is unpaid, as a run will explain it. */
  async #payOut(): Promise<void> {
    const items = await this.#openItems();
    const { credits } = await this.rooms.reconcile(this.today, { dryRun: true });
    if (items.length === 0 || credits.some(({ outcome }) => outcome !== 'resolved')) return;
    this.#book(PAYOUT_TEXT, items.reduce((sum, { amount }) => sum + amount, 0) - this.#feesOf(items));
  }

  #feesOf(items: readonly OpenItem[]): number {
    if (this.#random.onceIn(2)) return 0;
    return items.reduce((sum, { amount }) => {
      const fee = Math.floor((amount + 50) / 100);
      return sum + fee + Math.floor((fee * 19 + 50) / 100);
    }, 0);
  }

  /** A credit that no items explain exactly. */
  async #payShort(): Promise<void> {
    const items = (await this.#openItems()).slice(0, 2);
    if (items.length === 0) return;
    this.#book(PAYOUT_TEXT, items.reduce((sum, { amount }) => sum + amount, 0) - 5 - this.#random.below(500));
  }

  async #returnPayout(): Promise<void> {
    const matched = await this.#matched();
    if (matched.length === 0) return;
    const { amount } = this.#random.oneOf(matched);
    if (this.#returned.has(amount)) return; // the stand-in for the inference knows one return of an amount
    this.#returned.add(amount);
    this.#book(`RETOUR ${PAYOUT_TEXT}`, -amount);
  }

  #book(text: string, amount: number): void {
    this.#unsent.push([this.today, text, amount]);
  }

  /** The bank sends what it booked, often days later. */
  async #sendStatement(): Promise<void> {
    if (this.#unsent.length === 0 || this.#random.onceIn(3)) return;
    const lines = this.#unsent.map(
      ([date, text, amount]) => [date.split('-').reverse().join('/'), text, amount] as const,
    );
    this.#unsent = [];
    await this.rooms.importStatement(lines);
  }

  async #reconcile(): Promise<void> {
    await this.rooms.reconcile(this.today);
  }

  /** Two people match a credit to items, whose sum differs as a rule. */
  async #force(): Promise<void> {
    const { credits } = await this.rooms.reconcile(this.today, { dryRun: true });
    const open = credits.filter(({ outcome }) => outcome !== 'resolved');
    const items = await this.#openItems();
    if (open.length === 0 || items.length === 0) return;
    const { line_id: lineId } = this.#random.oneOf(open);
    const itemIds = items.slice(-1 - this.#random.below(3)).map(({ itemId }) => itemId);
    const action = { kind: 'force_match', payload: { lineId, itemIds } };
    const about = { subject: `line:${lineId}` };
    const { proposalId } = await this.#workflow.propose({ about, action, reason: 'both looked', actor: LEILA });
    await this.#workflow.approve({ id: proposalId, actor: KARIM });
  }

  async #unmatch(): Promise<void> {
    const matched = await this.#matched();
    if (matched.length === 0) return;
    const { lineId } = this.#random.oneOf(matched);
    await this.rooms.reconciliation.unmatch({ lineId, reason: 'a mistake', actor: TESTER, dryRun: false });
  }

  async #writeOff(): Promise<void> {
    const breaks = (await this.rooms.breaks.list({})).filter(
      ({ amount, status }) => amount !== undefined && amount !== 0 && status === 'open',
    );
    if (breaks.length === 0) return;
    const { id, subject } = this.#random.oneOf(breaks);
    const payload =
      subject.itemIds.length > 0 && subject.lineIds.length > 0 ? { account: gatewayClearing('agent') } : {};
    await decideByTwo(this.#workflow, id, 'write_off', payload);
  }

  async #reopen(): Promise<void> {
    const closed = (await this.rooms.breaks.list({ includeResolved: true })).filter(
      ({ resolution }) => resolution === 'written_off',
    );
    if (closed.length === 0) return;
    await decideByTwo(this.#workflow, this.#random.oneOf(closed).id, 'reopen');
  }

  async #openItems(): Promise<OpenItem[]> {
    const rows = await this.#rows(
      `select c.transaction_id as id, c.amount_millimes as amount from agent_confirmations c
       where not exists (select 1 from payout_claimed_items k where substr(k.item_id, 9) = c.transaction_id)
       order by c.received_at`,
    );
    return rows.map(({ id, amount }) => ({ itemId: `service:${String(id)}`, amount: Number(amount) }));
  }

  async #matched(): Promise<{ lineId: string; amount: number }[]> {
    const rows = await this.#rows(
      `select l.id, l.amount_minor as amount from payout_claimed_lines k
       join payout_matches m on m.id = k.match_id and m.line_id = k.line_id
       join bank_statement_lines l on l.id = k.line_id order by l.booking_date, l.amount_minor`,
    );
    return rows.map(({ id, amount }) => ({ lineId: String(id), amount: Number(amount) }));
  }

  /** A run that changes nothing is not recorded, and a day is closed after a run. */
  async coveredByRun(): Promise<void> {
    const run = { id: newId(), through: this.today, digest: '0'.repeat(64), verdict: 'reconciled', summary: '{}' };
    await this.database.transact(async (session) => {
      await session('recon_runs').insert({ ...run, recorded_at: this.rooms.clock.now(), recorded_by: 'test' });
    });
  }

  #rows(sql: string): Promise<readonly Record<string, unknown>[]> {
    return this.database.read((session) => rowsOf(session.raw(sql)));
  }

  /** Counts what happened, so that no run of chance leaves a case out. */
  async facts(): Promise<Map<string, number>> {
    const rows = await this.#rows(
      `select u.kind as fact from payout_unmatches u
       union all select 'remainder' from payout_matches m where m.remainder_millimes <> 0
       union all select t.code from ledger_transactions t where t.code in ('write_off', 'fee', 'refund', 'payout_fee')
       union all select 'written off, and reopened' from ledger_transactions t where t.reference like 'write-off-back:%'
       union all select 'late statement' from ledger_transactions t
                 where t.code = 'statement_line' and t.recorded_at > t.occurred_at + 86400000
       union all select 'paid ahead' from payout_matches m
                 join ledger_transactions w on w.id = m.ledger_transaction_id
                 join payout_match_items i on i.match_id = m.id
                 join agent_confirmations c on c.transaction_id = substr(i.item_id, 9)
                 where c.received_at >= w.occurred_at + 86400000`,
    );
    const facts = new Map<string, number>();
    for (const { fact } of rows) facts.set(String(fact), (facts.get(String(fact)) ?? 0) + 1);
    return facts;
  }

  /** Returns the earliest day of the rows that were recorded at `since` or later. */
  async earliestDayRecorded(since: number): Promise<BusinessDate> {
    const rows = await this.database.read((session) =>
      session.raw(
        `select min(t.occurred_at) as at, null as day from ledger_transactions t where t.recorded_at >= ?
         union all
         select min(o.occurred_at), null from ledger_transactions r
         join ledger_transactions o on o.id = r.reverses_id where r.recorded_at >= ?
         union all
         select null, min(b.since) from recon_breaks b where b.opened_at >= ? or b.updated_at >= ? and b.status <> 'resolved'
         union all
         select null, min(coalesce(s.from_date, s.first_date)) from bank_statements s
         join statement_files f on f.id = s.file_id where f.imported_at >= ?`,
        [since, since, since, since, since],
      ),
    );
    return rows
      .flatMap(({ at, day }) => [
        ...(at === null ? [] : [this.rooms.calendar.dateOf(Number(at))]),
        ...(typeof day === 'string' ? [businessDate(day)] : []),
      ])
      .reduce((least, each) => (each < least ? each : least), this.today);
  }
}

function statusOf(code: string): string {
  const refused = ['line_matched', 'line_written_off', 'item_matched', 'remainder_written_off', 'no_amount'];
  const more = ['nothing_to_reopen', 'write_off_too_large', 'write_off_ambiguous', 'proposal_waits', 'closed_by_match'];
  return [...refused, ...more].includes(code) ? 'conflict' : code;
}

/** What a page says of the time after its day: when it was read, and how an open break has ended since. */
const SINCE_THEN = ['knownAt', 'ended', 'endedOn', 'resolution', 'bookedOn'];

/** Returns what the reports of a day say, without what they say of the time after it. */
async function pageOf(rooms: Rooms, through: BusinessDate): Promise<string> {
  const { reporting } = rooms;
  const period = { from: through, to: through };
  const said = [
    dailyReportToJson(await reporting.daily(through)),
    documentToJson(agingDocument(await reporting.aging(through))),
    documentToJson(clearingDocument(await reporting.clearing(period))),
    documentToJson(agentsDocument(await reporting.agents(period))),
    documentToJson(payoutsDocument(await reporting.payouts(period))),
  ];
  return JSON.stringify(said, (key, value: unknown) => (SINCE_THEN.includes(key) ? undefined : value), 1);
}

const sum = <T>(things: readonly T[], amount: (thing: T) => bigint): bigint =>
  things.reduce((total, thing) => total + amount(thing), 0n);

function expectDailyAddsUp(report: DailyReport): void {
  const { confirmed, matched, forced, paidAhead, onTheWay, credits, channels } = report;
  expect(confirmed.amount).toBe(matched.amount + forced - paidAhead + onTheWay.amount);
  expect(sum(onTheWay.byDay, ({ amount }) => amount)).toBe(onTheWay.amount);
  const listed = credits.flatMap(({ payments }) => payments);
  expect(sum(listed, ({ amount }) => BigInt(amount))).toBe(matched.amount + forced - paidAhead);
  expect(confirmed.count).toBe(listed.length + onTheWay.count);
  for (const each of channels) {
    const { opening, succeeded, refunded, fees, tva, paidOut, returned, writtenOff, corrected } = each;
    const moved = succeeded.amount - refunded.amount - fees - tva - paidOut + returned + writtenOff + corrected;
    expect([each.channel, opening + moved]).toEqual([each.channel, each.closing]);
    expect([each.channel, sum(each.parts, ({ amount }) => amount)]).toEqual([each.channel, each.closing]);
    expect(each.parts.at(-1)).toEqual({ label: 'unexplained', items: undefined, amount: 0n });
  }
  const inClearing = channels.find(({ channel }) => channel === 'agent')?.parts[0];
  if (onTheWay.count > 0) {
    expect(inClearing).toEqual({ label: 'unpaid_items', items: onTheWay.count, amount: onTheWay.amount });
  }
  expect(report.proven).toBe(true);
}

/** Closes the days in their order, and returns the balances that each seal states, by day and channel. */
async function closeDays(days: RandomDays, through: BusinessDate): Promise<Map<BusinessDate, Map<string, bigint>>> {
  const { clock, calendar, workingDays } = days.rooms;
  const closing = createDayClosing({ database: days.database, clock, calendar, workingDays, logger: silentLogger });
  const sealed = new Map<BusinessDate, Map<string, bigint>>();
  for (let date = FIRST; date <= through; date = addDays(date, 1)) {
    const { proof } = await closing.close({ date, actor: TESTER, reason: 'no statement yet', dryRun: false });
    const balances = proof.channels.map((each) => [each.channel, BigInt(each.closingMillimes)] as const);
    sealed.set(date, new Map(balances.filter(([, balance]) => balance !== 0n)));
  }
  expect(await closing.verify()).toEqual([]);
  return sealed;
}

/** Each seal and the page of its day agree: one line leads from the one to the other. */
function expectSealAddsUp({ channels, proven }: DailyReport, sealed: ReadonlyMap<string, bigint> | undefined): number {
  const stated = channels.flatMap(({ channel, seal }) =>
    seal === undefined || seal.recorded === 0n ? [] : [[channel, seal.recorded] as const],
  );
  expect(new Map(stated)).toEqual(sealed);
  for (const { channel, closing, seal } of channels) {
    const { recorded = 0n, recordedLater = 0n, datedLater = 0n } = seal ?? {};
    expect([channel, recorded + recordedLater - datedLater]).toEqual([channel, closing]);
  }
  expect(proven).toBe(true);
  return channels.filter(({ seal }) => seal?.recordedLater !== 0n && seal?.datedLater !== 0n).length;
}

/** The stored figures of each day, which refreshes derived bit by bit, are those of its report. */
async function expectFiguresAgree({ reporting }: Rooms): Promise<void> {
  const morning = await reporting.morning({ day: undefined, reader: 'test' });
  for (let day = FIRST; day < addDays(FIRST, DAYS); day = addDays(day, 1)) {
    const { channels, agents } = await reporting.daily(day);
    const reported = channels.map((each) => ({
      ...{ date: day, channel: each.channel, payments: each.succeeded.count, succeeded: each.succeeded.amount },
      ...{ refunded: -each.refunded.amount, charged: -each.fees - each.tva, settled: each.returned - each.paidOut },
      ...{ other: each.writtenOff + each.corrected, closing: each.closing },
    }));
    const stored = morning?.figures.filter(
      ({ date, channel }) => date === day && channels.some((each) => each.channel === channel),
    );
    expect(stored).toEqual(reported);
    if (day === morning?.day) {
      expect(morning.cutOff).toMatchObject({ owing: agents.owing, owed: agents.due, favored: agents.inCredit });
      expect(morning.cutOff?.favor).toBe(agents.credit);
    }
  }
  expect(morning?.day).toBe(addDays(FIRST, DAYS - 1));
}

async function expectReportsAgree({ reporting }: Rooms, daily: DailyReport, period: ReportPeriod): Promise<void> {
  const closings = daily.channels.map(({ channel, closing, parts }) => [channel, closing, parts]);
  const clearing = await reporting.clearing(period);
  expect(clearing.proven).toBe(true);
  expect(clearing.channels.map(({ channel, closing, parts }) => [channel, closing, parts])).toEqual(
    expect.arrayContaining(closings),
  );
  const agents = await reporting.agents(period);
  expect(agents).toMatchObject({
    proven: true,
    totals: { closingDue: daily.agents.due, closingCredit: daily.agents.credit },
  });
  const payouts = await reporting.payouts(period);
  expect(payouts.proven).toBe(true);
  expect(payouts.credits.map(({ lineId, match }) => [lineId, match?.itemCount ?? 0])).toEqual(
    daily.credits.map(({ lineId, itemCount }) => [lineId, itemCount]),
  );
  const aging = await reporting.aging(period.to);
  expect(aging.breaks.reduce((total, { count }) => total + count, 0)).toBe(
    daily.breaks.reduce((total, { count }) => total + count, 0),
  );
  expect(sum(aging.breaks, ({ net }) => net)).toBe(sum(daily.breaks, ({ amount }) => amount));
  expect(
    sum(
      aging.items.filter(({ channel }) => channel === 'agent'),
      ({ amount }) => amount,
    ),
  ).toBe(daily.onTheWay.amount);
  expect((await reporting.fees(period)).proven).toBe(true);
}

describeOnEachDatabase('the reports of random days', (harness) => {
  const facts = new Map<string, number>();
  let unchangedPages = 0;
  let sealedDifferently = 0;

  test.each(SEEDS[harness.dialect])('add up for each day and stay the same, seed %i', async (seed) => {
    const days = new RandomDays(harness.database, seed);
    const { rooms } = days;
    await days.begin();
    const pages = new Map<BusinessDate, string>();
    for (let day = FIRST; day < addDays(FIRST, DAYS); day = addDays(day, 1)) {
      for (let hour = 9; hour < 9 + 2 * OPERATIONS_PER_DAY; hour += 2) {
        rooms.clock.set(`${day}T${String(hour).padStart(2, '0')}:00:00+01:00`);
        const since = rooms.clock.now();
        await days.step();
        if (hour % 4 === 1) await rooms.reporting.refreshFigures({ runId: newId(), through: day });
        const earliest = await days.earliestDayRecorded(since);
        for (const past of pages.keys()) {
          if (past >= earliest) pages.delete(past);
        }
      }
      rooms.clock.advance(HOUR_MS);
      for (const [past, page] of pages) expect(await pageOf(rooms, past)).toBe(page);
      unchangedPages += pages.size;
      pages.set(day, await pageOf(rooms, day));
    }

    let before: DailyReport | undefined;
    for (let day = FIRST; day < addDays(FIRST, DAYS); day = addDays(day, 1)) {
      const daily = await rooms.reporting.daily(day);
      expectDailyAddsUp(daily);
      await expectReportsAgree(rooms, daily, { from: businessDate('2026-02-01'), to: day });
      if (before !== undefined) {
        const { confirmed, channels } = before;
        expect(daily.confirmed.amount - daily.confirmedToday.amount).toBe(confirmed.amount);
        for (const { channel, opening } of daily.channels) {
          const earlier = channels.find((each) => each.channel === channel)?.closing ?? 0n;
          expect([day, channel, opening]).toEqual([day, channel, earlier]);
        }
      }
      before = daily;
    }
    // The last day is today: its figures are the present ones.
    const now = await harness.database.read(async (session) =>
      Promise.all(
        [...ITEM_CHANNELS, 'agent' as const].map((channel) => openLedger(session).sumOf(gatewayClearing(channel))),
      ),
    );
    expect(sum(before?.channels ?? [], ({ closing }) => closing)).toBe(sum(now, (amount) => amount));
    const open = (await rooms.breaks.list({ classes: BREAK_CLASSES })).filter(({ since }) => since <= days.today);
    expect(before?.breaks.reduce((total, { count }) => total + count, 0)).toBe(open.length);
    expect(await rooms.reporting.verifyBooks()).toEqual([]);
    rooms.clock.set(`${addDays(FIRST, DAYS)}T09:00:00+01:00`);
    await rooms.reporting.refreshFigures({ runId: newId(), through: days.today });
    await expectFiguresAgree(rooms);
    await days.coveredByRun();
    for (const [day, sealed] of await closeDays(days, addDays(FIRST, DAYS - 1))) {
      sealedDifferently += expectSealAddsUp(await rooms.reporting.daily(day), sealed);
    }
    for (const [fact, count] of await days.facts()) facts.set(fact, (facts.get(fact) ?? 0) + count);
  });

  test('contain each kind of fact', () => {
    expect([...facts.keys()].sort()).toEqual(KINDS);
    expect(unchangedPages).toBeGreaterThan(0);
    expect(sealedDifferently).toBeGreaterThan(0);
  });
});
