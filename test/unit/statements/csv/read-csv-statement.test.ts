// Goal: any bank file is read as the bank meant it, or refused with the position of each fault.
// Method: one valid export in the shipped profile's format, with one fault per test.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { AppError } from '../../../../src/kernel';
import { type Decimal, decimalText, type StatementProfile } from '../../../../src/statements';
import { detectProfile } from '../../../../src/statements/reading/csv/detect-profile';
import { type RowSource, textRows } from '../../../../src/statements/reading/csv/row-source';
import { decodeText } from '../../../../src/statements/reading/decode-text';
import { createCsvReader, csvProfileSchema } from '../../../../src/statements/testing';
import { csvFigures } from '../../../fixtures/statements/csv-figures';
import {
  shippedProfile,
  statementBytes,
  statementText,
  windows1252,
} from '../../../fixtures/statements/statement-bytes';
import { type ReadStatement, readStatements } from '../../../support/read-events';

const SHIPPED = shippedProfile();

const DAY_PACK = join(__dirname, '..', '..', '..', '..', '..', 'shared', 'samples', 'day-pack', 'statement.csv');
const testOnDayPack = existsSync(DAY_PACK) ? test : test.skip;
if (!existsSync(DAY_PACK)) {
  process.stdout.write('The day pack is skipped: ../shared/samples is not beside this repository\n');
}

function readWith(bytes: Buffer, profile: StatementProfile, account?: string): ReadStatement {
  const [found, ...others] = readStatements(createCsvReader({ profile, account }), bytes);
  if (found === undefined || others.length > 0) throw new Error('a CSV file is one statement');
  return found;
}

const read = (bytes: Buffer): ReadStatement => readWith(bytes, SHIPPED);

/** Returns the rows of a text for the choice of a profile. */
const rowsOf =
  (bytes: Buffer) =>
  ({ encoding }: StatementProfile): RowSource | undefined => {
    const decoded = decodeText(bytes, encoding);
    return decoded.ok ? textRows(decoded.text) : undefined;
  };

const textOf = (amount: Decimal | undefined): string | undefined => amount && decimalText(amount);

const readText = (text: string): ReadStatement => read(windows1252(text));

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

