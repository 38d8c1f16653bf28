// Goal: a bank file is imported once and whole, or not at all, for repeated, concurrent and unordered imports.
// Method: the room on both databases, with exports built in the shipped profile's format; after each test every
// invariant of the books holds.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createBreaks } from '../../../src/breaks';
import { rowsOf } from '../../../src/db';
import { type Actor, OPERATOR } from '../../../src/identity';
import { AppError, businessCalendar, businessDate, noticeLine } from '../../../src/kernel';
import { type Account, BANK_UNMATCHED, bankAccount, OPENING_BALANCES, openLedger } from '../../../src/ledger';
import { silentLogger } from '../../../src/logging';
import { linesInUse } from '../../../src/reconciliation';
import { brokenInvariants } from '../../../src/reporting/testing';
import {
  bankFileOfBytes,
  createStatements,
  type ImportOutcome,
  type ListedStatement,
  openStatements,
  type Statements,
} from '../../../src/statements';
import {
  type LineGiven,
  LINES,
  SHIPPED_PROFILES_FILE,
  statementBytes,
  type StatementGiven,
  statementText,
  windows1252,
} from '../../fixtures/statements/statement-bytes';
import { describeOnEachDatabase } from '../../support/db';
import { fixedClock } from '../../support/fakes';
import { ribOf } from '../../support/rib';

const ACCOUNT = '11222333333333333344';
const TABLES = [
  'statement_files',
  'statement_file_chunks',
  'bank_statements',
  'bank_statement_lines',
  'ledger_transactions',
  'postings',
];
const CLOSING = 2_028_120;
const LINES_SUM = CLOSING - 1_000_000;

