import { beforeEach, expect, test } from '@jest/globals';
import { addDays, businessDate, millimes } from '../../../src/kernel';
import type { CreditKey, CreditQuery, ListedCredit } from '../../../src/reporting';
import { describeOnEachDatabase } from '../../support/db';
import { rowsOfFile, type TableRow } from '../../support/statement-rows';
import { openRooms, type Rooms } from '../ledger/rooms';
import { expectFewRowsRead, insertMany, walk } from './paging';

const LINES = 6_000;
const FIRST_DAY = businessDate('2026-01-01');
const FILE = new Map(rowsOfFile('F', 'posted'));
const rowOf = (table: string): TableRow => FILE.get(table) ?? {};
const id = (index: number): string => `01CREDIT${String(index).padStart(18, '0')}`;
const numberOf = (text: string): number => Number(text.slice(8));

/** A hundred lines share each day. Every second one was recognized as a payout, and every tenth is a debit. */
const lines = Array.from({ length: LINES }, (_, index) => ({
  ...rowOf('bank_statement_lines'),
  id: id(index),
  position: index,
  identity: String(index).padStart(64, '0'),
  booking_date: addDays(FIRST_DAY, Math.floor(index / 100)),
  amount_minor: index % 10 === 9 ? -1 : 1_000 + index,
  payout_candidate: index % 2 === 0 ? 1 : 0,
}));
const recognized = lines.flatMap((line, index) => (line.payout_candidate === 1 ? [index] : []));
/** Two decisions of people: one credit more, and one less. */
const marks = [5_993, 5_994].map((index) => ({
  ...{ id: id(index), line_id: id(index), position: 1, is_payout: index % 2, pattern: 'x' },
  ...{ decided_at: 1, decided_by: 'salma', reason: 'a test' },
}));
const expected = [...recognized.filter((index) => index !== 5_994), 5_993].sort((a, b) => b - a);
const match = {
  ...{
    id: id(5_998),
    line_id: id(5_998),
    run_id: id(1),
    kind: 'inferred',
    evidence: 'inferred_by_cut',
    rest_channel: 'agent',
  },
  ...{ gross_millimes: 6_998, fee_millimes: 0, tva_millimes: 0, remainder_millimes: 0, claimed_error: '0.001' },
  ...{ ledger_transaction_id: id(2), recorded_at: 1, recorded_by: 'run' },
};
const breakOf = (index: number, status: string, resolution: string | null) => ({
  ...{ id: id(index), fingerprint: `missing_in_book:${id(index)}`, class: 'missing_in_book', status, resolution },
  ...{ since: FIRST_DAY, amount_millimes: 1, direction: 'bank_has_more', subject: '{}', opened_at: 1, updated_at: 1 },
});

describeOnEachDatabase('the list of credits', (harness) => {
  let rooms: Rooms;
  beforeEach(async () => {
    rooms = openRooms(harness.database, '2026-05-04T09:00:00+01:00');
    await harness.database.transact(async (session) => {
      for (const table of ['statement_files', 'statement_loads', 'bank_statements']) {
        await session(table).insert(rowOf(table));
      }
      await insertMany(session, 'bank_statement_lines', lines);
      await insertMany(session, 'payout_marks', marks);
      await session('payout_matches').insert(match);
      const claims = [5_998, 5_996].map((index) => ({ line_id: id(index), match_id: match.id }));
      await insertMany(session, 'payout_claimed_lines', claims);
      await insertMany(session, 'recon_breaks', [
        breakOf(5_993, 'open', null),
        breakOf(5_992, 'resolved', 'written_off'),
        breakOf(5_990, 'resolved', 'disappeared'),
      ]);
    });
  });

  const all = async (query: Partial<CreditQuery>): Promise<number[]> =>
    (
      await walk<ListedCredit, CreditKey>(200, (after, limit) => rooms.reporting.credits({ ...query, after, limit }))
    ).map(({ lineId }) => numberOf(lineId));

  test('returns each credit that may be a payout once, newest first, with its explanation', async () => {
    expect(await all({})).toEqual(expected);
    const first = await expectFewRowsRead(harness, () => rooms.reporting.credits({ limit: 6 }), 400);
    expect(first.rows).toMatchObject([
      { lineId: id(5_998), outcome: 'matched', match: { matchId: match.id, claimedError: '0.001' } },
      { lineId: id(5_996), outcome: 'returned', match: { matchId: match.id } },
      { lineId: id(5_993), outcome: 'break', breakId: id(5_993), match: undefined },
      { lineId: id(5_992), outcome: 'written_off', breakId: id(5_992) },
      { lineId: id(5_990), outcome: 'waiting', breakId: undefined },
      { lineId: id(5_988), outcome: 'waiting' },
    ]);
    const deep = { after: [addDays(FIRST_DAY, 20), id(2_001)] as const, limit: 2 };
    const page = await expectFewRowsRead(harness, () => rooms.reporting.credits(deep), 400);
    expect(page.rows.map(({ lineId }) => numberOf(lineId))).toEqual([2_000, 1_998]);
  });

  test('selects by outcome, account, day and amount', async () => {
    expect(await all({ outcomes: ['break', 'written_off'] })).toEqual([5_993, 5_992]);
    const day = addDays(FIRST_DAY, 7);
    expect(await all({ from: day, to: day })).toEqual(expected.filter((index) => Math.floor(index / 100) === 7));
    expect(await all({ minAmount: millimes(6_996) })).toEqual([5_998, 5_996]);
    expect(await all({ account: 'none' })).toEqual([]);
    const none = await expectFewRowsRead(harness, () => rooms.reporting.credits({ account: 'none', limit: 3 }), 6_000);
    expect(none.rows).toEqual([]);
    expect(none.next).toBeDefined();
  });
});
