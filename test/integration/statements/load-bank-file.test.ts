// Goal: the lines of a file are stored once, whatever is stored of its days, and a refused file stores nothing.
// Method: files of one account's history, imported one after another; the test counts the stored rows.
import { afterEach, expect, test } from '@jest/globals';
import { OPERATOR } from '../../../src/identity';
import { businessCalendar } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { linesInUse } from '../../../src/reconciliation';
import { bankFileOfBytes, createStatements, type ImportOutcome, type Statements } from '../../../src/statements';
import { SHIPPED_PROFILES_FILE } from '../../fixtures/statements/statement-bytes';
import { camt053, type GivenCamt, type GivenEntry } from '../../support/bank-messages';
import { describeOnEachDatabase } from '../../support/db';
import { fixedClock } from '../../support/fakes';
import { theBooks } from './set-of-lines/the-books';

const ACCOUNT = '08003000000000000201';
const OPENING = 1_000_000;
/** More than a batch of lines, so that some of them are written before the end is read. */
const LINES_OF_A_DAY = 700;
const TABLES = [
  ...['statement_loads', 'statement_files', 'statement_file_chunks', 'bank_statements', 'bank_statement_lines'],
  ...['statement_line_repeats', 'pending_entries', 'ledger_transactions'],
] as const;

const dayOf = (day: number): string => `2026-04-${String(day).padStart(2, '0')}`;

/** The days of one endless history: each line is the same one in every file that has its day. */
function daysOf(from: number, through: number, linesOfADay = 3): GivenCamt {
  const ofDay = (day: number): GivenEntry[] =>
    Array.from({ length: linesOfADay }, (_, index) => ({
      day: dayOf(day),
      amount: index % 3 === 2 ? -(500 + index) : 1_000 + index,
      text: `VIREMENT ${index % 2}`,
      ...(index % 2 === 0 ? { reference: `R${day}-${index}` } : {}),
    }));
  const sumOf = (entries: readonly GivenEntry[]): number => entries.reduce((sum, { amount }) => sum + amount, 0);
  const days = Array.from({ length: through }, (_, index) => index + 1);
  const before = days.filter((day) => day < from).flatMap(ofDay);
  const entries = days.filter((day) => day >= from).flatMap(ofDay);
  const opening = OPENING + sumOf(before);
  return {
    account: ACCOUNT,
    id: `S-${from}-${through}`,
    balances: [
      { type: 'OPBD', amount: opening, day: dayOf(from) },
      { type: 'CLBD', amount: opening + sumOf(entries), day: dayOf(through) },
    ],
    entries,
  };
}

/** A statement in two pages that hand their balance on. */
function inPages(): GivenCamt[] {
  const { balances, entries, ...rest } = daysOf(1, 2);
  const [opening, closing] = balances;
  if (opening === undefined || closing === undefined) throw new Error('a statement has two balances');
  const [first, second] = [entries.slice(0, 4), entries.slice(4)];
  const between = {
    type: 'ITBD',
    amount: first.reduce((sum, { amount }) => sum + amount, opening.amount),
    day: dayOf(2),
  };
  return [
    { ...rest, page: { number: 1, last: false }, balances: [opening, between], entries: first },
    { ...rest, page: { number: 2, last: true }, balances: [between, closing], entries: second },
  ];
}

/** Two statements of one day, with an equal line each, of which the second goes on from the first. */
function twoOfOneDay(): GivenCamt[] {
  const entries = [{ day: dayOf(1), amount: 250_000, text: 'VERSEMENT' }];
  return [OPENING, OPENING + 250_000].map((opening, index) => ({
    account: ACCOUNT,
    id: `S${index}`,
    balances: [
      { type: 'OPBD', amount: opening, day: dayOf(1) },
      { type: 'CLBD', amount: opening + 250_000, day: dayOf(1) },
    ],
    entries,
  }));
}

interface Scenario {
  /** Imported one after another. */
  readonly files: readonly Buffer[];
  /** Of the account, in the end. */
  readonly lines: number;
  /** Of each statement of the last file: how many of its lines were known before. */
  readonly known: readonly number[];
}