describeOnEachDatabase('importStatementFile', (harness) => {
  const clock = fixedClock('2026-05-04T09:00:00+01:00');
  let statements: Statements;

  beforeEach(() => {
    clock.set('2026-05-04T09:00:00+01:00');
    statements = createStatements({
      linesInUse,
      database: harness.database,
      clock,
      calendar: businessCalendar('Africa/Tunis'),
      logger: silentLogger,
      profilesFile: SHIPPED_PROFILES_FILE,
    });
  });

  const importBytes = (bytes: Uint8Array): Promise<ImportOutcome> =>
    statements.import({ file: bankFileOfBytes('/somewhere/bank.csv', bytes), actor: OPERATOR });
  const importText = (text: string): Promise<ImportOutcome> => importBytes(windows1252(text));
  const importGiven = (given: StatementGiven = {}): Promise<ImportOutcome> => importBytes(statementBytes(given));

  afterEach(async () => expect(await harness.database.read(brokenInvariants)).toEqual([]));

  /** The only statement that was imported. */
  async function only(work: Promise<ImportOutcome>): Promise<ListedStatement> {
    const outcome = await work;
    if (outcome.kind !== 'imported') throw new Error('the file is new');
    const [listed, ...others] = outcome.statements;
    if (listed === undefined || others.length > 0) throw new Error('there is one statement');
    return listed;
  }

  const warningsOf = async (work: Promise<ImportOutcome>): Promise<readonly string[]> => {
    const outcome = await work;
    return outcome.kind === 'imported' ? outcome.warnings.map(noticeLine) : [];
  };

  /** The breaks of class statement_gap, as [status, kind]. */
  const gaps = async (): Promise<unknown[]> =>
    (await createBreaks(harness).list({ classes: ['statement_gap'], includeResolved: true })).map(
      ({ status, subject }) => [status, subject.facts['kind']],
    );

  async function refusal(work: Promise<unknown>): Promise<string> {
    const error: unknown = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: 'bad_input' });
    return error instanceof AppError ? [error.message, ...error.details].join('\n') : '';
  }

  function rowCounts(): Promise<Record<string, number>> {
    return harness.database.read(async (session) => {
      const counts: Record<string, number> = {};
      for (const table of TABLES) {
        const [row] = await rowsOf(session(table).count('* as n'));
        counts[table] = Number(row?.['n']);
      }
      return counts;
    });
  }

  const sumOf = async (account: Account): Promise<number> =>
    Number(await harness.database.read((session) => openLedger(session).sumOf(account)));

  test('posts each line, so that the bank account equals the closing balance', async () => {
    const outcome = await importGiven();
    expect(outcome).toMatchObject({
      kind: 'imported',
      file: { name: 'bank.csv', profile: 'releve-fr-tn', importedBy: 'cli' },
      statements: [
        {
          statement: {
            account: ACCOUNT,
            position: 1,
            verdict: 'ok',
            hold: undefined,
            openingMinor: 1_000_000,
            closingMinor: CLOSING,
            creditsMinor: 1_330_500,
            debitsMinor: 302_380,
            entries: 5,
            firstDate: '2026-04-02',
            lastDate: '2026-04-06',
          },
          acceptance: undefined,
          knownEntries: 0,
        },
      ],
    });
    expect(await sumOf(bankAccount(ACCOUNT))).toBe(CLOSING);
    expect(await sumOf(BANK_UNMATCHED)).toBe(-LINES_SUM);
    expect(await sumOf(OPENING_BALANCES)).toBe(-1_000_000);
    expect(await rowCounts()).toMatchObject({ bank_statement_lines: 5, ledger_transactions: 6, postings: 6 });
  });

  test('dates a posting by the start of its booking date in Tunis, and stores when it was written', async () => {
    await importGiven();
    const [line] = await harness.database.read((session) =>
      openStatements(session).payoutCandidates({ through: businessDate('2026-04-30') }),
    );
    const found = await harness.database.read((session) => openLedger(session).find(`line:${line?.lineId}`));
    expect(found).toMatchObject({
      code: 'statement_line',
      occurredAt: Date.parse('2026-04-02T00:00:00+01:00'),
      recordedAt: Date.parse('2026-05-04T09:00:00+01:00'),
      recordedBy: 'statements',
      postings: [{ debit: `bank:${ACCOUNT}`, credit: 'bank_unmatched', amount: 1_250_500 }],
    });
    const opening = await harness.database.read((session) => openLedger(session).find(`opening:${ACCOUNT}`));
    expect(opening).toMatchObject({ code: 'opening_balance', occurredAt: Date.parse('2026-04-02T00:00:00+01:00') });
  });

  test('posts an overdraft in the other direction, and posts no opening balance or line of 0', async () => {
    await importGiven({
      account: '1',
      opening: -7_000,
      lines: [
        ['02/04/2026', 'X', -1_000],
        ['02/04/2026', 'INFO', 0],
      ],
    });
    await importGiven({ account: '2', opening: 0, lines: [['02/04/2026', 'X', 1_000]] });
    expect(await sumOf(bankAccount('1'))).toBe(-8_000);
    expect(await sumOf(bankAccount('2'))).toBe(1_000);
    expect(await sumOf(OPENING_BALANCES)).toBe(7_000);
    expect(await rowCounts()).toMatchObject({ bank_statement_lines: 3, ledger_transactions: 3 });
  });

  test('stores every identical line, with its text as the bank wrote it', async () => {
    const { statement, file: imported } = await only(importGiven());
    const { lines, file } = await statements.show(statement.id);
    expect(file).toEqual(imported);
    expect(lines.map(({ position, line }) => [position, line.remittance, line.amountMinor])).toEqual(
      LINES.map(([, text, amount], index) => [index + 1, text, amount]),
    );
    expect(lines[3]?.line.raw).toBe('03/04/2026;03/04/2026;"CHÈQUE; N° 7";REF;300,000;;1\u00a0948,120');
  });

  test('changes nothing if the same file is imported again, and returns the first import', async () => {
    await importGiven();
    const before = await rowCounts();
    clock.advance(86_400_000);
    const again = await importGiven();
    expect(again).toMatchObject({
      kind: 'already_imported',
      file: { importedAt: Date.parse('2026-05-04T09:00:00+01:00'), importedBy: 'cli', name: 'bank.csv' },
    });
    expect(await rowCounts()).toEqual(before);
  });

  test('accepts one of two concurrent imports of the same file, and reports the other as already imported', async () => {
    const outcomes = await Promise.all([importGiven(), importGiven(), importGiven()]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['already_imported', 'already_imported', 'imported']);
    expect(new Set(outcomes.map(({ file }) => file.id)).size).toBe(1);
    expect(await rowCounts()).toMatchObject({ statement_files: 1, bank_statements: 1, ledger_transactions: 6 });
    expect(await sumOf(bankAccount(ACCOUNT))).toBe(CLOSING);
  });

  test('imports two files that arrive concurrently, one after the other', async () => {
    const account = ribOf('112223333333333333');
    const [one, two] = await Promise.all([importGiven({ account }), importGiven({ account: '2' })]);
    expect([one.kind, two.kind]).toEqual(['imported', 'imported']);
    expect(await sumOf(bankAccount(account))).toBe(CLOSING);
    expect(await sumOf(bankAccount('2'))).toBe(CLOSING);
  });

  const MAY: readonly LineGiven[] = [['04/05/2026', 'VIR RECU SERVICE DE PAIEMENT SA', 400_000]];

  test('states in a dry run that only an import compares the lines of days with stored lines', async () => {
    const notChecked = async (given: StatementGiven): Promise<unknown[]> => {
      const file = bankFileOfBytes('bank.csv', statementBytes(given));
      const check = await statements.check({ file, actor: OPERATOR, readsKnown: true });
      return check.notChecked.map((each) => each.check);
    };
    const other: readonly LineGiven[] = [['06/04/2026', 'VIR RECU SERVICE DE PAIEMENT SA', 400_000]];
    expect(await notChecked({ lines: other })).toEqual([]);
    await importGiven();
    expect(await notChecked({ lines: other })).toEqual(['contradictions']);
    expect(await notChecked({ opening: CLOSING, lines: MAY })).toEqual([]);
    expect(await notChecked({})).toEqual([]);
  });

  test('imports the next statement of the account without a second opening balance', async () => {
    await importGiven();
    const next = await importGiven({ opening: CLOSING, lines: MAY });
    expect(next).toMatchObject({ kind: 'imported', warnings: [], duplicates: [] });
    expect(await sumOf(bankAccount(ACCOUNT))).toBe(CLOSING + 400_000);
    expect(await sumOf(OPENING_BALANCES)).toBe(-1_000_000);
    expect(await gaps()).toEqual([]);
  });

  test('opens a break for a gap, and closes it when the missing statement is imported', async () => {
    const first = await only(importGiven());
    const missing: LineGiven = ['20/04/2026', 'MANQUANT', 1_000];
    const [warning, ...others] = await warningsOf(importGiven({ opening: CLOSING + 1_000, lines: MAY }));
    expect(others).toEqual([]);
    expect(warning).toMatch(/^gap: a statement is missing in between: /);
    expect(warning).toContain(`statement ${first.statement.id} (2026-04-02 to 2026-04-06) closes with 2 028,120 DT`);
    expect(warning).toContain('opens with 2 029,120 DT: a difference of 1,000 DT');
    expect(await gaps()).toEqual([['open', 'gap']]);
    // What came is posted; what is missing is not made up.
    expect(await sumOf(bankAccount(ACCOUNT))).toBe(CLOSING + 400_000);

    expect(await warningsOf(importGiven({ opening: CLOSING, lines: [missing] }))).toEqual([]);
    expect(await gaps()).toEqual([['resolved', 'gap']]);
    expect(await sumOf(bankAccount(ACCOUNT))).toBe(CLOSING + 401_000);
  });

  test('opens a break if no day is missing and the balance differs', async () => {
    await importGiven();
    const warnings = await warningsOf(importGiven({ opening: CLOSING + 1, lines: [['07/04/2026', 'X', 5]] }));
    expect(warnings).toEqual([expect.stringMatching(/^balance jump: no day is missing, but /)]);
    expect(await gaps()).toEqual([['open', 'break']]);
  });

  test('corrects the posted opening balance when a statement of earlier days is imported', async () => {
    await importGiven();
    expect(await sumOf(OPENING_BALANCES)).toBe(-1_000_000);
    const lines: readonly LineGiven[] = [['30/03/2026', 'X', 250]];
    expect(await warningsOf(importGiven({ opening: 999_750, lines }))).toEqual([]);
    expect(await sumOf(OPENING_BALANCES)).toBe(-999_750);
    expect(await sumOf(bankAccount(ACCOUNT))).toBe(CLOSING);
    const [first, second] = await harness.database.read(async (session) => [
      await openLedger(session).find(`opening:${ACCOUNT}`),
      await openLedger(session).find(`opening:${ACCOUNT}:2`),
    ]);
    expect(first?.postings).toEqual([expect.objectContaining({ debit: `bank:${ACCOUNT}`, amount: 1_000_000 })]);
    expect(second?.postings).toEqual([expect.objectContaining({ credit: `bank:${ACCOUNT}`, amount: 250 })]);
  });

  test('refuses the same statement in other bytes, and changes nothing', async () => {
    const { statement } = await only(importGiven());
    const before = await rowCounts();
    const saved = statementText().replaceAll('\r\n', '\n');
    const text = await refusal(importText(saved));
    expect(text).toContain('all its statements were imported before, in another file');
    expect(text).toContain(statement.id);
    expect(await rowCounts()).toEqual(before);
  });

  test('names the line and both texts if a stored statement differs only in a text', async () => {
    const long = 'PRLV '.repeat(60);
    const given = [...LINES, ['07/04/2026', `${long}UN`, -5_000]] as const;
    const { statement } = await only(importGiven({ lines: given }));
    const before = await rowCounts();
    const changed = statementText({ lines: given }).replace('COMMISSION', 'FRAIS').replace('VERSEMENT', 'VIREMENT');
    const error = await importText(changed.replace(`${long}UN`, `${long}DEUX`)).catch((thrown: unknown) => thrown);
    const stored = `in statement ${statement.id}`;
    expect(error).toMatchObject({
      problem: { code: 'statements_known' },
      message: expect.stringMatching(/in another file, with other texts; nothing was stored; compare these texts/),
      details: [
        `line 8: the text is "FRAIS", and "COMMISSION" ${stored}`,
        `line 11: the text is "VIREMENT CAFÉ", and "VERSEMENT CAFÉ" ${stored}`,
        expect.stringMatching(/^line 12: the text is "….{20}DEUX", and "….{20}UN" in /),
        expect.stringContaining('is stored as'),
      ],
    });
    expect(await rowCounts()).toEqual(before);
  });

  test('reports no text of a stored statement whose equal amounts only changed places', async () => {
    const [first, second] = [['02/04/2026', 'A', -1_000] as const, ['02/04/2026', 'B', -1_000] as const];
    await importGiven({ lines: [first, second] });
    const text = await refusal(importGiven({ lines: [second, first] }));
    expect(text).toContain('in another file; nothing was stored');
  });

  test('stores each line of overlapping files once, and both of two genuine equal lines', async () => {
    await importGiven();
    const longer = await only(importGiven({ lines: [...LINES, ['07/04/2026', 'NOUVEAU', 5_000]] }));
    expect(longer).toMatchObject({ statement: { entries: 6 }, knownEntries: 5 });
    const { lines } = await statements.show(longer.statement.id);
    expect(lines.map(({ position, known }) => [position, known])).toEqual([
      ...[1, 2, 3, 4, 5].map((position) => [position, true]),
      [6, false],
    ]);
    expect(await rowCounts()).toMatchObject({ bank_statement_lines: 6, ledger_transactions: 7 });
    expect(await sumOf(bankAccount(ACCOUNT))).toBe(CLOSING + 5_000);
    // A part of what is known brings nothing new.
    await importGiven({ lines: LINES.slice(0, 2) });
    expect(await rowCounts()).toMatchObject({ bank_statements: 3, bank_statement_lines: 6, ledger_transactions: 7 });
    expect(await gaps()).toEqual([]);
  });

  test('puts a statement with other lines for covered days on hold until a person accepts it', async () => {
    await importGiven();
    const lines: readonly LineGiven[] = [
      ['02/04/2026', 'AUTRE', 900_000],
      ['06/04/2026', 'ENCORE', 128_120],
    ];
    const outcome = importGiven({ lines });
    const held = await only(outcome);
    expect(held.statement).toMatchObject({ verdict: 'ok', hold: 'overlap' });
    expect(await warningsOf(outcome)).toEqual([expect.stringMatching(/^overlap: .* both cover 2026-04-02/)]);
    expect(await gaps()).toEqual([['open', 'overlap']]);
    expect(await sumOf(bankAccount(ACCOUNT))).toBe(CLOSING);

    await statements.accept({ id: held.statement.id, reason: 'two halves of a day', actor: OPERATOR });
    expect(await gaps()).toEqual([['resolved', 'overlap']]);
    expect(await sumOf(bankAccount(ACCOUNT))).toBe(CLOSING + LINES_SUM);
  });

  test('puts the same lines with other balances on hold, because a line before them is missing in one file', async () => {
    await importGiven();
    const held = await only(importGiven({ opening: 999_500 }));
    expect(held).toMatchObject({ statement: { verdict: 'ok', hold: 'overlap' }, knownEntries: LINES.length });
    expect(await sumOf(bankAccount(ACCOUNT))).toBe(CLOSING);
  });

  const BEFORE_LAST_DAY = LINES.filter(([date]) => date !== LINES.at(-1)?.[0]);
  test.each(BEFORE_LAST_DAY.map(([date], index) => [date, index] as const))(
    'puts a corrected file with one more line on %s (after %i lines) on hold, and posts that line alone if accepted',
    async (date, index) => {
      await importGiven();
      const lines = [...LINES.slice(0, index), [date, 'COMMISSION', -1_000] as const, ...LINES.slice(index)];
      const held = await only(importGiven({ lines }));
      expect(held).toMatchObject({ statement: { verdict: 'ok', hold: 'overlap' }, knownEntries: LINES.length });
      expect(await sumOf(bankAccount(ACCOUNT))).toBe(CLOSING);
      await statements.accept({ id: held.statement.id, reason: 'booked later by the bank', actor: OPERATOR });
      expect(await sumOf(bankAccount(ACCOUNT))).toBe(CLOSING - 1_000);
    },
  );

  const WITHOUT_CLOSING = statementText().replace(/Solde final.*\r\n/, '');
  const UNPROVEN: [string, string][] = [
    ['unbalanced', statementText({ closing: 1 })],
    ['no-proof', WITHOUT_CLOSING],
  ];

  test.each(UNPROVEN)('stores a statement that is %s, and posts no line of it', async (verdict, text) => {
    const { statement } = await only(importText(text));
    expect(statement).toMatchObject({ verdict, entries: 5 });
    expect(await rowCounts()).toMatchObject({ bank_statement_lines: 5, ledger_transactions: 0, postings: 0 });
    const [candidates, coverage] = await harness.database.read(async (session) => {
      const store = openStatements(session);
      return [await store.payoutCandidates({ through: businessDate('2026-04-30') }), await store.coverage()] as const;
    });
    expect(candidates).toEqual([]);
    expect([...coverage]).toEqual([]);
    expect((await statements.list({ waiting: true, limit: 100 })).rows).toMatchObject([
      { statement: { id: statement.id } },
    ]);
  });

  test.each(UNPROVEN)('posts a statement that is %s when a person accepts it', async (verdict, text) => {
    const { statement } = await only(importText(text));
    const accept = (actor: Actor, reason = 'seen on paper'): ReturnType<Statements['accept']> =>
      statements.accept({ id: statement.id, reason, actor });
    const without: Actor = { kind: 'api_key', name: 'salma', keyId: 'K', scopes: new Set(['statements:write']) };
    await expect(accept(without)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(accept(OPERATOR, ' ')).rejects.toMatchObject({ code: 'bad_input' });
    expect(await rowCounts()).toMatchObject({ ledger_transactions: 0 });

    const salma: Actor = { ...without, scopes: new Set(['statements:accept']) };
    expect(await accept(salma)).toMatchObject({
      kind: 'accepted',
      listed: { statement: { verdict }, acceptance: { acceptedBy: 'salma', reason: 'seen on paper' } },
    });
    const after = await rowCounts();
    expect(await sumOf(BANK_UNMATCHED)).toBe(-LINES_SUM);
    expect((await statements.list({ waiting: true, limit: 100 })).rows).toEqual([]);

    expect(await accept(OPERATOR, 'again')).toMatchObject({
      kind: 'already_accepted',
      listed: { acceptance: { acceptedBy: 'salma' } },
    });
    expect(await rowCounts()).toEqual(after);
  });

  test('refuses to accept an effective statement and a missing one', async () => {
    const { statement } = await only(importGiven());
    const accept = (id: string): Promise<unknown> => statements.accept({ id, reason: 'a test', actor: OPERATOR });
    await expect(accept(statement.id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(accept('UNKNOWN')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('stores and shows another currency, and posts no line of it', async () => {
    const given = statementText().replace('Devise :;TND', 'Devise :;EUR');
    const { statement } = await only(importText(given));
    expect(statement).toMatchObject({ currency: 'EUR', openingMinor: 100_000, entries: 5 });
    const { lines } = await statements.show(statement.id);
    expect(lines[0]?.line).toMatchObject({ currency: 'EUR', amountMinor: 125_050 });
    expect(await rowCounts()).toMatchObject({ bank_statement_lines: 5, ledger_transactions: 0 });
    const through = businessDate('2026-04-30');
    expect(await harness.database.read((session) => openStatements(session).payoutCandidates({ through }))).toEqual([]);
  });

  test('refuses an amount with more decimals than the currency has', async () => {
    const lines: readonly LineGiven[] = [['02/04/2026', 'X', 1_001]];
    const text = await refusal(importText(statementText({ lines }).replace('Devise :;TND', 'Devise :;EUR')));
    expect(text).toMatch(/line \d+: expected at most 2 decimals, as EUR has, got 1 001,001 EUR/);
    expect(Object.values(await rowCounts()).every((count) => count === 0)).toBe(true);
  });

  test('stores nothing of an unreadable file', async () => {
    expect(await refusal(importText(statementText().replace('1,190', '1,19x')))).toContain('line 8, column "Débit"');
    expect(Object.values(await rowCounts()).every((count) => count === 0)).toBe(true);
  });

  test.each([
    ['of a day to come', '03/04/2126', /^line \d+: expected booking dates through 20.*, got 2126-04-03/],
    ['of a year ago', '03/04/2025', /^line 10: its booking date 2025-04-03 is long before 2026-04-02/],
  ])('refuses a line %s, although its balances are correct', async (_what, date, fault) => {
    const bytes = windows1252(statementText().replace('03/04/2026;03/04/2026', `${date};03/04/2026`));
    const refused = await importBytes(bytes).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'bad_input',
      details: expect.arrayContaining([expect.stringMatching(fault)]),
    });
    const files = await harness.database.read((session) => rowsOf(session('statement_files').select('id')));
    expect(files).toEqual([]);
  });

  test('returns the original bytes, even of several chunks', async () => {
    const remark = Array.from({ length: 60 }, (_, n) => `${n}${'é'.repeat(30_000)}`).join('\r\n');
    const bytes = windows1252(`${remark}\r\n${statementText()}`);
    expect(bytes.length).toBeGreaterThan(1024 * 1024);
    const { file } = await importBytes(bytes);
    expect(file.sizeBytes).toBe(bytes.length);
    expect((await rowCounts())['statement_file_chunks']).toBeGreaterThan(1);
    expect((await statements.originalBytes(file.id)).equals(bytes)).toBe(true);
  });

  test('imports several thousand lines', async () => {
    const lines = Array.from({ length: 3_000 }, (_, n): LineGiven => ['02/04/2026', `LIGNE ${n}`, n - 1_000]);
    expect(await importGiven({ lines })).toMatchObject({
      kind: 'imported',
      statements: [{ statement: { entries: 3_000 } }],
    });
    const sum = lines.reduce((total, [, , amount]) => total + amount, 1_000_000);
    expect(await sumOf(bankAccount(ACCOUNT))).toBe(sum);
    expect(await rowCounts()).toMatchObject({ bank_statement_lines: 3_000, ledger_transactions: 3_000 });
  });

  test('imports a statement without lines', async () => {
    await importGiven();
    expect(await only(importGiven({ opening: CLOSING, lines: [] }))).toMatchObject({
      statement: { verdict: 'ok', entries: 0, firstDate: undefined, lastDate: undefined },
    });
    expect(await warningsOf(importGiven({ opening: CLOSING, lines: MAY }))).toEqual([]);
    expect(await sumOf(bankAccount(ACCOUNT))).toBe(CLOSING + 400_000);
  });
});

describeOnEachDatabase('openStatements', (harness) => {
  beforeEach(async () => {
    const statements = createStatements({
      linesInUse,
      database: harness.database,
      clock: fixedClock('2026-05-04T09:00:00+01:00'),
      calendar: businessCalendar('Africa/Tunis'),
      logger: silentLogger,
      profilesFile: SHIPPED_PROFILES_FILE,
    });
    const payout = 'VIR RECU SERVICE DE PAIEMENT SA';
    const files: StatementGiven[] = [
      {
        account: '1',
        opening: 0,
        lines: [
          ['02/04/2026', payout, 10],
          ['06/04/2026', payout, 20],
          ['02/04/2026', payout, 5],
        ],
      },
      {
        account: '1',
        opening: 35,
        lines: [
          ['06/04/2026', payout, 30],
          ['07/04/2026', 'AUTRE', 1],
          ['08/04/2026', payout, 40],
        ],
      },
      {
        account: '2',
        opening: 7,
        lines: [
          ['03/04/2026', payout, 50],
          ['03/04/2026', 'AUTRE', -50],
        ],
      },
      { account: '3', opening: 9, lines: [] },
    ];
    for (const given of files) {
      await statements.import({ file: bankFileOfBytes('bank.csv', statementBytes(given)), actor: OPERATOR });
    }
  });

  test('returns payout candidates through a day, by booking date, statement and position', async () => {
    const through = businessDate('2026-04-07');
    const found = await harness.database.read((session) => openStatements(session).payoutCandidates({ through }));
    expect(found.map(({ account, bookingDate, amount }) => [account, bookingDate, amount])).toEqual([
      ['1', '2026-04-02', 10],
      ['1', '2026-04-02', 5],
      ['2', '2026-04-03', 50],
      ['1', '2026-04-06', 20],
      ['1', '2026-04-06', 30],
    ]);
  });

  test('returns the last covered day of each account', async () => {
    const coverage = await harness.database.read((session) => openStatements(session).coverage());
    expect([...coverage]).toEqual([
      ['1', '2026-04-08'],
      ['2', '2026-04-03'],
    ]);
  });
});
