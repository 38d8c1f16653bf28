// Goal: an account that was imported under two names is healed by a join: each movement counts once from then on, as if
// its file had been imported once. Method: the same days on two databases, one of which has a mistyped name before.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Database, rowsOf } from '../../../src/db';
import { businessDate } from '../../../src/kernel';
import { BANK_UNMATCHED, openLedger } from '../../../src/ledger';
import {
  agingDocument,
  clearingDocument,
  dailyReportToJson,
  documentToJson,
  payoutsDocument,
} from '../../../src/reporting';
import { type AccountDecided, bankFileOfBytes } from '../../../src/statements';
import { type LineGiven, statementBytes } from '../../fixtures/statements/statement-bytes';
import { mt940 } from '../../support/bank-messages';
import { describeOnEachDatabase } from '../../support/db';
import { TESTER } from '../../support/factories';
import { ribOf } from '../../support/rib';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';

const [RIB, TYPO] = [ribOf('112223333333333333'), ribOf('112223333333333334')];
const DAY = businessDate('2026-03-04');
const LINES: readonly LineGiven[] = [
  ['02/03/2026', PAYOUT_TEXT, 60_000],
  ['03/03/2026', PAYOUT_TEXT, 55_500],
  ['03/03/2026', 'COMMISSION', -1_190],
  ['03/03/2026', 'COMMISSION', -1_190],
];
const LAST: LineGiven = ['04/03/2026', 'VERSEMENT', 5_000];