const SCENARIOS: readonly (readonly [string, Scenario])[] = [
  ['a good file', { files: [camt053([daysOf(1, 3)])], lines: 9, known: [0] }],
  ['a good file of many batches', { files: [camt053([daysOf(1, 2, LINES_OF_A_DAY)])], lines: 1_400, known: [0] }],
  [
    'a file that continues another',
    { files: [camt053([daysOf(1, 2)]), camt053([daysOf(3, 4)])], lines: 12, known: [0] },
  ],
  [
    'a file with a day that is known',
    { files: [camt053([daysOf(1, 2)]), camt053([daysOf(2, 4)])], lines: 12, known: [3] },
  ],
  ['a file whose pages are one statement', { files: [camt053(inPages())], lines: 6, known: [0] }],
  ['two statements of one day', { files: [camt053(twoOfOneDay())], lines: 2, known: [0, 0] }],
  [
    'a file with a known statement beside a new one',
    { files: [camt053([daysOf(1, 2)]), camt053([daysOf(1, 2), daysOf(3, 3)], 'OTHER')], lines: 9, known: [0] },
  ],
];

describeOnEachDatabase('the load of a bank file', (harness) => {
  const statements = (): Statements =>
    createStatements({
      linesInUse,
      database: harness.database,
      clock: fixedClock('2026-05-04T09:00:00+01:00'),
      calendar: businessCalendar('Africa/Tunis'),
      logger: silentLogger,
      profilesFile: SHIPPED_PROFILES_FILE,
    });
  const importBytes = (bytes: Buffer): Promise<ImportOutcome> =>
    statements().import({ file: bankFileOfBytes('bank.xml', bytes), actor: OPERATOR });

  afterEach(async () => expect(await theBooks(harness).broken()).toEqual([]));

  const countsOf = (): Promise<number[]> =>
    harness.database.read(async (session) => {
      const counts: number[] = [];
      for (const table of TABLES) counts.push((await session(table).select(session.fragment('1 as one'))).length);
      return counts;
    });

  test.each(SCENARIOS)('stores each line once: %s', async (_name, { files, lines, known }) => {
    let last: ImportOutcome | undefined;
    for (const bytes of files) last = await importBytes(bytes);
    if (last?.kind !== 'imported') throw new Error('the file is new');
    expect(last.statements.map(({ knownEntries }) => knownEntries)).toEqual(known);
    expect(last.warnings).toEqual([]);
    const books = theBooks(harness);
    expect(await books.openBreaks(ACCOUNT)).toEqual([]);
    expect(await books.linesOf(ACCOUNT)).toHaveLength(lines);
  });

  const truncated = (): Buffer => {
    const whole = camt053([daysOf(1, 2, LINES_OF_A_DAY)]);
    return whole.subarray(0, whole.length - 40);
  };
  const wrongAmount = (): Buffer => {
    const text = camt053([daysOf(1, 2, LINES_OF_A_DAY)]).toString();
    const at = text.lastIndexOf('<Amt Ccy="TND">');
    return Buffer.from(`${text.slice(0, at)}<Amt Ccy="TND">12..3${text.slice(text.indexOf('</Amt>', at))}`);
  };
  const inTheFuture = (): Buffer =>
    Buffer.from(
      camt053([daysOf(1, 2, LINES_OF_A_DAY)])
        .toString()
        .replaceAll('2026-04-02', '2999-04-02'),
    );

  test.each([
    ['is truncated', truncated],
    ['has no valid amount in its last line', wrongAmount],
    ['has lines of days to come', inTheFuture],
  ])('leaves no row if the file %s', async (_name, bytesOf) => {
    await expect(importBytes(bytesOf())).rejects.toMatchObject({ code: 'bad_input' });
    expect(await countsOf()).toEqual(TABLES.map(() => 0));
    // The slot is free again.
    expect(await importBytes(camt053([daysOf(1, 2)]))).toMatchObject({ kind: 'imported' });
  });

  test('refuses a file whose only statement is stored from another file, and leaves no row', async () => {
    await importBytes(camt053([daysOf(1, 2, LINES_OF_A_DAY)]));
    const before = await countsOf();
    await expect(importBytes(camt053([daysOf(1, 2, LINES_OF_A_DAY)], 'OTHER'))).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('were imported before'),
    });
    expect(await countsOf()).toEqual(before);
  });
});
