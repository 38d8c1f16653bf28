// Goal: a write-off moves its account the right way: for each class and direction, of items and of bank lines.
// Method: money in the clearing and unmatched lines of the bank; each write-off is posted and rolled back on its own.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { BREAK_CLASSES, type BreakClass, type Direction, DIRECTIONS, type NewBreak } from '../../../src/breaks';
import { writeOffHandler } from '../../../src/breaks/testing';
import { rowsOf } from '../../../src/db';
import { isAppError, millimes } from '../../../src/kernel';
import { type Account, BANK_UNMATCHED, gatewayClearing, openLedger, WRITE_OFF } from '../../../src/ledger';
import { describeOnEachDatabase } from '../../support/db';
import { giveBack, receive } from '../ledger/gateway-money';
import { openRooms, type Rooms } from '../ledger/rooms';
import { aBreak, LEILA, OMAR, type WorkflowBench, workflowBench } from './workflow-bench';

const CARD = gatewayClearing('card');
const WALLET = gatewayClearing('wallet');
const SIZE = 3_000;

/** What the rows of a break brought, and how its account moves in each direction; undefined: nothing may be posted. */
const CASES: readonly {
  readonly rows: string;
  readonly account: Account;
  readonly moves: Readonly<Record<Direction, number | undefined>>;
}[] = [
  {
    rows: 'payment',
    account: CARD,
    moves: { books_have_more: -SIZE, bank_has_more: SIZE, may_have_moved: -SIZE, unknown: -SIZE },
  },
  {
    rows: 'refund',
    account: WALLET,
    moves: { books_have_more: -SIZE, bank_has_more: SIZE, may_have_moved: SIZE, unknown: SIZE },
  },
  {
    rows: 'credit',
    account: BANK_UNMATCHED,
    moves: { books_have_more: undefined, bank_has_more: SIZE, may_have_moved: SIZE, unknown: SIZE },
  },
  {
    rows: 'debit',
    account: BANK_UNMATCHED,
    moves: { books_have_more: -SIZE, bank_has_more: undefined, may_have_moved: -SIZE, unknown: -SIZE },
  },
];

describeOnEachDatabase('a write-off, by the direction of its break', (harness) => {
  let bench: WorkflowBench;
  let rooms: Rooms;

  beforeEach(async () => {
    bench = workflowBench(harness.database);
    rooms = openRooms(harness.database, '2026-03-02T09:00:00+01:00');
    await rooms.importStatement([
      ['03/03/2026', 'VERSEMENT', 80_000],
      ['03/03/2026', 'FRAIS', -5_000],
    ]);
    await receive(harness.database, { id: 'P1', channel: 'card', amount: 10_000 }, bench.clock.now());
    const of = { id: 'P2', channel: 'wallet', amount: 9_000 } as const;
    await receive(harness.database, of, bench.clock.now());
    await giveBack(harness.database, { id: 'R2', of, amount: 9_000 }, bench.clock.now());
  });

  afterEach(async () => {
    expect(await rooms.reporting.verifyBooks()).toEqual([]);
  });

  async function subjectOf(rows: string): Promise<NewBreak['subject']> {
    if (rows === 'payment') return { itemIds: ['payment:P1'], lineIds: [], facts: {} };
    if (rows === 'refund') return { itemIds: ['refund:R2'], lineIds: [], facts: {} };
    const found = await harness.database.read((session) =>
      rowsOf(session('bank_statement_lines as l').select('l.id', 'l.amount_minor')),
    );
    const line = found.find((each) => Number(each['amount_minor']) > 0 === (rows === 'credit'));
    return { itemIds: [], lineIds: [String(line?.['id'])], facts: {} };
  }

  /** The movements of the account and of the write-offs; undefined if nothing may be posted. */
  async function movedBy(given: NewBreak, account: Account): Promise<readonly number[] | undefined> {
    const id = await bench.open(given);
    const { breakView: reconBreak } = await bench.workflow.show(id);
    const at = bench.clock.now();
    const proposal = {
      ...{ id, subject: `break:${id}`, breakId: id, reason: 'x', proposedBy: LEILA.name, proposedAt: at },
      ...{ action: { kind: 'write_off', payload: {} }, decision: undefined, reconBreak },
    };
    try {
      return await harness.database.transact(
        async (session) => {
          const ledger = openLedger(session);
          const sums = async (): Promise<number[]> =>
            [await ledger.sumOf(account), await ledger.sumOf(WRITE_OFF)].map(Number);
          const [before = 0, writtenOff = 0] = await sums();
          await writeOffHandler()(session, proposal, OMAR, at);
          const [after = 0, andNow = 0] = await sums();
          return [after - before, andNow - writtenOff];
        },
        { dryRun: true },
      );
    } catch (error) {
      if (isAppError(error, 'conflict')) return undefined;
      throw error;
    }
  }

  test.each(CASES)('moves the account of a $rows for every class', async ({ rows, account, moves }) => {
    const subject = await subjectOf(rows);
    for (const [index, breakClass] of BREAK_CLASSES.entries()) {
      for (const direction of DIRECTIONS) {
        // The sign of the amount is that of its finder, and must not matter.
        const amount = millimes(index % 2 === 0 ? SIZE : -SIZE);
        const given = aBreak(`${breakClass}:${direction}`, { breakClass, direction, amount, subject });
        const moved = moves[direction];
        const expected = moved === undefined ? undefined : [moved, -moved];
        expect([breakClass, direction, await movedBy(given, account)]).toEqual([breakClass, direction, expected]);
      }
    }
  });

  /** The directions that the finders give, in the sign of the amount that they store. */
  test.each<[BreakClass, number, Direction, string, Account, number]>([
    ['missing_in_bank', SIZE, 'books_have_more', 'payment', CARD, -SIZE],
    ['missing_in_bank', -SIZE, 'bank_has_more', 'refund', WALLET, SIZE],
    ['missing_in_book', SIZE, 'bank_has_more', 'credit', BANK_UNMATCHED, SIZE],
    // Bank less ledger: version 0.1.0 posted a loss.
    ['amount_differs', SIZE, 'bank_has_more', 'payment', CARD, SIZE],
    ['refund_not_reflected', -SIZE, 'bank_has_more', 'refund', WALLET, SIZE],
    ['refund_not_reflected', SIZE, 'bank_has_more', 'payment', CARD, SIZE],
    ['refund_not_reflected', SIZE, 'books_have_more', 'payment', CARD, -SIZE],
  ])(
    'brings ledger and bank together for %s of %i, %s',
    async (breakClass, amount, direction, rows, account, moved) => {
      const given = aBreak('found', {
        breakClass,
        direction,
        amount: millimes(amount),
        subject: await subjectOf(rows),
      });
      expect(await movedBy(given, account)).toEqual([moved, -moved]);
    },
  );
});
