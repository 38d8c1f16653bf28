// Goal: the days of a statement are those of its balances. The value dates of its lines may lie before, after, or on
// days of the next statement; then equal lines stay two movements, none is refused, and coverage does not grow.
// Method: MT940 whose lines have no entry date, so that only the value date is known.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { OPERATOR } from '../../../src/identity';
import { businessCalendar } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { linesInUse } from '../../../src/reconciliation';
import { bankFileOfBytes, createStatements, type ImportOutcome, openStatements } from '../../../src/statements';
import { SHIPPED_PROFILES_FILE } from '../../fixtures/statements/statement-bytes';
import { type GivenEntry, type GivenMt940, mt940 } from '../../support/bank-messages';
import { describeOnEachDatabase } from '../../support/db';
import { fixedClock } from '../../support/fakes';
import { ribOf } from '../../support/rib';
import { type TheBooks, theBooks } from './set-of-lines/the-books';

const ACCOUNT = '08003000000000000094';
const march = (day: number): string => `2026-03-${String(day).padStart(2, '0')}`;
const line = (day: number, amount: number, text: string): GivenEntry => ({ day: march(day), amount, text });

const EQUAL = line(11, 250_000, 'VIREMENT');
const FIRST: GivenMt940 = {
  account: ACCOUNT,
  opening: { amount: 1_000_000, day: march(9) },
  closing: { amount: 1_350_000, day: march(10) },
  entries: [line(9, 100_000, 'VERSEMENT'), EQUAL],
};
const SECOND: GivenMt940 = {
  account: ACCOUNT,
  opening: FIRST.closing,
  closing: { amount: 1_630_000, day: march(11) },
  entries: [line(10, 10_000, 'CARTE'), EQUAL, line(12, 20_000, 'CHEQUE')],
};
/** As a bank sorts them for a month: by the day. */
const BOTH: GivenMt940 = {
  account: ACCOUNT,
  opening: FIRST.opening,
  closing: SECOND.closing,
  entries: [...FIRST.entries, ...SECOND.entries].sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)),
};
const TRUTH = [
  '2026-03-09|100000|VERSEMENT|',
  '2026-03-10|10000|CARTE|',
  '2026-03-11|250000|VIREMENT|',
  '2026-03-11|250000|VIREMENT|',
  '2026-03-12|20000|CHEQUE|',
];

