// Goal: an interrupted run that the next one continues ends in the state of an uninterrupted one; its stored results
// remain if the facts have changed by then.
// Method: worlds in both databases, reconciled and stopped after a number of the run's transactions. The resulting
// books are compared with those of a whole run, by the names of the world. Each run is repeated.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { scenarioNamed } from '../../../scripts/evaluate/score/make-world';
import type { World } from '../../../scripts/evaluate/world';
import { type Database, type Row, rowsOf } from '../../../src/db';
import { AppError, businessDate } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { inferPayouts } from '../../../src/payout-inference';
import { createReconciliation, type Reconciliation, type ReconciliationResult } from '../../../src/reconciliation';
import { describeOnEachDatabase } from '../../support/db';
import { TESTER } from '../../support/factories';
import { sized } from '../../support/faults';
import { sweepBySums } from '../../support/sweep-by-sums';
import { openRooms, PAYOUT_TEXT, type Rooms } from '../ledger/rooms';
import { contents } from '../ledger/row-counts';
import { putWorld } from './put-world';

const LIMIT_MS = 60_000;
const WORLDS = sized({
  short: [
    { scenario: 'tiny-shop', seed: 1, items: 200, cuts: [26] },
    { scenario: 'fees-learned', seed: 1, items: 250, cuts: [14] },
  ],
  full: [
    { scenario: 'tiny-shop', seed: 1, items: 200, cuts: [26] },
    { scenario: 'tiny-shop', seed: 3, items: 200, cuts: [24] },
    { scenario: 'fees-learned', seed: 1, items: 250, cuts: [1, 14] },
    { scenario: 'everything', seed: 1, items: 250, cuts: [12] },
  ],
});
const OUR_ID = /[0-9A-HJKMNP-TV-Z]{26}/g;
/** What differs between two runs that do the same. */
const OF_THE_RUN = ['run_id', 'recorded_at', 'recorded_by', 'ledger_transaction_id'];
/** Of what a run knew: the ids of this database are in the digests. */
const OF_ITS_IDS = ['known_until', 'request_digest', 'answer_digest'];
const BY_TESTER = { actor: TESTER, dryRun: false };

interface Books {
  readonly database: Database;
  readonly rooms: Rooms;
  readonly infer: typeof inferPayouts;
  readonly through: string;
}

/** Runs with each payout in a transaction of its own; the signal is given once so many transactions are stored. */
function reconciliationOf({ database, rooms, infer }: Books, cut?: { after: number; leave(): void }): Reconciliation {
  let stored = 0;
  const counting: Database = {
    ...database,
    transact: async (work, options) => {
      const result = await database.transact(work, options);
      stored += 1;
      if (stored === cut?.after) cut.leave();
      return result;
    },
  };
  const { clock, calendar, workingDays } = rooms;
  const deps = { database: counting, clock, calendar, workingDays, logger: silentLogger };
  return createReconciliation({ ...deps, infer, itemsPerTransaction: 1 });
}

async function cutAfter(books: Books, after: number): Promise<void> {
  const leave = new AbortController();
  const cut = { after, leave: () => leave.abort(new AppError('interrupted', 'the process stops')) };
  const through = businessDate(books.through);
  const run = reconciliationOf(books, cut).run({ ...BY_TESTER, through, signal: leave.signal });
  await expect(run).rejects.toMatchObject({ code: 'interrupted' });
}

function run(books: Books): Promise<ReconciliationResult> {
  return reconciliationOf(books).run({ ...BY_TESTER, through: businessDate(books.through) });
}

function rowsIn({ database }: Books, table: string): Promise<readonly Row[]> {
  return database.read((session) => rowsOf(session(table).select('*')));
}

async function expectToBeRepeated(books: Books): Promise<void> {
  const reconciliation = reconciliationOf(books);
  for (const { id } of (await reconciliation.runs({ limit: 10 })).rows) {
    expect(await reconciliation.replay(id)).toMatchObject({ isSame: true, differsIn: [] });
  }
}

/** A run continues the one that was cut, and the run after it has nothing to do. */
async function expectToSettle(books: Books): Promise<ReconciliationResult> {
  const result = await run(books);
  const before = await contents(books.database);
  expect(await run(books)).toEqual(result);
  expect(await contents(books.database)).toEqual(before);
  await expectToBeRepeated(books);
  return result;
}

interface NamedBooks extends Books {
  readonly lineNames: ReadonlyMap<string, string>;
}

async function put(database: Database, world: World): Promise<NamedBooks> {
  const rooms = openRooms(database, '2026-01-01T00:00:00+01:00', inferPayouts);
  const lineNames = await putWorld(database, rooms, world);
  return { database, rooms, infer: inferPayouts, lineNames, through: world.files.lines.at(-1)?.bookingDate ?? '' };
}