describe('a valid CSV file', () => {
  test('has an account, a currency, balances, totals and lines', () => {
    const found = read(statementBytes());
    expect(csvFigures(found)).toEqual({
      account: '11 222 3333333333333 44',
      currency: 'TND',
      opening: '1000.000',
      closing: '2028.120',
      entries: 5,
      credits: '1330.500',
      debits: '302.380',
    });
    expect(textOf(found.statement.totals.credits)).toBe('1330.500');
    expect(textOf(found.statement.totals.debits)).toBe('302.380');
    expect(found.lines[0]).toEqual({
      status: 'booked',
      fileLine: 7,
      bookingDate: '2026-04-02',
      valueDate: '2026-04-02',
      amount: { units: 1_250_500n, scale: 3 },
      currency: undefined,
      counterparty: '',
      counterpartyAccount: '',
      remittance: 'VIR RECU SERVICE DE PAIEMENT SA',
      bankReference: 'REF',
      endToEndId: '',
      transactionCode: '',
      details: [],
      payoutCandidate: true,
      balanceAfter: { units: 2_250_500n, scale: 3 },
      raw: '02/04/2026;02/04/2026;VIR RECU SERVICE DE PAIEMENT SA;REF;;1\u00a0250,500;2\u00a0250,500',
    });
  });

  test('has identical lines, quoted semicolons and accents unchanged', () => {
    expect(read(statementBytes()).lines.map(({ amount, remittance }) => [textOf(amount), remittance])).toEqual([
      ['1250.500', 'VIR RECU SERVICE DE PAIEMENT SA'],
      ['-1.190', 'COMMISSION'],
      ['-1.190', 'COMMISSION'],
      ['-300.000', 'CHÈQUE; N° 7'],
      ['80.000', 'VERSEMENT CAFÉ'],
    ]);
  });

  test('has as payout candidates the credits of the pattern, or all credits without a pattern', () => {
    const { payoutPattern: _none, ...without } = SHIPPED;
    const candidates = ({ lines }: ReadStatement): (string | undefined)[] =>
      lines.filter(({ payoutCandidate }) => payoutCandidate).map(({ amount }) => textOf(amount));
    expect(candidates(read(statementBytes()))).toEqual(['1250.500']);
    expect(candidates(readWith(statementBytes(), without))).toEqual(['1250.500', '80.000']);
  });

  test.each([
    ['LF', (text: string) => windows1252(text.replaceAll('\r\n', '\n'))],
    ['CR', (text: string) => windows1252(text.replaceAll('\r\n', '\r'))],
    ['no line end at the end', (text: string) => windows1252(text.trimEnd())],
    ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['UTF-16 with a byte order mark', (text: string) => iconv.encode(text, 'utf-16le', { addBOM: true })],
    ['a decomposed header', (text: string) => Buffer.from(`\ufeff${text.normalize('NFD')}`)],
    ['empty cells at the end of each line', (text: string) => windows1252(text.replaceAll('\r\n', ';;\r\n'))],
  ])('is read the same with %s', (_what, encode) => {
    const figures = ({ statement, lines }: ReadStatement): unknown => ({
      ...statement,
      lines: lines.map(({ fileLine, amount, balanceAfter }) => ({ fileLine, amount, balanceAfter })),
    });
    expect(figures(read(encode(statementText())))).toEqual(figures(read(statementBytes())));
  });

  test('has correct line numbers below a cell of two lines', () => {
    const { lines } = readText(swap('VIR RECU SERVICE', '"VIR RECU\r\nSERVICE').replace('PAIEMENT SA', 'PAIEMENT SA"'));
    expect(lines.slice(0, 2).map(({ fileLine, remittance }) => [fileLine, remittance])).toEqual([
      [7, 'VIR RECU SERVICE DE PAIEMENT SA'],
      [9, 'COMMISSION'],
    ]);
  });

  test('may have an explicit 0,000 in the other amount column', () => {
    const [line] = readText(swap('REF;;1\u00a0250,500', 'REF;0,000;1\u00a0250,500')).lines;
    expect(textOf(line?.amount)).toBe('1250.500');
  });

  test('has the account that a person names, if its own cannot be read', () => {
    expect(readWith(statementBytes(), SHIPPED, '99 8877').statement.account).toBe('11 222 3333333333333 44');
    expect(readWith(statementBytes({ account: '' }), SHIPPED, '99 8877').statement.account).toBe('99 8877');
  });

  test.each([
    ['without the row', swap(/Devise.*\r\n/, ''), swap(/RIB.*\r\n/, '')],
    ['without a value in the row', swap('TND', ''), swap(/RIB :;[^;]*/, 'RIB :;')],
  ])('may name no currency and no account %s of its profile, because a person may', (_how, currency, account) => {
    expect(readText(currency).statement).toMatchObject({ currency: undefined, currencies: [] });
    expect(readText(account).statement.account).toBeUndefined();
  });

  test('may have another currency, because the import checks it later', () => {
    expect(readText(swap('TND', 'eur')).statement).toMatchObject({ currency: 'EUR', currencies: ['EUR'] });
  });

  testOnDayPack('of the day pack has the figures that its description gives', () => {
    const bytes = readFileSync(DAY_PACK);
    expect(detectProfile(rowsOf(bytes), [SHIPPED])).toBe(SHIPPED);
    const found = read(bytes);
    expect(csvFigures(found)).toMatchObject({
      opening: '60343.483',
      closing: '318798.453',
      entries: 41,
      credits: '264604.860',
      debits: '6149.890',
    });
    expect(found.lines.filter(({ payoutCandidate }) => payoutCandidate)).toHaveLength(20);
  });
});

