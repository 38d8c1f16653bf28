// Goal: whatever a bank file holds, it is read as the bank meant it or refused with the place of each fault.
// Method: one good export in the shipped profile's format, broken in one way per test.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { AppError } from '../../../src/kernel';
import type { ParsedStatement, StatementProfile } from '../../../src/statements';
import { readStatementFile } from '../../../src/statements/read-statement-file';
import { summarizeStatements } from '../../../src/statements/statement-summary';
import { shippedProfile, statementBytes, statementText, windows1252 } from '../../fixtures/statements/statement-bytes';

const SHIPPED = shippedProfile();

const DAY_PACK = join(__dirname, '..', '..', '..', '..', 'shared', 'samples', 'day-pack', 'statement.csv');
const testOnDayPack = existsSync(DAY_PACK) ? test : test.skip;
if (!existsSync(DAY_PACK))
  process.stdout.write('The day pack is skipped: ../shared/samples is not beside this repository\n');

function read(bytes: Uint8Array, profiles: readonly StatementProfile[] = [SHIPPED]): ParsedStatement {
  const { statements } = readStatementFile({ name: 'bank.csv', bytes }, profiles);
  expect(statements).toHaveLength(1);
  return statements[0] as ParsedStatement;
}

const readText = (text: string): ParsedStatement => read(windows1252(text));

function faultOf(work: () => unknown): { code: string; text: string } {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, text: [error.message, ...error.details].join('\n') };
    throw error;
  }
  throw new Error('nothing was refused');
}

function swap(from: string | RegExp, to: string): string {
  const changed = statementText().replace(from, to);
  if (changed === statementText()) throw new Error('the test changes nothing');
  return changed;
}

describe('a good file', () => {
  test('gives account, balances, totals and each line', () => {
    const statement = read(statementBytes());
    expect(statement).toMatchObject({
      account: '11222333333333333344',
      currency: 'TND',
      opening: 1_000_000,
      closing: 2_028_120,
      totals: { credits: 1_330_500, debits: 302_380 },
    });
    expect(statement.lines[0]).toEqual({
      fileLine: 7,
      bookingDate: '2026-04-02',
      valueDate: '2026-04-02',
      amount: 1_250_500,
      counterparty: '',
      remittance: 'VIR RECU SERVICE DE PAIEMENT SA',
      bankReference: 'REF',
      payoutCandidate: true,
      balanceAfter: 2_250_500,
      raw: '02/04/2026;02/04/2026;VIR RECU SERVICE DE PAIEMENT SA;REF;;1\u00a0250,500;2\u00a0250,500',
    });
  });

  test('keeps identical lines, semicolons in quotes and accents', () => {
    const { lines } = read(statementBytes());
    expect(lines.map(({ amount, remittance }) => [amount, remittance])).toEqual([
      [1_250_500, 'VIR RECU SERVICE DE PAIEMENT SA'],
      [-1_190, 'COMMISSION'],
      [-1_190, 'COMMISSION'],
      [-300_000, 'CHÈQUE; N° 7'],
      [80_000, 'VERSEMENT CAFÉ'],
    ]);
  });

  test('takes as payout candidates the credits of the pattern, or all credits where the profile has none', () => {
    const { payoutPattern: _none, ...without } = SHIPPED;
    const candidates = (statement: ParsedStatement): number[] =>
      statement.lines.filter(({ payoutCandidate }) => payoutCandidate).map(({ amount }) => amount);
    expect(candidates(read(statementBytes()))).toEqual([1_250_500]);
    expect(candidates(read(statementBytes(), [without]))).toEqual([1_250_500, 80_000]);
  });

  test.each([
    ['LF', (text: string) => windows1252(text.replaceAll('\r\n', '\n'))],
    ['CR', (text: string) => windows1252(text.replaceAll('\r\n', '\r'))],
    ['no line end at the end', (text: string) => windows1252(text.trimEnd())],
    ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['UTF-16 with a byte order mark', (text: string) => iconv.encode(text, 'utf-16le', { addBOM: true })],
    ['a decomposed header', (text: string) => Buffer.from(`\ufeff${text.normalize('NFD')}`)],
    ['empty cells at the end of each line', (text: string) => windows1252(text.replaceAll('\r\n', ';;\r\n'))],
  ])('reads the same with %s', (_what, encode) => {
    const figures = (statement: ParsedStatement): unknown => ({
      ...statement,
      lines: statement.lines.map(({ fileLine, amount, balanceAfter }) => ({ fileLine, amount, balanceAfter })),
    });
    expect(figures(read(encode(statementText())))).toEqual(figures(read(statementBytes())));
  });

  test('knows the line of a row below a cell that goes on over two lines', () => {
    const { lines } = readText(swap('VIR RECU SERVICE', '"VIR RECU\r\nSERVICE').replace('PAIEMENT SA', 'PAIEMENT SA"'));
    expect(lines.slice(0, 2).map(({ fileLine, remittance }) => [fileLine, remittance])).toEqual([
      [7, 'VIR RECU SERVICE DE PAIEMENT SA'],
      [9, 'COMMISSION'],
    ]);
  });

  test('reads an explicit 0,000 on the side that is not meant', () => {
    expect(readText(swap('REF;;1\u00a0250,500', 'REF;0,000;1\u00a0250,500')).lines[0]?.amount).toBe(1_250_500);
  });

  test('lets --account outweigh what the file says', () => {
    const request = { name: 'bank.csv', bytes: statementBytes(), account: '99 8877' };
    expect(readStatementFile(request, [SHIPPED]).statements[0]?.account).toBe('998877');
  });

  testOnDayPack('of the day pack has the figures that its description gives', () => {
    const statement = read(readFileSync(DAY_PACK));
    expect(summarizeStatements([statement])).toMatchObject({
      verdict: 'ok',
      statements: [
        { opening: '60343.483', closing: '318798.453', entries: 41, credits: '264604.860', debits: '6149.890' },
      ],
    });
    const candidates = statement.lines.filter(({ payoutCandidate }) => payoutCandidate);
    expect(statement.lines.filter(({ amount }) => amount > 0)).toHaveLength(21);
    expect(candidates).toHaveLength(20);
    expect(candidates.reduce((sum, { amount }) => sum + amount, 0)).toBe(263_485_110);
  });
});