/** What the books hold, and what the run says, with the world's names in the place of our ids. */
async function stateOf(books: NamedBooks, result: ReconciliationResult): Promise<unknown> {
  const matches = await rowsIn(books, 'payout_matches');
  const lineOf = new Map(matches.map((row) => [String(row['id']), String(row['line_id'])]));
  const named = (text: string): string =>
    text.replaceAll(OUR_ID, (id) => books.lineNames.get(lineOf.get(id) ?? id) ?? 'an id of ours');
  const texts = (rows: readonly Row[]): readonly string[] =>
    rows
      .map((row) =>
        JSON.stringify(Object.entries(row).filter(([column]) => ![...OF_THE_RUN, ...OF_ITS_IDS].includes(column))),
      )
      .map(named)
      .sort();
  const tables = ['payout_match_items', 'payout_match_returns', 'payout_claimed_items', 'payout_claimed_lines'];
  const others = ['ledger_balances', 'recon_breaks', 'payout_fee_schedules', 'gateway_item_fees', 'recon_run_inputs'];
  const stored = await Promise.all([...tables, ...others].map((table) => rowsIn(books, table)));
  return { result: named(JSON.stringify(result)), matches: texts(matches), stored: stored.map(texts) };
}

describeOnEachDatabase('an interrupted run', (harness) => {
  test.each(WORLDS)(
    'in the world $scenario $seed continues to the same end as an uninterrupted run',
    async ({ scenario, seed, items, cuts }) => {
      const found = scenarioNamed(scenario);
      if (found === undefined) throw new Error(`there is no scenario ${scenario}`);
      const world = found.generate(seed, { items, days: found.size.days });
      const whole = await put(harness.database, world);
      const expected = await stateOf(whole, await run(whole));
      for (const after of cuts) {
        const cut = await put((await harness.fresh()).open(), world);
        await cutAfter(cut, after);
        expect(await stateOf(cut, await run(cut))).toEqual(expected);
        await expectToBeRepeated(cut);
      }
    },
    LIMIT_MS,
  );
});

describeOnEachDatabase('a stored match of an interrupted run', (harness) => {
  let books: Books;

  beforeEach(async () => {
    const infer = sweepBySums();
    const rooms = openRooms(harness.database, '2026-03-02T08:00:00+01:00', infer);
    books = { database: harness.database, rooms, infer, through: '2026-03-06' };
    await rooms.importAgents('A1');
    for (const [index, day] of ['02', '03', '04'].entries()) {
      const call = { transactionId: `T${day}`, agentId: 'A1', amount: 10_000 + index };
      await rooms.confirm(call, `2026-03-${day}T09:00:00+01:00`);
    }
    await rooms.importStatement([
      ['03/03/2026', PAYOUT_TEXT, 10_000],
      ['04/03/2026', PAYOUT_TEXT, 10_001],
      ['05/03/2026', PAYOUT_TEXT, 10_002],
    ]);
    rooms.clock.set('2026-03-06T18:00:00+01:00');
    // The fees, and the first match.
    await cutAfter(books, 2);
    rooms.clock.advance(60_000);
  });

  afterEach(async () => expect(await books.rooms.reporting.verifyBooks()).toEqual([]));

  const outcomes = ({ credits }: ReconciliationResult): string[] => credits.map(({ outcome }) => outcome);

  test('stays if the whole would no longer be matched so', async () => {
    // Another credit of as much: by itself the first could not be told from it.
    await books.rooms.importStatement([['05/03/2026', PAYOUT_TEXT, 10_000]]);
    const [stored] = await rowsIn(books, 'payout_matches');
    const result = await expectToSettle(books);
    expect(outcomes(result)).toEqual(['resolved', 'resolved', 'resolved', 'unexplained']);
    expect(result.credits[0]?.line_id).toBe(stored?.['line_id']);
    expect(await rowsIn(books, 'payout_matches')).toContainEqual(stored);
  });

  test('is reversed if the bank took the credit back meanwhile', async () => {
    await books.rooms.importStatement([['05/03/2026', `RETOUR ${PAYOUT_TEXT}`, -10_000]]);
    const result = await expectToSettle(books);
    expect(outcomes(result)[0]).toBe('unexplained');
    expect(await rowsIn(books, 'payout_unmatches')).toMatchObject([{ kind: 'returned' }]);
  });

  test('is left for manual review if a person unmatched it meanwhile', async () => {
    const lineId = String((await rowsIn(books, 'payout_matches'))[0]?.['line_id']);
    await books.rooms.reconciliation.unmatch({ ...BY_TESTER, lineId, reason: 'the bank says so' });
    expect(outcomes(await expectToSettle(books))).toEqual(['ambiguous', 'resolved', 'resolved']);
  });

  test('is history for a run of an earlier day and for the runs after it', async () => {
    const earlier = { ...books, through: '2026-03-02' };
    expect((await expectToSettle(earlier)).credits).toEqual([]);
    // With the fees: it learns none of no credit.
    expect(await rowsIn(books, 'recon_run_inputs')).toMatchObject([{ fees: '[]', fees_confirmed: 0 }]);
    expect(outcomes(await expectToSettle(books))).toEqual(['resolved', 'resolved', 'resolved']);
  });

  test('leaves the learned fees if a person confirmed them meanwhile', async () => {
    await books.rooms.reconciliation.confirmFees({ ...BY_TESTER, reason: 'the contract says so' });
    expect(outcomes(await expectToSettle(books))).toEqual(['resolved', 'resolved', 'resolved']);
    expect((await books.rooms.reconciliation.feeSchedules({ limit: 10 })).rows).toMatchObject([
      { confirmedBy: TESTER.name },
    ]);
    expect(await rowsIn(books, 'recon_run_inputs')).toMatchObject([{ fees: '[]', fees_confirmed: 1 }]);
  });
});