describe('CSV profiles', () => {
  const SIGNED = csvProfileSchema.parse({
    name: 'signed',
    description: 'one signed column, newest first',
    encoding: 'utf-8',
    delimiter: ',',
    quote: null,
    currency: { fixed: 'EUR' },
    columns: { bookingDate: 'Date', remittance: 'Text', amount: 'Amount', balance: 'Balance' },
    dateFormat: 'yyyy-mm-dd',
    decimalSign: '.',
    order: 'newest-first',
  });
  const TEXT = 'Date,Text,Amount,Balance\n2026-04-02,the "big" one,-2.5,7.500\n2026-04-01,in,10,10\n';
  const withColumns = (columns: Partial<StatementProfile['columns']>, more: object = {}): StatementProfile => ({
    ...SIGNED,
    ...more,
    columns: { ...SIGNED.columns, balance: undefined, ...columns },
  });

  test('read one signed column, the newest line first, with balances from the running balance', () => {
    const found = readWith(Buffer.from(TEXT), SIGNED);
    expect(csvFigures(found)).toMatchObject({ account: null, opening: '0', closing: '7.500', debits: '2.5' });
    expect(found.lines.map(({ amount, remittance }) => [textOf(amount), remittance])).toEqual([
      ['10', 'in'],
      ['-2.5', 'the "big" one'],
    ]);
  });

  test('may exclude the running balance from the proof', () => {
    const found = readWith(Buffer.from(TEXT), { ...SIGNED, balancesFromRunning: false });
    expect(csvFigures(found)).toMatchObject({ opening: null, closing: null });
    expect(textOf(found.lines[1]?.balanceAfter)).toBe('7.500');
  });

  test('are chosen by their header; a person chooses between two that match', () => {
    expect(detectProfile(rowsOf(statementBytes()), [SIGNED, SHIPPED])?.name).toBe('releve-fr-tn');
    expect(detectProfile(rowsOf(Buffer.from('Jour|Texte|Montant\n1|2|3\n')), [SIGNED, SHIPPED])).toBeUndefined();
    const fault = faultOf(() => detectProfile(rowsOf(Buffer.from(TEXT)), [SIGNED, { ...SIGNED, name: 'twin' }]));
    expect(fault).toEqual({
      code: 'bad_input',
      text: expect.stringMatching(/^profile: expected one of the profiles .*\nsigned: .*\ntwin: /),
    });
  });

  test('refuse a file without a match and print its header', () => {
    const { text } = faultOf(() => readWith(Buffer.from('Jour|Texte|Montant\n1|2|3\n'), SIGNED));
    expect(text).toContain('line 1 looks like the header: "Jour" "Texte" "Montant"');
    expect(text).toContain('expected a line with each of these columns once: "Date", "Text"');
  });

  test('read account and currency from columns that are equal in each row', () => {
    const profile = withColumns({ account: 'Account', currency: 'Ccy' }, { currency: undefined });
    const text = 'Date,Text,Amount,Account,Ccy\n2026-04-02,a,1,DE 1,eur\n2026-04-01,b,2,DE 1,eur\n';
    expect(readWith(Buffer.from(text), profile).statement).toMatchObject({ account: 'DE 1', currency: 'EUR' });
    const other = faultOf(() =>
      readWith(Buffer.from(text.replace('DE 1,eur\n2026-04-01', 'DE 1,usd\n2026-04-01')), profile),
    );
    expect(other.text).toContain('line 3, column "Ccy": expected the currency "USD", as on line 2, got "EUR"');
    const none = faultOf(() => readWith(Buffer.from(text.replace('2,DE 1,eur', '2,DE 1,')), profile));
    expect(none.text).toContain('line 3, column "Ccy": expected the currency, got nothing');
  });

  test('read a direction from words, and refuse an unknown word', () => {
    const profile = withColumns({ direction: { column: 'Sens', debit: ['D'], credit: ['C'] } });
    const text = 'Date,Text,Amount,Sens\n2026-04-02,a,1.50,D\n2026-04-01,b,2,c\n';
    const amounts = readWith(Buffer.from(text), profile).lines.map(({ amount }) => textOf(amount));
    expect(amounts).toEqual(['2', '-1.50']);
    expect(faultOf(() => readWith(Buffer.from(text.replace(',D', ',X')), profile)).text).toContain(
      'line 2, column "Sens": expected one of the profile\'s words for debit or credit, got "X"',
    );
    expect(faultOf(() => readWith(Buffer.from(text.replace('1.50', '-1.50')), profile)).text).toContain(
      'line 2, column "Amount": expected an amount without a sign, got "-1.50"',
    );
  });

  test('find pending lines by words, and refuse an unknown word', () => {
    const profile = withColumns({ status: { column: 'State', booked: ['Booked'], pending: ['Pending'] } });
    const text = 'Date,Text,Amount,State\n2026-04-02,a,1,Pending\n2026-04-01,b,2,Booked\n';
    expect(readWith(Buffer.from(text), profile).lines.map(({ status }) => status)).toEqual(['booked', 'pending']);
    expect(faultOf(() => readWith(Buffer.from(text.replace('Pending', 'Declined')), profile)).text).toContain(
      'line 2, column "State": expected one of the profile\'s words for booked or pending, got "Declined"',
    );
  });

  test('read no balances if the bank states none', () => {
    expect(csvFigures(readWith(Buffer.from(TEXT), withColumns({})))).toMatchObject({ opening: null, closing: null });
  });
});