describeOnEachDatabase('lines with only a value date', (harness) => {
  let books: TheBooks;

  beforeEach(() => {
    books = theBooks(harness);
  });
  afterEach(async () => expect(await books.broken()).toEqual([]));

  const coverageOf = async (account: string): Promise<string | undefined> =>
    (await harness.database.read((session) => openStatements(session).coverage())).get(account);

  test.each([
    ['in their order', [FIRST, SECOND]],
    ['the later first', [SECOND, FIRST]],
  ])('are stored twice if two consecutive statements have equal ones, %s', async (_name, files) => {
    for (const file of files) await books.import(mt940([file]));
    expect(await books.linesOf(ACCOUNT)).toEqual(TRUTH);
    expect(await books.bankBalance(ACCOUNT)).toBe(1_630_000);
    expect(await books.openBreaks(ACCOUNT)).toEqual([]);
    expect((await books.statements.list({ limit: 100 })).rows.map(({ statement }) => statement.hold)).toEqual([
      undefined,
      undefined,
    ]);

    const month = await books.import(mt940([BOTH]));
    expect(month).toMatchObject({ statements: [{ knownEntries: 5, statement: { hold: undefined, entries: 5 } }] });
    expect(await books.linesOf(ACCOUNT)).toEqual(TRUTH);
    expect(await books.bankBalance(ACCOUNT)).toBe(1_630_000);
    expect(await books.openBreaks(ACCOUNT)).toEqual([]);
  });

  test("are known from the month's statement when the daily ones follow", async () => {
    for (const file of [BOTH, FIRST, SECOND]) await books.import(mt940([file]));
    expect(await books.linesOf(ACCOUNT)).toEqual(TRUTH);
    expect((await books.statements.list({ limit: 100 })).rows.map(({ statement }) => statement.hold)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await books.bankBalance(ACCOUNT)).toBe(1_630_000);
    expect(await books.openBreaks(ACCOUNT)).toEqual([]);
  });

  test.each([
    [
      'has other references',
      { ...BOTH, entries: BOTH.entries.map((entry, at) => ({ ...entry, reference: `R${at}` })) },
    ],
    [
      'lacks one of them and has another instead',
      { ...BOTH, entries: [line(9, 100_000, 'INCONNU'), ...BOTH.entries.slice(1)] },
    ],
  ])("are posted once if the month's statement %s, which is put on hold", async (_name, month) => {
    for (const file of [FIRST, SECOND]) await books.import(mt940([file]));
    expect(await books.import(mt940([month]))).toMatchObject({ statements: [{ statement: { hold: 'overlap' } }] });
    expect(await books.linesOf(ACCOUNT)).toEqual(TRUTH);
    expect(await books.bankBalance(ACCOUNT)).toBe(1_630_000);
    expect((await books.openBreaks(ACCOUNT)).map(({ kind }) => kind)).toEqual(['overlap']);
  });

  test('are stored twice if one file has both statements', async () => {
    await books.import(mt940([FIRST, SECOND]));
    expect(await books.linesOf(ACCOUNT)).toEqual(TRUTH);
    expect(await books.bankBalance(ACCOUNT)).toBe(1_630_000);
    expect(await books.openBreaks(ACCOUNT)).toEqual([]);
  });

  test('cover days through the closing balance only', async () => {
    await books.import(mt940([FIRST]));
    expect(await coverageOf(ACCOUNT)).toBe(march(10));
    await books.import(mt940([SECOND]));
    expect(await coverageOf(ACCOUNT)).toBe(march(11));
  });

  test('cover days without lines through the closing balance', async () => {
    const closes = (amount: number): GivenMt940['closing'] => ({ amount, day: march(20) });
    const quiet = ribOf('080030000000000000');
    await books.import(mt940([{ ...FIRST, closing: closes(1_100_000), entries: [line(9, 100_000, 'VERSEMENT')] }]));
    await books.import(mt940([{ ...FIRST, account: quiet, closing: closes(1_000_000), entries: [] }]));
    expect(await coverageOf(ACCOUNT)).toBe(march(20));
    expect(await coverageOf(quiet)).toBe(march(20));
  });

  test.each([
    ['a value date after today is imported', { value: '2060-06-14', closing: '2060-06-10' }, true],
    ['a closing balance after a weekend of holidays is imported', { value: '2060-06-10', closing: '2060-06-15' }, true],
    ['a closing balance of a later day is refused', { value: '2060-06-10', closing: '2060-06-16' }, false],
  ])('are refused on impossible days: %s', async (_name, { value, closing }, isPossible) => {
    const statements = createStatements({
      linesInUse,
      database: harness.database,
      // Long after the day on which these tests run: the later of the two clocks says what today is.
      clock: fixedClock('2060-06-10T12:00:00+01:00'),
      calendar: businessCalendar('Africa/Tunis'),
      logger: silentLogger,
      profilesFile: SHIPPED_PROFILES_FILE,
    });
    const bytes = mt940([
      {
        account: ACCOUNT,
        opening: { amount: 1_000_000, day: '2060-06-09' },
        closing: { amount: 1_100_000, day: closing },
        entries: [{ day: value, amount: 100_000, text: 'VIREMENT' }],
      },
    ]);
    const imported: Promise<ImportOutcome> = statements.import({
      file: bankFileOfBytes('bank.txt', bytes),
      actor: OPERATOR,
    });
    if (isPossible) {
      expect(await imported).toMatchObject({ kind: 'imported' });
      expect(await books.bankBalance(ACCOUNT)).toBe(1_100_000);
      expect(await coverageOf(ACCOUNT)).toBe(closing);
    } else {
      await expect(imported).rejects.toMatchObject({
        code: 'bad_input',
        details: [expect.stringContaining('closing balance')],
      });
      expect((await books.statements.list({ limit: 100 })).rows).toEqual([]);
    }
  });
});
