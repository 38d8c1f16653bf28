// Goal: a file that is read only once comes to the same as one that is read twice, and leaves nothing behind where it
// turns out that it must be read twice after all, or is refused.
// Method: the same files for one account read once from the first byte on, and for another with care; what became of each
// is compared. A file counts how often it was read.
import { afterEach, expect, test } from '@jest/globals';
import { OPERATOR } from '../../../src/identity';
import { businessCalendar } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import { bankFileOfBytes, createStatements, type BankFile, type Statements } from '../../../src/statements';
import { SHIPPED_PROFILES_FILE } from '../../fixtures/statements/statement-bytes';
import { camt053, type GivenCamt, type GivenEntry } from '../../support/bank-messages';
import { describeOnEachDatabase } from '../../support/db';
import { fixedClock } from '../../support/fakes';
import { theBooks } from './set-of-lines/the-books';

const ACCOUNTS = { eager: '08003000000000000201', careful: '08003000000000000202' } as const;
type Way = keyof typeof ACCOUNTS;
const OPENING = 1_000_000;
/** More than a batch of lines, so that some of them are written before the end is read. */
const LINES_OF_A_DAY = 700;
const TABLES = [
  ...['statement_loads', 'statement_files', 'statement_file_chunks', 'bank_statements', 'bank_statement_lines'],
  ...['statement_line_repeats', 'pending_entries', 'ledger_transactions'],
] as const;

const dayOf = (day: number): string => `2026-04-${String(day).padStart(2, '0')}`;

/** The days of one endless history: each line is the same one in every file that has its day. */
function daysOf(account: string, from: number, through: number, linesOfADay = 3): GivenCamt {
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
    account,
    id: `S-${from}-${through}`,
    balances: [
      { type: 'OPBD', amount: opening, day: dayOf(from) },
      { type: 'CLBD', amount: opening + sumOf(entries), day: dayOf(through) },
    ],
    entries,
  };
}