describeOnEachDatabase('an account that was imported under two names', (harness) => {
  let rooms: Rooms;

  beforeEach(async () => {
    rooms = openRooms(harness.database, '2026-03-02T09:00:00+01:00');
    await playDays(rooms);
  });

  const join = (options: { dryRun?: boolean; name?: string; into?: string } = {}): Promise<AccountDecided> =>
    rooms.statements.joinAccounts({ name: TYPO, into: RIB, reason: 'a typing error', actor: TESTER, ...options });

  const linesUnder = (account: string): Promise<string[]> =>
    harness.database.read(async (session) => {
      const rows = session('bank_statement_lines')
        .select('id')
        .where({ account })
        .orderBy(['booking_date', 'position']);
      return (await rowsOf(rows)).map(({ id }) => String(id));
    });

  const repeated = (): Promise<Record<string, unknown>[]> =>
    harness.database.read((session) => rowsOf(session('bank_repeated_lines').select('*').orderBy('line_id')));

  test('counts each movement once after the join, as if the file was imported once', async () => {
    await rooms.importStatement(LINES, TYPO);
    await rooms.importStatement(LINES, RIB);
    await rooms.reconcile(DAY);
    const [typed, own] = [await linesUnder(TYPO), await linesUnder(RIB)];
    rooms.clock.advance(3_600_000);

    const sum = { lines: 4, credits: 115_500, debits: 2_380 };
    expect(await join({ dryRun: true })).toMatchObject({ kind: 'joined', repeated: sum });
    expect(await repeated()).toEqual([]);
    const before = await unchangeableRows(harness.database);
    expect(await join()).toMatchObject({ kind: 'joined', warnings: [], repeated: sum });
    expect(await unchangeableRows(harness.database)).toEqual(expect.arrayContaining(before));
    expect(await join()).toMatchObject({ kind: 'already', repeated: { lines: 0 } });
    expect(await repeated()).toMatchObject(
      typed.map((lineId, at) => ({
        line_id: lineId,
        stays_id: own[at],
        repeated_by: TESTER.name,
        reason: 'a typing error',
      })),
    );
    expect(await rooms.reporting.verifyBooks()).toEqual([]);
    await finish(rooms);

    const once = openRooms((await harness.fresh()).open(), '2026-03-02T09:00:00+01:00');
    await playDays(once);
    await once.importStatement(LINES, RIB);
    once.clock.advance(3_600_000);
    await finish(once);
    expect(await pagesOf(rooms)).toEqual(await pagesOf(once));
    expect(await rooms.reporting.verifyBooks()).toEqual([]);
    for (const { id } of (await rooms.reconciliation.runs({ limit: 9 })).rows) {
      expect(await rooms.reconciliation.replay(id)).toMatchObject({ isSame: true });
    }
    // Files under either name now bring lines of one account.
    const file = bankFileOfBytes('bank.csv', statementBytes({ account: `TN59 ${TYPO}`, lines: LINES }));
    await expect(rooms.statements.import({ file, actor: TESTER })).rejects.toMatchObject({
      problem: { code: 'statements_known' },
    });
  });

  test('keeps the line that is matched, whichever name it has', async () => {
    await rooms.importStatement(LINES, TYPO);
    await rooms.reconcile(DAY);
    await rooms.importStatement(LINES, RIB);
    await rooms.reconcile(DAY);
    const [typed, own] = [await linesUnder(TYPO), await linesUnder(RIB)];
    rooms.clock.advance(3_600_000);
    expect(await join()).toMatchObject({ repeated: { lines: 4, credits: 115_500, debits: 2_380 } });
    const rows = new Map((await repeated()).map((row) => [row['line_id'], row['stays_id']]));
    expect([own[0], own[1], typed[2], typed[3]].map((id) => rows.get(id))).toEqual([
      typed[0],
      typed[1],
      own[2],
      own[3],
    ]);
    const result = await rooms.reconcile(DAY);
    expect(result.credits).toMatchObject([{ outcome: 'resolved' }, { outcome: 'resolved' }]);
    expect(result.breaks).toEqual([]);
    expect(await rooms.reporting.verifyBooks()).toEqual([]);
    for (const { id } of (await rooms.reconciliation.runs({ limit: 9 })).rows) {
      expect(await rooms.reconciliation.replay(id)).toMatchObject({ isSame: true });
    }
    await expect(rooms.reconciliation.credit(String(own[0]))).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is not joined while one movement is matched under both names', async () => {
    await rooms.importStatement(LINES, TYPO);
    await rooms.importStatement(LINES, RIB);
    const [typed, own] = [await linesUnder(TYPO), await linesUnder(RIB)];
    const by = { reason: 'both', actor: TESTER, dryRun: false };
    await rooms.reconciliation.match({ ...by, lineId: typed[0] ?? '', items: ['service:T1'] });
    await rooms.reconciliation.match({ ...by, lineId: String(own[0]), items: ['service:T3'] });
    await expect(join()).rejects.toMatchObject({
      problem: { code: 'movement_used_twice' },
      message: expect.stringContaining(`run "millime reconcile unmatch ${typed[0]} --reason ..."`),
    });
    expect(await repeated()).toEqual([]);
    await rooms.reconciliation.unmatch({ ...by, lineId: String(typed[0]) });
    expect(await join()).toMatchObject({ repeated: { lines: 4 } });
    expect(await rooms.reporting.verifyBooks()).toEqual([]);
  });

  test.each<[string, readonly LineGiven[], number | undefined, string]>([
    ['has another line', [...LINES, ['03/03/2026', 'AUTRE', 500], LAST], undefined, 'has 0,500 DT, which statement'],
    ['lacks a line', [...LINES.slice(0, 3), LAST], undefined, 'has -1,190 DT, which statement'],
    ['has one more line on the first day', [...LINES.slice(0, 1), ...LINES, LAST], undefined, 'which statement'],
    ['has other balances', [...LINES, LAST], 7_000, 'begins the day with 7,000 DT'],
    ['has the next part of the day', [LAST], 1_118_120, 'begins the day with 1 118,120 DT'],
  ])('is not joined if the file of the other name %s', async (_, lines, opening, detail) => {
    await rooms.importStatement([...LINES, LAST], RIB);
    const file = bankFileOfBytes('bank.csv', statementBytes({ account: TYPO, lines, ...(opening && { opening }) }));
    await rooms.statements.import({ file, actor: TESTER });
    const refused: unknown = await join().catch((error: unknown) => error);
    expect(refused).toMatchObject({ problem: { code: 'accounts_overlap' } });
    expect((refused as { details: string[] }).details.join()).toContain(detail);
    expect(await repeated()).toEqual([]);
  });

  describe('in a file of another format', () => {
    const GIVEN = { opening: 1_000_000, lines: LINES };
    const asMt940 = (account: string, { opening, lines } = GIVEN): Promise<unknown> => {
      const entries = lines.map(([date, text, amount]) => ({ day: isoDay(date), amount, text: `MT ${text}` }));
      const closing = lines.reduce((sum, [, , amount]) => sum + amount, opening);
      const bytes = mt940([
        {
          account,
          opening: { amount: opening, day: '2026-03-01' },
          closing: { amount: closing, day: '2026-03-04' },
          entries,
        },
      ]);
      return rooms.statements.import({ file: bankFileOfBytes('bank.sta', bytes), actor: TESTER });
    };

    test('counts each movement once if balances and amounts of each common day agree', async () => {
      await asMt940(TYPO);
      await rooms.importStatement([...LINES, LAST], RIB);
      const [typed, own] = [await linesUnder(TYPO), await linesUnder(RIB)];
      expect(await join()).toMatchObject({ repeated: { lines: 4, credits: 115_500, debits: 2_380 }, warnings: [] });
      const rows = await repeated();
      expect(rows.map((row) => row['line_id'])).toEqual(typed);
      expect(rows.map((row) => row['stays_id']).sort()).toEqual(own.slice(0, 4).sort());
      await rooms.reconcile(DAY);
      expect(await rooms.reporting.verifyBooks()).toEqual([]);
    });

    test.each<[string, { opening: number; lines: readonly LineGiven[] }]>([
      ['balances', { lines: [...LINES, LAST], opening: 1_000_001 }],
      ['amounts', { ...GIVEN, lines: [...LINES.slice(0, 3), ['03/03/2026', 'COMMISSION', -1_191], LAST] }],
    ])('is not joined if the %s differ', async (_, given) => {
      await asMt940(TYPO, given);
      await rooms.importStatement([...LINES, LAST], RIB);
      await expect(join()).rejects.toThrow('two formats of one statement agree if their balances and the amounts');
      expect(await repeated()).toEqual([]);
    });
  });

  test('is reversed after the closed days', async () => {
    await rooms.importStatement(LINES, TYPO);
    await rooms.importStatement(LINES, RIB);
    await rooms.reconcile(DAY);
    const openFrom = rooms.calendar.startOf(businessDate('2026-03-03'));
    await harness.database.transact((session) =>
      session('ledger_fence').where('name', 'ledger').update({ open_from: openFrom }),
    );
    await join();
    const days = await harness.database.read(async (session) =>
      rowsOf(session('ledger_transactions').select('occurred_at').where('reference', 'like', 'line-back:%')),
    );
    expect(days.map((row) => Number(row['occurred_at']))).toEqual(days.map(() => openFrom));
    expect(await rooms.reporting.verifyBooks()).toEqual([]);
  });

  test('is joined once by several concurrent joins, in either direction', async () => {
    await rooms.importStatement(LINES, TYPO);
    await rooms.importStatement(LINES, RIB);
    const joins = [join(), join({ name: RIB, into: TYPO }), join(), rooms.reconcile(DAY)];
    const settled = await Promise.allSettled(joins);
    const kinds = settled.map((each) => (each.status === 'fulfilled' ? 'done' : (each.reason as Error).message));
    expect(kinds.filter((kind) => kind === 'done').length).toBeGreaterThanOrEqual(2);
    expect(await repeated()).toHaveLength(4);
    await rooms.reconcile(DAY);
    expect(await rooms.reporting.verifyBooks()).toEqual([]);
    const unmatched = await harness.database.read((session) => openLedger(session).sumOf(BANK_UNMATCHED));
    expect(Number(unmatched)).toBe(2_380);
  });
});