describe('other profiles', () => {
  const SIGNED: StatementProfile = {
    name: 'signed',
    description: 'one signed column, newest first',
    encoding: 'utf-8',
    delimiter: ',',
    quote: null,
    currency: { fixed: 'TND' },
    columns: { bookingDate: 'Date', remittance: 'Text', amount: 'Amount', balance: 'Balance' },
    dateFormat: 'yyyy-mm-dd',
    decimalSign: '.',
    thousandsSeparators: [],
    order: 'newest-first',
    otherRows: [],
  };
  const TEXT = 'Date,Text,Amount,Balance\n2026-04-02,the "big" one,-2.5,7.500\n2026-04-01,in,10,10\n';

  test('read one signed column, the newest line first, and take the balances from the running balance', () => {
    const statement = read(Buffer.from(TEXT), [SIGNED, SHIPPED]);
    expect(statement).toMatchObject({ account: undefined, opening: 0, closing: 7_500 });
    expect(statement.lines.map(({ amount, remittance }) => [amount, remittance])).toEqual([
      [10_000, 'in'],
      [-2_500, 'the "big" one'],
    ]);
  });

  test('are chosen by their header; two that fit must be told apart by the person', () => {
    expect(readStatementFile({ name: 'bank.csv', bytes: statementBytes() }, [SIGNED, SHIPPED]).profile).toBe(
      'releve-fr-tn',
    );
    const fault = faultOf(() => read(Buffer.from(TEXT), [SIGNED, { ...SIGNED, name: 'twin' }]));
    expect(fault).toEqual({ code: 'bad_input', text: expect.stringMatching(/--profile\nsigned: .*\ntwin: /) });
  });

  test('that do not fit are listed with the header that the file has', () => {
    const { text } = faultOf(() => read(Buffer.from('Jour|Texte|Montant\n1|2|3\n'), [SIGNED, SHIPPED]));
    expect(text).toContain('line 1 looks like the header: "Jour" "Texte" "Montant"');
    expect(text).toContain('profile signed: the file has no line with each of the columns "Date", "Text"');
    expect(text).toContain('profile releve-fr-tn: ');
  });

  test('are named on the command line; an unknown name lists those that there are', () => {
    const request = { name: 'bank.csv', bytes: statementBytes() };
    expect(faultOf(() => readStatementFile({ ...request, profile: 'nobody' }, [SHIPPED])).text).toContain(
      'releve-fr-tn: ',
    );
    expect(faultOf(() => readStatementFile({ ...request, profile: 'signed' }, [SIGNED, SHIPPED])).text).toContain(
      'UTF-8'.toLowerCase(),
    );
  });

  test('whose bank states no balance at all prove nothing', () => {
    const { balance: _balance, ...columns } = SIGNED.columns;
    const statement = read(Buffer.from(TEXT), [{ ...SIGNED, columns }]);
    expect(summarizeStatements([statement])).toMatchObject({
      verdict: 'no-proof',
      statements: [{ account: null, opening: null, closing: null, credits: '10.000', debits: '2.500' }],
    });
  });
});