describe('the CSV reader refuses and locates', () => {
  const LINE_7 = /^02\/04.*VIR.*$/m;
  test.each([
    [
      'a broken grouping',
      swap('REF;;1\u00a0250,500', 'REF;;1\u00a025,500'),
      'line 7, column "Crédit": expected an amount, got "1\u00a025,500"',
    ],
    [
      'a sign in the debit column',
      swap('REF;1,190', 'REF;-1,190'),
      'line 8, column "Débit": expected an amount without a sign, got "-1,190"',
    ],
    [
      'both sides filled',
      swap('REF;1,190;;', 'REF;1,190;1,190;'),
      'line 8, column "Débit": expected an amount here or in "Crédit", got both',
    ],
    [
      'a running balance that is no amount',
      swap('2\u00a0250,500\r', 'x\r'),
      'line 7, column "Solde": expected an amount, got "x"',
    ],
    [
      'a day that never was',
      swap('06/04/2026;06', '31/04/2026;06'),
      'line 11, column "Date opération": expected a date as dd/mm/yyyy, got "31/04/2026"',
    ],
    [
      'a value date that never was',
      swap('06/04/2026;06/04', '06/04/2026;30/02'),
      'line 11, column "Date valeur": expected a date as dd/mm/yyyy, got "30/02/2026"',
    ],
    [
      'a row that is neither line nor footer',
      swap(LINE_7, 'Report;;;;;;1,000'),
      'line 7, column "Date opération": expected a date as dd/mm/yyyy, got "Report"',
    ],
    [
      'a line below the footer',
      `${statementText()}07/04/2026;07/04/2026;TARD;;1,000;;0,000\r\n`,
      'line 15: expected no line below the footer of line 13, got one',
    ],
    [
      'a file that ends inside of a row',
      statementText().slice(0, statementText().search(LINE_7) + 20),
      'line 7: expected 7 cells, as the header has, got',
    ],
    [
      'a cell too many',
      swap(LINE_7, '02/04/2026;02/04/2026;VIR;A;B;;1,000;1,000'),
      'line 7: expected 7 cells, as the header has, got 8',
    ],
    [
      'a quotation mark that is never closed',
      swap('N° 7"', 'N° 7'),
      'line 10: expected a closing quotation mark, got the end of the file',
    ],
    [
      'a quotation mark inside a cell',
      swap('VERSEMENT', 'VERSE"MENT'),
      'line 11: expected no quotation mark inside an unquoted cell, got one',
    ],
    [
      'text after a quoted cell',
      swap('N° 7"', 'N° 7"8'),
      'line 10: expected the end of the cell after its closing quotation mark, got text',
    ],
    ['no currency of this world', swap('TND', 'XYZ'), 'expected a currency of ISO 4217, got "XYZ"'],
    [
      'two opening balances',
      swap(/(Solde initial.*\r\n)/, '$1$1'),
      'line 5: expected /^Solde initial\\b/iu once, got it on line 4 as well',
    ],
    [
      'an opening balance that is no amount',
      swap('1\u00a0000,000', 'mille'),
      'line 4: expected an amount, got "mille"',
    ],
    ['a NUL', swap('CAFÉ', 'CAF\0'), 'line 11: expected text, got a NUL'],
    ['no header', swap('Libellé', 'Texte'), 'a line with each of these columns once'],
    ['a column that stands twice', swap('Référence', 'Débit'), 'a line with each of these columns once'],
  ])('%s', (_what, text, message) => {
    const fault = faultOf(() => readText(text));
    expect(fault.code).toBe('bad_input');
    expect(fault.text).toContain(message);
  });

  test.each([
    ['an empty file', Buffer.alloc(0), 'the file is empty'],
    ['blank lines alone', Buffer.from('\r\n \r\n'), 'the file is empty'],
    [
      'UTF-8 where the profile says windows-1252',
      Buffer.from(statementText()),
      'expected windows-1252, as the profile states, got utf-8',
    ],
    [
      'bytes that the encoding does not have',
      Buffer.concat([statementBytes(), Buffer.from([0x81])]),
      'line 15: expected windows-1252, got other bytes',
    ],
    [
      'a broken UTF-8 file',
      Buffer.concat([Buffer.from('\ufeffa\nb'), Buffer.from([0xff])]),
      'line 2: expected utf-8, got other bytes',
    ],
    ['a spreadsheet', Buffer.from('PK\u0003\u0004\0\0'), 'expected text, got a NUL'],
    ['more than 16 MiB', Buffer.alloc(16 * 1024 * 1024 + 1, 'a'), 'expected at most 16 MiB'],
  ])('%s', (_what, bytes, message) => {
    const fault = faultOf(() => read(bytes));
    expect(fault.code).toBe('bad_input');
    expect(fault.text).toContain(message);
  });

  test('up to twenty faults at once', () => {
    const lines = Array.from({ length: 25 }, () => ['40/04/2026', 'X', 1_000] as const);
    const { text } = faultOf(() => read(statementBytes({ lines })));
    expect(text.match(/expected a date/g)).toHaveLength(20);
    expect(text).toContain('and 30 more');
  });
});
