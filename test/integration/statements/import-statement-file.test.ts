// Goal: a bank file is in the books once and as a whole, or not at all, whatever comes twice, at once or out of order.
// Method: the room on both databases, with exports built in the shipped profile's format.
import { beforeEach, expect, test } from '@jest/globals';
import { rowsOf } from '../../../src/db';
import { OPERATOR } from '../../../src/identity';
import { AppError, businessCalendar, businessDate } from '../../../src/kernel';
import { BANK_UNMATCHED, bankAccount, OPENING_BALANCES, openLedger, type Account } from '../../../src/ledger';
import { silentLogger } from '../../../src/logging';
import { createStatements, openStatements, type ImportOutcome, type Statements } from '../../../src/statements';
import {
  LINES,
  SHIPPED_PROFILES_FILE,
  statementBytes,
  statementText,
  windows1252,
  type LineGiven,
  type StatementGiven,
} from '../../fixtures/statements/statement-bytes';
import { describeOnEachDatabase } from '../../support/db';
import { fixedClock } from '../../support/fakes';

const ACCOUNT = '11222333333333333344';
const TABLES = [
  'statement_files',
  'statement_file_chunks',
  'statements',
  'statement_lines',
  'ledger_transactions',
  'postings',
];
const CLOSING = 2_028_120;
const LINES_SUM = CLOSING - 1_000_000;