describe('a file that cannot be read is refused and says where', () => {
  const LINE_7 = /^02\/04.*VIR.*$/m;
  test.each([
    ['more than three decimals', swap('1,190', '1,1900'), 'line 8, column "Débit": "1,1900" has more than 3 decimals'],
    [
      'a broken grouping',
      swap('REF;;1\u00a0250,500', 'REF;;1\u00a025,500'),
      'line 7, column "Crédit": "1\u00a025,500" is not an amount',
    ],
    [
      'a sign in the debit column',
      swap('REF;1,190', 'REF;-1,190'),
      'line 8, column "Débit": "-1,190" must not have a sign',
    ],
    [
      'both sides filled',
      swap('REF;1,190;;', 'REF;1,190;1,190;'),
      'line 8, column "Débit": and "Crédit" are both filled',
    ],
    ['no side filled', swap('REF;1,190;;', 'REF;;;'), 'line 8, column "Débit": and "Crédit" are both empty'],
    [
      'a running balance that is no amount',
      swap('2\u00a0250,500\r', 'x\r'),
      'line 7, column "Solde": "x" is not an amount',
    ],
    [
      'a day that never was',
      swap('06/04/2026;06', '31/04/2026;06'),
      'line 11, column "Date opération": "31/04/2026" is not a date (dd/mm/yyyy)',
    ],
    [
      'a value date that never was',
      swap('06/04/2026;06/04', '06/04/2026;30/02'),
      'line 11, column "Date valeur": "30/02/2026" is not a date',
    ],
    [
      'a row that is neither line nor footer',
      swap(LINE_7, 'Report;;;;;;1,000'),
      'line 7, column "Date opération": "Report" is not a date',
    ],
    [
      'a line below the footer',
      `${statementText()}07/04/2026;07/04/2026;TARD;;1,000;;0,000\r\n`,
      'line 15: stands below the footer, which starts on line 13',
    ],
    ['a missing cell', swap(LINE_7, '02/04/2026;02/04/2026;VIR;;1,000'), 'line 7: has 5 cells, the header has 7'],
    [
      'a cell too many',
      swap(LINE_7, '02/04/2026;02/04/2026;VIR;A;B;;1,000;1,000'),
      'line 7: has 8 cells, the header has 7',
    ],
    ['a very long text', swap('VERSEMENT', 'V'.repeat(1_001)), 'line 11: cell 3 is longer than 1000 characters'],
    [
      'a quotation mark that is never closed',
      swap('N° 7"', 'N° 7'),
      'line 10: a quotation mark is opened and never closed',
    ],
    [
      'a quotation mark inside a cell',
      swap('VERSEMENT', 'VERSE"MENT'),
      'line 11: a quotation mark stands inside a cell',
    ],
    ['text after a quoted cell', swap('N° 7"', 'N° 7"8'), 'line 10: text follows the quotation mark'],
    ['another currency', swap('TND', 'EUR'), 'the currency is "EUR"; only TND is supported'],
    ['no currency', swap('TND', ''), 'line 3: the currency is not there'],
    ['no account', swap(/RIB.*\r\n/, ''), 'the account is not there'],
    [
      'two opening balances',
      swap(/(Solde initial.*\r\n)/, '$1$1'),
      'line 5: /^Solde initial\\b/iu stands here and on line 4',
    ],
    ['an opening balance that is no amount', swap('1\u00a0000,000', 'mille'), 'line 4: "mille" is not an amount'],
    ['a NUL', swap('CAFÉ', 'CAF\0'), 'line 11: holds a NUL'],
    ['no header', swap('Libellé', 'Texte'), 'no line with each of the columns'],
    ['a column that stands twice', swap('Référence', 'Débit'), 'no line with each of the columns'],
  ])('%s', (_what, text, message) => {
    const fault = faultOf(() => readText(text));
    expect(fault.code).toBe('bad_input');
    expect(fault.text).toContain(message);
    expect(fault.text).toMatch(/^bank\.csv: /);
  });

  test.each([
    ['an empty file', Buffer.alloc(0), 'the file is empty'],
    ['blank lines alone', Buffer.from('\r\n \r\n'), 'the file is empty'],
    [
      'UTF-8 where the profile says windows-1252',
      Buffer.from(statementText()),
      'is UTF-8, and the profile says windows-1252',
    ],
    [
      'bytes that the encoding does not have',
      Buffer.concat([statementBytes(), Buffer.from([0x81])]),
      'line 15: holds bytes that are not windows-1252',
    ],
    [
      'a broken UTF-8 file',
      Buffer.concat([Buffer.from('\ufeffa\nb'), Buffer.from([0xff])]),
      'line 2: holds bytes that are not utf-8',
    ],
    ['a spreadsheet', Buffer.from('PK\u0003\u0004\0\0'), 'holds a NUL; this is not a text file'],
    ['more than 16 MiB', Buffer.alloc(16 * 1024 * 1024 + 1, 'a'), 'is larger than 16 MiB'],
  ])('%s', (_what, bytes, message) => {
    const fault = faultOf(() => read(bytes));
    expect(fault.code).toBe('bad_input');
    expect(fault.text).toContain(message);
  });

  test('with all its faults at once, twenty at most', () => {
    const lines = Array.from({ length: 25 }, () => ['40/04/2026', 'X', 1_000] as const);
    const { text } = faultOf(() => read(statementBytes({ lines })));
    expect(text.match(/is not a date/g)).toHaveLength(20);
    expect(text).toContain('and 30 more');
  });

  test('more than 20 000 lines', () => {
    const lines = Array.from({ length: 20_001 }, () => ['02/04/2026', 'X', 1_000] as const);
    expect(faultOf(() => read(statementBytes({ lines }))).text).toContain('has more than 20000 lines');
  });
});
