import { beforeEach, expect, test } from '@jest/globals';
import type {
  LineKey,
  LineOnStatement,
  ListedStatement,
  PendingEntry,
  PendingKey,
  StatementKey,
  StatementQuery,
} from '../../../src/statements';
import { describeOnEachDatabase } from '../../support/db';
import { idOf, rowsOfFile, type TableRow } from '../../support/statement-rows';
import { type TheBooks, theBooks } from '../statements/set-of-lines/the-books';
import { expectFewRowsRead, insertMany, walk } from './paging';

const OTHER_ACCOUNT = '10006035183598478831';
const STATEMENTS = 3_000;
const LINES = 250;

const FILE = new Map(rowsOfFile('F', 'posted'));
const rowOf = (table: string): TableRow => FILE.get(table) ?? {};
const id = (prefix: string, index: number): string => `${prefix}${String(index).padStart(25, '0')}`;

/** Of ten statements one is of another account. The first two wait for a person. */
const statements = Array.from({ length: STATEMENTS }, (_, index) => ({
  ...rowOf('bank_statements'),
  id: id('S', index),
  position: index,
  verdict: index < 2 ? 'no-proof' : 'ok',
  pending_entries: index >= STATEMENTS - 20 ? 1 : 0,
  ...(index % 10 === 9 ? { account: OTHER_ACCOUNT } : {}),
}));
/** The lines of the first statement, and every fifth of them also on the second one, which has four of its own. */
const lines = Array.from({ length: LINES + 4 }, (_, index) => ({
  ...rowOf('bank_statement_lines'),
  id: id('L', index),
  statement_id: id('S', index < LINES ? 0 : 1),
  position: index < LINES ? index : 1 + (index - LINES) * 20,
  identity: String(index).padStart(64, '0'),
}));
const repeats = Array.from({ length: LINES / 5 }, (_, index) => ({
  ...{ statement_id: id('S', 1), position: 2 + index * 2, line_id: id('L', index * 5) },
}));
/** The last announcing report of each account has three entries, of which a line booked the second. */
const pending = [STATEMENTS - 1, STATEMENTS - 2, STATEMENTS - 3].flatMap((report) =>
  [1, 2, 3].map((position) => ({
    ...rowOf('pending_entries'),
    ...{ id: id('P', report * 10 + position), statement_id: id('S', report), position },
    account: report % 10 === 9 ? OTHER_ACCOUNT : String(rowOf('bank_statements')['account']),
  })),
);
const replacements = pending
  .filter(({ position }) => position === 2)
  .map((entry) => ({ pending_id: entry.id, line_id: id('L', 0), replaced_at: 1 }));

describeOnEachDatabase('the lists of statements', (harness) => {
  let books: TheBooks;
  beforeEach(async () => {
    books = theBooks(harness);
    await harness.database.transact(async (session) => {
      await session('statement_files').insert(rowOf('statement_files'));
      await session('statement_loads').insert(rowOf('statement_loads'));
      await insertMany(session, 'bank_statements', statements);
      await insertMany(session, 'bank_statement_lines', lines);
      await insertMany(session, 'statement_line_repeats', repeats);
      await insertMany(session, 'pending_entries', pending);
      await insertMany(session, 'pending_replacements', replacements);
    });
  });

  const indexes = (found: readonly ListedStatement[]): number[] =>
    found.map(({ statement }) => Number(statement.id.slice(1)));
  const all = async (query: Partial<StatementQuery>): Promise<number[]> =>
    indexes(
      await walk<ListedStatement, StatementKey>(200, (after, limit) =>
        books.statements.list({ ...query, after, limit }),
      ),
    );

  test('have pages of statements, newest first', async () => {
    expect(await all({})).toEqual(statements.map((_, index) => STATEMENTS - 1 - index));
    const first = await expectFewRowsRead(harness, () => books.statements.list({ limit: 3 }), 100);
    expect(indexes(first.rows)).toEqual([2_999, 2_998, 2_997]);
    const { next: after } = first;
    const second = await expectFewRowsRead(harness, () => books.statements.list({ limit: 3, after }), 100);
    expect(indexes(second.rows)).toEqual([2_996, 2_995, 2_994]);
  });

  test('select the statements that wait and those of an account, with at most 2,000 examined for a page', async () => {
    expect(await all({ waiting: true })).toEqual([1, 0]);
    expect(await all({ account: OTHER_ACCOUNT })).toEqual(
      statements.flatMap((_, index) => (index % 10 === 9 ? [index] : [])).reverse(),
    );
    // For each of them: its file's load, its hold, and whether a person accepted or excluded it.
    const work = () => books.statements.list({ waiting: true, limit: 3 });
    const page = await expectFewRowsRead(harness, work, 2_000 * 6);
    expect(page).toEqual({ rows: [], next: [id('S', 1_000)] });
  });

  test('have pages of lines in the order of the bank, also of those that another statement brought', async () => {
    const positions = async (statementId: string): Promise<number[]> =>
      (
        await walk<LineOnStatement, LineKey>(7, (after, limit) => books.statements.lines(statementId, { after, limit }))
      ).map(({ position }) => position);
    expect(await positions(id('S', 0))).toEqual(Array.from({ length: LINES }, (_, index) => index));
    const expected = [...repeats.map(({ position }) => position), 1, 21, 41, 61].sort((a, b) => a - b);
    expect(await positions(id('S', 1))).toEqual(expected);
    const work = () => books.statements.lines(id('S', 0), { after: [100], limit: 3 });
    const page = await expectFewRowsRead(harness, work, 60);
    expect(page).toMatchObject({ rows: [{ position: 101, known: false }, {}, {}], next: [103] });
    await expect(books.statements.lines(idOf('none'), { limit: 1 })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('have pages of announced entries by account, without those that are booked', async () => {
    const walked = await walk<PendingEntry, PendingKey>(1, (after, limit) =>
      books.statements.pending({ after, limit }),
    );
    const [ours, other] = [(STATEMENTS - 2) * 10, (STATEMENTS - 1) * 10];
    expect(walked.map(({ id: each }) => each)).toEqual([
      ...[id('P', ours + 1), id('P', ours + 3), id('P', other + 1), id('P', other + 3)],
    ]);
    const ofAccount = await books.statements.pending({ account: OTHER_ACCOUNT, limit: 9 });
    expect(ofAccount.rows).toMatchObject([{ position: 1 }, { position: 3 }]);
  });

  test('find one statement, and refuse an unknown id', async () => {
    expect((await books.statements.find(id('S', 7))).statement.id).toBe(id('S', 7));
    await expect(books.statements.find(idOf('none'))).rejects.toMatchObject({ code: 'not_found' });
  });
});