describeOnEachDatabase('the import of a bank file', (harness) => {
  const clock = fixedClock('2026-05-04T09:00:00+01:00');
  let statements: Statements;

  beforeEach(() => {
    clock.set('2026-05-04T09:00:00+01:00');
    statements = createStatements({
      database: harness.database,
      clock,
      calendar: businessCalendar('Africa/Tunis'),
      logger: silentLogger,
      profilesFile: SHIPPED_PROFILES_FILE,
    });
  });

  const importBytes = (bytes: Uint8Array): Promise<ImportOutcome> =>
    statements.import({ name: '/somewhere/bank.csv', bytes, actor: OPERATOR });
  const importGiven = (given: StatementGiven = {}): Promise<ImportOutcome> => importBytes(statementBytes(given));

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
          account: ACCOUNT,
          sequence: 1,
          verdict: 'ok',
          opening: 1_000_000,
          closing: CLOSING,
          credits: 1_330_500,
          debits: 302_380,
          entries: 5,
          firstDate: '2026-04-02',
          lastDate: '2026-04-06',
        },
      ],
    });
    expect(await sumOf(bankAccount(ACCOUNT))).toBe(CLOSING);
    expect(await sumOf(BANK_UNMATCHED)).toBe(-LINES_SUM);
    expect(await sumOf(OPENING_BALANCES)).toBe(-1_000_000);
    expect(await rowCounts()).toMatchObject({ statement_lines: 5, ledger_transactions: 6, postings: 6 });
  });

  test('dates a posting by the start of its booking date in Tunis, and keeps when it was written', async () => {
    await importGiven();
    const [line] = await harness.database.read((session) =>
      openStatements(session).payoutCandidates({ through: businessDate('2026-04-30') }),
    );
    const found = await harness.database.read((session) => openLedger(session).find(`line:${line?.lineId}`));
    expect(found).toMatchObject({
      code: 'statement_line',
      occurredAt: Date.parse('2026-04-02T00:00:00+01:00'),
      recordedAt: Date.parse('2026-05-04T09:00:00+01:00'),
      recordedBy: 'cli',
      postings: [{ debit: `bank:${ACCOUNT}`, credit: 'bank_unmatched', amount: 1_250_500 }],
    });
    const opening = await harness.database.read((session) => openLedger(session).find(`opening:${ACCOUNT}`));
    expect(opening).toMatchObject({ code: 'opening_balance', occurredAt: Date.parse('2026-04-02T00:00:00+01:00') });
  });

  test('posts an overdraft the other way, and nothing for an opening balance or a line of 0', async () => {
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
    expect(await rowCounts()).toMatchObject({ statement_lines: 3, ledger_transactions: 3 });
  });

  test('keeps every identical line, with its text as the bank wrote it', async () => {
    const outcome = await importGiven();
    const id = outcome.kind === 'imported' ? outcome.statements[0]?.id : undefined;
    const { lines, file } = await statements.show(id ?? '');
    expect(file.id).toBe(outcome.file.id);
    expect(lines.map(({ position, amount, remittance }) => [position, remittance, amount])).toEqual(
      LINES.map(([, text, amount], index) => [index + 1, text, amount]),
    );
    expect(lines[3]?.raw).toBe('03/04/2026;03/04/2026;"CHÈQUE; N° 7";REF;300,000;;1\u00a0948,120');
  });

  test('changes nothing when the same file comes again, and says when it came first', async () => {
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

  test('takes one of two imports of the same file at once, and calls the other one a repetition', async () => {
    const outcomes = await Promise.all([importGiven(), importGiven(), importGiven()]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['already_imported', 'already_imported', 'imported']);
    expect(new Set(outcomes.map(({ file }) => file.id)).size).toBe(1);
    expect(await rowCounts()).toMatchObject({ statement_files: 1, statements: 1, ledger_transactions: 6 });
    expect(await sumOf(bankAccount(ACCOUNT))).toBe(CLOSING);
  });

  test('takes one of two different first statements of an account at once', async () => {
    const settled = await Promise.allSettled([importGiven(), importGiven({ opening: 5_000 })]);
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(settled.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'bad_input' } });
    expect(await rowCounts()).toMatchObject({ statement_files: 1, statements: 1, ledger_transactions: 6 });
  });

  const MAY: readonly LineGiven[] = [['04/05/2026', 'VIR RECU SERVICE DE PAIEMENT SA', 400_000]];

  test('takes the next statement of the account, and posts no second opening balance', async () => {
    await importGiven();
    const next = await importGiven({ opening: CLOSING, lines: MAY });
    expect(next).toMatchObject({ kind: 'imported', statements: [{ sequence: 2, closing: CLOSING + 400_000 }] });
    expect(await sumOf(bankAccount(ACCOUNT))).toBe(CLOSING + 400_000);
    expect(await sumOf(OPENING_BALANCES)).toBe(-1_000_000);
  });

  test('refuses a statement that does not open where the last one closed, and stores nothing of it', async () => {
    const first = await importGiven();
    const before = await rowCounts();
    const text = await refusal(importGiven({ opening: CLOSING + 1, lines: MAY }));
    expect(text).toContain('it opens with 2 028,121 DT');
    expect(text).toContain('closes with 2 028,120 DT');
    expect(text).toContain(first.kind === 'imported' ? (first.statements[0]?.id ?? '?') : '?');
    expect(await rowCounts()).toEqual(before);
  });

  test('refuses the same days in other bytes although the balances fit', async () => {
    const lines: readonly LineGiven[] = [
      ['02/04/2026', 'IN', 1_000],
      ['03/04/2026', 'OUT', -1_000],
    ];
    await importGiven({ lines });
    const before = await rowCounts();
    const saved = statementText({ lines }).replaceAll('\r\n', '\n');
    expect(await refusal(importBytes(windows1252(saved)))).toContain('overlaps the account');
    expect(await rowCounts()).toEqual(before);
  });

  test.each([
    ['unbalanced', statementText({ closing: 1 }), 'the closing balance should be 2 028,120 DT'],
    ['no-proof', statementText().replace(/Solde final.*\r\n/, ''), 'the closing balance is missing'],
    ['unreadable', statementText().replace('1,190', '1,19000'), 'line 8, column "Débit"'],
  ])('stores nothing of a file that is %s', async (_what, text, message) => {
    expect(await refusal(importBytes(windows1252(text)))).toContain(message);
    expect(Object.values(await rowCounts()).every((count) => count === 0)).toBe(true);
  });

  test.each([
    ['of a day to come', '03/04/2126', /^line 10: its booking date 2126-04-03 is after today/],
    ['of a year ago', '03/04/2025', /^line 10: its booking date 2025-04-03 is long before 2026-04-02/],
  ])('refuses a line %s, which no balance shows', async (_what, date, fault) => {
    const bytes = windows1252(statementText().replace('03/04/2026;03/04/2026', `${date};03/04/2026`));
    const refused = await importBytes(bytes).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'bad_input', details: [expect.stringMatching(fault)] });
    const files = await harness.database.read((session) => rowsOf(session('statement_files').select('id')));
    expect(files).toEqual([]);
  });

  test('gives the original bytes back, also those of several chunks', async () => {
    const remark = Array.from({ length: 60 }, (_, n) => `${n}${'é'.repeat(30_000)}`).join('\r\n');
    const bytes = windows1252(`${remark}\r\n${statementText()}`);
    expect(bytes.length).toBeGreaterThan(1024 * 1024);
    const { file } = await importBytes(bytes);
    expect(file.sizeBytes).toBe(bytes.length);
    expect((await rowCounts())['statement_file_chunks']).toBe(2);
    expect((await statements.originalBytes(file.id)).equals(bytes)).toBe(true);
  });

  test('takes some thousand lines', async () => {
    const lines = Array.from({ length: 3_000 }, (_, n): LineGiven => ['02/04/2026', `LIGNE ${n}`, n - 1_000]);
    expect(await importGiven({ lines })).toMatchObject({ kind: 'imported', statements: [{ entries: 3_000 }] });
    const [balance] = (await harness.database.read((session) => openStatements(session).closingBalances())).values();
    expect(await sumOf(bankAccount(ACCOUNT))).toBe(balance);
  });

  test('accepts a statement without lines as a link of the chain', async () => {
    await importGiven();
    expect(await importGiven({ opening: CLOSING, lines: [] })).toMatchObject({
      statements: [{ sequence: 2, entries: 0, firstDate: undefined, lastDate: undefined }],
    });
    expect(await importGiven({ opening: CLOSING, lines: MAY })).toMatchObject({ statements: [{ sequence: 3 }] });
  });
});

describeOnEachDatabase('what other rooms ask of the statements', (harness) => {
  beforeEach(async () => {
    const statements = createStatements({
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
      await statements.import({ name: 'bank.csv', bytes: statementBytes(given), actor: OPERATOR });
    }
  });

  test('gives payout candidates up to a day, by booking date, statement and place', async () => {
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

  test('gives the last day covered and the closing balance of each account', async () => {
    const [coverage, closing] = await harness.database.read(async (session) => {
      const store = openStatements(session);
      return [await store.coverage(), await store.closingBalances()] as const;
    });
    expect([...coverage]).toEqual([
      ['1', '2026-04-08'],
      ['2', '2026-04-03'],
    ]);
    expect([...closing]).toEqual([
      ['1', 106],
      ['2', 7],
      ['3', 9],
    ]);
  });
});