/** `02/03/2026` as `2026-03-02`. */
function isoDay(date: string): string {
  return date.split('/').reverse().join('-');
}

/** Two confirmed payments that the gateway paid out, and one of the same amount that it did not. */
async function playDays(rooms: Rooms): Promise<void> {
  await rooms.importAgents('A1');
  await rooms.importDues(['D1', 'A1', 200_000]);
  await rooms.confirm({ transactionId: 'T1', agentId: 'A1', amount: 60_000 }, '2026-03-02T10:00:00+01:00');
  await rooms.confirm({ transactionId: 'T2', agentId: 'A1', amount: 55_500 }, '2026-03-03T11:00:00+01:00');
  await rooms.confirm({ transactionId: 'T3', agentId: 'A1', amount: 60_000 }, '2026-03-04T11:00:00+01:00');
  rooms.clock.set('2026-03-05T06:30:00+01:00');
}

/** The next day: the bank pays the third payment, and a run sees it. */
async function finish(rooms: Rooms): Promise<void> {
  await rooms.importStatement([['04/03/2026', PAYOUT_TEXT, 60_000]], RIB);
  rooms.clock.set('2026-03-06T06:30:00+01:00');
  await rooms.reconcile('2026-03-05');
}

/** The pages of a report, without the ids and instants of each database. */
async function pagesOf({ reporting }: Rooms): Promise<string> {
  const through = businessDate('2026-03-06');
  const period = { from: businessDate('2026-03-01'), to: through };
  const pages = [
    dailyReportToJson(await reporting.daily(through)),
    documentToJson(agingDocument(await reporting.aging(through))),
    documentToJson(clearingDocument(await reporting.clearing(period))),
    documentToJson(payoutsDocument(await reporting.payouts(period))),
  ];
  const text = JSON.stringify(pages, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 1);
  return text.replaceAll(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, 'id');
}

async function unchangeableRows(database: Database): Promise<unknown[]> {
  return database.read(async (session) => {
    const rows: unknown[] = [];
    for (const table of ['bank_statements', 'bank_statement_lines', 'ledger_transactions', 'payout_matches']) {
      rows.push(...(await rowsOf(session(table).select('*').orderBy('id'))));
    }
    return rows;
  });
}