/** A statement in two pages that hand their balance on. */
function inPages(account: string): GivenCamt[] {
  const { balances, entries, ...rest } = daysOf(account, 1, 2);
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
function twoOfOneDay(account: string): GivenCamt[] {
  const entries = [{ day: dayOf(1), amount: 250_000, text: 'VERSEMENT' }];
  return [OPENING, OPENING + 250_000].map((opening, index) => ({
    account,
    id: `S${index}`,
    balances: [
      { type: 'OPBD', amount: opening, day: dayOf(1) },
      { type: 'CLBD', amount: opening + 250_000, day: dayOf(1) },
    ],
    entries,
  }));
}

interface Scenario {
  /** One after another. */
  readonly files: (account: string) => readonly Buffer[];
  /** How many times the last of them is read less than with care; negative when it is read in vain. */
  readonly readsSaved: number;
  readonly lines: number;
  /** Of the last file, how many were known before. */
  readonly known: readonly number[];
}

const SCENARIOS: readonly (readonly [string, Scenario])[] = [
  ['a good file', { files: (account) => [camt053([daysOf(account, 1, 3)])], readsSaved: 1, lines: 9, known: [0] }],
  [
    'a good file of many batches',
    { files: (account) => [camt053([daysOf(account, 1, 2, LINES_OF_A_DAY)])], readsSaved: 1, lines: 1_400, known: [0] },
  ],
  [
    'a file that goes on from another',
    {
      files: (account) => [camt053([daysOf(account, 1, 2)]), camt053([daysOf(account, 3, 4)])],
      readsSaved: 1,
      lines: 12,
      known: [0],
    },
  ],
  [
    'a file with a day that is known',
    {
      files: (account) => [camt053([daysOf(account, 1, 2)]), camt053([daysOf(account, 2, 4)])],
      readsSaved: -1,
      lines: 12,
      known: [3],
    },
  ],
  [
    'a file whose pages are one statement',
    { files: (account) => [camt053(inPages(account))], readsSaved: -1, lines: 6, known: [0] },
  ],
  [
    'two statements of one day',
    { files: (account) => [camt053(twoOfOneDay(account))], readsSaved: -1, lines: 2, known: [0, 0] },
  ],
  [
    'a file with a statement that is known beside a new one',
    {
      files: (account) => [
        camt053([daysOf(account, 1, 2)]),
        camt053([daysOf(account, 1, 2), daysOf(account, 3, 3)], 'OTHER'),
      ],
      readsSaved: -1,
      lines: 9,
      known: [0],
    },
  ],
];

describeOnEachDatabase('a file that is read once', (harness) => {
  const waysOf = (): Record<Way, Statements> => {
    const deps = {
      database: harness.database,
      clock: fixedClock('2026-05-04T09:00:00+01:00'),
      calendar: businessCalendar('Africa/Tunis'),
      logger: silentLogger,
      profilesFile: SHIPPED_PROFILES_FILE,
    };
    return { eager: createStatements({ ...deps, eagerBytesMin: 0 }), careful: createStatements(deps) };
  };

  afterEach(async () => expect(await theBooks(harness).broken()).toEqual([]));

  const countsOf = (): Promise<number[]> =>
    harness.database.read(async (session) => {
      const counts: number[] = [];
      for (const table of TABLES) counts.push((await session(table).select(session.fragment('1 as one'))).length);
      return counts;
    });

  /** What became of the files, and how often the last was read. */
  async function outcomeOf(way: Way, { files }: Scenario): Promise<{ became: unknown; reads: number }> {
    const account = ACCOUNTS[way];
    const statements = waysOf()[way];
    const before = await countsOf();
    let reads = 0;
    let known: readonly number[] = [];
    let told: unknown;
    for (const bytes of files(account)) {
      const file = countedFile(bytes, () => (reads += 1));
      reads = 0;
      const outcome = await statements.import({ file, actor: OPERATOR });
      if (outcome.kind !== 'imported') throw new Error('the file is new');
      known = outcome.statements.map(({ knownEntries }) => knownEntries);
      told = [outcome.warnings, outcome.duplicates.length];
    }
    const books = theBooks(harness);
    const listed = await statements.list({ account });
    const after = await countsOf();
    const became = {
      known,
      told,
      statements: listed.map(({ statement }) => ({
        ...statement,
        ...{ id: '', fileId: '', account: '', fingerprint: '' }, // their own for each account
      })),
      lines: await books.linesOf(account),
      balance: await books.bankBalance(account),
      breaks: (await books.openBreaks(account)).map(({ kind }) => kind),
      rows: after.map((count, index) => count - (before[index] ?? 0)),
    };
    return { became, reads };
  }

  test.each(SCENARIOS)('comes to the same as one that is read with care: %s', async (_name, scenario) => {
    const careful = await outcomeOf('careful', scenario);
    const eager = await outcomeOf('eager', scenario);
    expect(eager.became).toEqual(careful.became);
    expect(careful.reads - eager.reads).toBe(scenario.readsSaved);
    expect(careful.became).toMatchObject({ known: scenario.known, breaks: [] });
    expect(await theBooks(harness).linesOf(ACCOUNTS.eager)).toHaveLength(scenario.lines);
  });

  const cutOff = (account: string): Buffer => {
    const whole = camt053([daysOf(account, 1, 2, LINES_OF_A_DAY)]);
    return whole.subarray(0, whole.length - 40);
  };
  const wrongAmount = (account: string): Buffer => {
    const text = camt053([daysOf(account, 1, 2, LINES_OF_A_DAY)]).toString();
    const at = text.lastIndexOf('<Amt Ccy="TND">');
    return Buffer.from(`${text.slice(0, at)}<Amt Ccy="TND">12..3${text.slice(text.indexOf('</Amt>', at))}`);
  };
  const inTheFuture = (account: string): Buffer =>
    Buffer.from(
      camt053([daysOf(account, 1, 2, LINES_OF_A_DAY)])
        .toString()
        .replaceAll('2026-04-02', '2999-04-02'),
    );

  test.each([
    ['is cut off', cutOff],
    ['has an amount that is none, in its last line', wrongAmount],
    ['is of days to come', inTheFuture],
  ])('leaves nothing behind when it %s', async (_name, bytesOf) => {
    const refusals: unknown[] = [];
    for (const way of ['careful', 'eager'] as const) {
      const file = bankFileOfBytes('bank.xml', bytesOf(ACCOUNTS[way]));
      const refused = waysOf()[way].import({ file, actor: OPERATOR });
      refusals.push(await refused.catch((error: unknown) => error));
      expect(await countsOf()).toEqual(TABLES.map(() => 0));
    }
    const [careful, eager] = refusals;
    expect(careful).toMatchObject({ code: 'bad_input' });
    const { message, details } = careful as { message: string; details: readonly string[] };
    expect(eager).toMatchObject({ code: 'bad_input', message, details });

    // The slot is free again: the good file comes in.
    const good = bankFileOfBytes('bank.xml', camt053([daysOf(ACCOUNTS.eager, 1, 2)]));
    expect(await waysOf().eager.import({ file: good, actor: OPERATOR })).toMatchObject({ kind: 'imported' });
  });

  test('is refused when its only statement is known from another file, and leaves nothing behind', async () => {
    const { eager } = waysOf();
    const importBytes = (bytes: Buffer): Promise<unknown> =>
      eager.import({ file: bankFileOfBytes('bank.xml', bytes), actor: OPERATOR });
    await importBytes(camt053([daysOf(ACCOUNTS.eager, 1, 2, LINES_OF_A_DAY)]));
    const before = await countsOf();
    await expect(importBytes(camt053([daysOf(ACCOUNTS.eager, 1, 2, LINES_OF_A_DAY)], 'OTHER'))).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('was imported before'),
    });
    expect(await countsOf()).toEqual(before);
  });
});

/** The bytes as a file that tells each time when it is read from its beginning. */
function countedFile(bytes: Buffer, onRead: () => void): BankFile {
  const file = bankFileOfBytes('bank.xml', bytes);
  return {
    ...file,
    pieces() {
      onRead();
      return file.pieces();
    },
  };
}
