// Goal: a file without a matching profile is read as the bank meant it, or refused with the settings a person must
// state.
// Method: small exports in several languages, and one for each ambiguity.
import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { isAppError } from '../../../../src/kernel';
import { bankFileOfBytes, profilesFileSchema } from '../../../../src/statements';
import {
  createCsvReader,
  type GivenForm,
  proposeProfile,
  scanBankFile,
  undecidedIn,
} from '../../../../src/statements/testing';
import { csvFigures } from '../../../fixtures/statements/csv-figures';
import { statementBytes } from '../../../fixtures/statements/statement-bytes';
import { type ReadStatement, readStatements } from '../../../support/read-events';
import { decidedProfile } from './a-profile';

function readProposed(text: string | Buffer, given: GivenForm = {}): ReadStatement {
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text);
  const [found] = readStatements(createCsvReader({ profile: decidedProfile(bytes, given) }), bytes);
  if (found === undefined) throw new Error('a CSV file is one statement');
  return found;
}

function refusalOf(text: string | Buffer, given: GivenForm = {}): string {
  try {
    readProposed(text, given);
  } catch (error) {
    if (isAppError(error, 'bad_input')) return [error.message, ...error.details].join('\n');
    throw error;
  }
  return 'nothing was refused';
}

const ENGLISH = 'Date,Description,Amount,Currency\n2026-04-02,in,1250.50,EUR\n2026-04-03,out,-20.05,EUR\n';

describe('proposeProfile', () => {
  test('reads a French export with preamble, balances and totals', () => {
    const found = readProposed(statementBytes());
    expect(csvFigures(found)).toEqual({
      account: '11 222 3333333333333 44',
      currency: 'TND',
      opening: '1000.000',
      closing: '2028.120',
      entries: 5,
      credits: '1330.500',
      debits: '302.380',
    });
    expect(found.statement.totals.credits).toEqual({ units: 1_330_500n, scale: 3 });
  });

  test('reads a German export in windows-1252 whose pending lines are marked by words', () => {
    const found = readProposed(
      iconv.encode(
        [
          '"Buchungstag";"Verwendungszweck";"Begünstigter/Zahlungspflichtiger";"Betrag";"Währung";"Info"',
          '"03.04.18";"Gebühr";"Bücherei Müller";"-1.234,56";"EUR";"Umsatz vorgemerkt"',
          '"02.04.18";"Überweisung für März";"Grün & Söhne";"123,00";"EUR";"Umsatz gebucht"',
          '',
        ].join('\n'),
        'windows-1252',
      ),
    );
    expect(csvFigures(found)).toMatchObject({ account: null, currency: 'EUR', credits: '123.00', debits: '1234.56' });
    expect(found.lines.map(({ status, bookingDate }) => [status, bookingDate])).toEqual([
      ['booked', '2018-04-02'],
      ['pending', '2018-04-03'],
    ]);
  });

  test('reads an export in Arabic, with the currency in the header', () => {
    const found = readProposed('التاريخ;البيان;مدين (TND);دائن (TND)\n13/04/2026;أ;1,500;\n14/04/2026;ب;;0,250\n');
    expect(csvFigures(found)).toMatchObject({ currency: 'TND', credits: '0.250', debits: '1.500' });
  });

  test('returns text that the profiles file accepts', () => {
    const { json, profile, reasons } = proposeProfile(Buffer.from(ENGLISH));
    expect(profilesFileSchema.parse({ profiles: [JSON.parse(json)] }).profiles).toEqual([profile]);
    expect(profile.name).toBe('proposed');
    expect(reasons).toContain('every date fits yyyy-mm-dd; the file is oldest-first');
  });

  test('refuses a name that no profile can hold', () => {
    const long = ENGLISH.replace('Amount', `Amount${'.'.repeat(300)}`);
    expect(refusalOf(long)).toContain('in a name or a word, got more for columns.amount');
  });

  test('names no balance that the bank does not state', () => {
    const found = readProposed('Date,Description,Amount,Currency,Balance\n2026-04-02,in,1.50,EUR,5.50\n');
    expect(csvFigures(found)).toMatchObject({ opening: null, closing: null, credits: '1.50' });
  });

  test('finds the order of one day by the running balance', () => {
    const found = readProposed(
      'Date,Description,Amount,Currency,Balance\n2026-04-02,last,-2.50,EUR,7.50\n2026-04-02,first,3.00,EUR,10.00\n',
    );
    expect(found.lines.map(({ remittance }) => remittance)).toEqual(['first', 'last']);
  });

  test('finds debits by the words of a column with an unknown name', () => {
    const found = readProposed(
      'Date,Description,Amount,Currency,Kind\n2026-04-02,a,1.50,EUR,Debit\n2026-04-03,b,2.25,EUR,Credit\n',
    );
    expect(csvFigures(found)).toMatchObject({ credits: '2.25', debits: '1.50' });
  });

  test('reads days before months under a French header, although both fit', () => {
    const [line] = readProposed('Date;Libellé;Montant;Devise\n03/04/2026;a;1,50;EUR\n').lines;
    expect(line?.bookingDate).toBe('2026-04-03');
  });
});

test('a proposed profile marks the credits that a given pattern recognizes', () => {
  const text = ENGLISH.replace('-20.05', '20.05');
  const given = { profile: 'proposed', account: 'A1', unmarked: 'credit', payoutPattern: '^out' } as const;
  const { reading } = scanBankFile(bankFileOfBytes('a.csv', Buffer.from(text)), given, []);
  const [found] = readStatements(reading.createReader(), Buffer.from(text));
  expect(found?.lines.map(({ payoutCandidate }) => payoutCandidate)).toEqual([false, true]);
});

test('proposeProfile leaves out the currency of a file that states none, and says so', () => {
  const { profile, reasons } = proposeProfile(Buffer.from('Date,Description,Amount\n2026-04-02,a,1.50\n'));
  expect(profile.currency).toBeUndefined();
  expect(reasons).toContain('the file does not state its currency');
});

/** Each row fits both decimal signs and both orders of day and month. The balances fit one sign only if `rest` is 1. */
function openFile(rest: '1' | '1,000'): string {
  return [
    'Date,Description,Amount,Currency',
    ',Opening balance,"1,000",',
    '03/04/2026,a,"1,234",TND',
    `05/06/2026,b,${rest === '1' ? rest : `"${rest}"`},TND`,
    ',Closing balance,"3,234",',
    '',
  ].join('\n');
}

describe('proposeProfile with the form that a person gives', () => {
  test.each([
    [',', 'dd/mm/yyyy', '2.234', '2026-04-03'],
    ['.', 'mm/dd/yyyy', '2234', '2026-03-04'],
  ] as const)('reads amounts with %s and dates as %s', (decimalSign, dateFormat, credits, first) => {
    const found = readProposed(openFile('1,000'), { decimalSign, dateFormat });
    expect(csvFigures(found).credits).toBe(credits);
    expect(found.lines[0]?.bookingDate).toBe(first);
  });

  test('leaves both choices open without it, and marks neither when it is given', () => {
    const bytes = Buffer.from(openFile('1,000'));
    expect(undecidedIn(proposeProfile(bytes)).map(({ problem: { code } }) => code)).toEqual([
      'date_format_undecided',
      'decimal_sign_undecided',
      'unit_undecided',
    ]);
    const [open] = undecidedIn(proposeProfile(bytes, { dateFormat: 'dd/mm/yyyy' }));
    expect(open?.problem.code).toBe('decimal_sign_undecided');
  });

  test('prints the readings in the currency that a person gives', () => {
    const text = 'Date;Libellé;Montant\n13/04/2026;b;1.234\n';
    expect(refusalOf(text)).toContain('is 1 234 or 1,234;');
    expect(refusalOf(text, { currency: 'dt' })).toContain('is 1 234,000 DT or 1,234 DT;');
  });

  test('shows a date that the formats read differently', () => {
    const text = 'Date,Description,Amount,Currency\n03/03/2026,a,1.50,EUR\n03/04/2026,a,1.50,EUR\n';
    expect(refusalOf(text)).toContain('"03/04/2026" (line 3, column "Date")');
  });

  test('reads months before days under a French header, if a person says so', () => {
    const text = 'Date;Libellé;Montant;Devise\n03/04/2026;a;1,50;EUR\n';
    expect(readProposed(text, { dateFormat: 'mm/dd/yyyy' }).lines[0]?.bookingDate).toBe('2026-03-04');
  });

  test.each<[string, string, GivenForm, string]>([
    [
      'a decimal sign that the balances contradict',
      openFile('1'),
      { decimalSign: '.', dateFormat: 'dd/mm/yyyy' },
      'decimalSign: expected ",", because the balances of the file contradict the given value, got "."',
    ],
    [
      'a decimal sign that an amount contradicts',
      ENGLISH,
      { decimalSign: ',' },
      'decimalSign: expected ".", because the file has the amount "1250.50", got ","',
    ],
    [
      'a form of dates that no date fits',
      ENGLISH,
      { dateFormat: 'dd/mm/yyyy' },
      'dateFormat: expected yyyy-mm-dd, which every date of the file fits, got "dd/mm/yyyy"',
    ],
  ])('refuses %s', (_what, text, given, message) => {
    expect(refusalOf(text, given)).toContain(message);
  });

  test('accepts a decimal sign that the balances do not contradict more than the other', () => {
    const unbalanced = openFile('1').replace('3,234', '9,999');
    for (const decimalSign of [',', '.'] as const) {
      expect(refusalOf(unbalanced, { decimalSign, dateFormat: 'dd/mm/yyyy' })).toBe('nothing was refused');
    }
  });
});

describe('proposeProfile proposes nothing', () => {
  test.each([
    [
      'for dates that fit two formats',
      'Date,Description,Amount,Currency\n03/04/2026,a,1.50,EUR\n05/06/2026,b,1.50,EUR\n',
      'dateFormat: expected the form of the dates, because "03/04/2026" (line 2, column "Date") is 2026-04-03 or 2026-03-04; ' +
        'give --date-format dd/mm/yyyy or --date-format mm/dd/yyyy',
    ],
    [
      'for dates of two formats',
      'Date,Description,Amount,Currency\n13/04/2026,a,1.50,EUR\n04/13/2026,b,1.50,EUR\n',
      'line 3, column "Date": expected a date as dd/mm/yyyy, like those above, got "04/13/2026"',
    ],
    [
      'for an amount that is two numbers',
      'Date;Libellé;Montant;Devise\n13/04/2026;a;1;TND\n13/04/2026;b;1,234;TND\n',
      'decimalSign: expected the decimal sign, because "1,234" (line 3, column "Montant") is 1,234 DT or 1 234,000 DT; ' +
        'give --decimal-sign , or --decimal-sign .',
    ],
    [
      'for amounts of two forms',
      ENGLISH.replace('-20.05', '"-20,05"'),
      'line 3, column "Amount": expected an amount with the decimal sign ., like those above, got "-20,05"',
    ],
    [
      'for two currencies in the header',
      'Date,Description,Debit EUR,Credit USD\n2026-04-02,a,1.50,\n',
      'expected one currency, and the file names EUR and USD',
    ],
    [
      'for a currency that is none',
      ENGLISH.replaceAll('EUR', 'EUX'),
      'column "Currency": expected a currency of ISO 4217, got "EUX"',
    ],
    [
      'for two currencies',
      ENGLISH.replace('05,EUR', '05,USD'),
      'line 3, column "Currency": expected the currency "EUR", as on line 2, got "USD"',
    ],
    [
      'for a row without its account',
      'Date,Description,Amount,Currency,IBAN\n2026-04-02,a,1.50,EUR,A1\n2026-04-02,a,1.50,EUR,\n',
      'line 3, column "IBAN": expected the account, got nothing',
    ],
    [
      'for two columns that may be the amount',
      'Date,Description,Amount,Betrag,Currency\n2026-04-02,a,1.50,1.50,EUR\n',
      'line 1: the columns "Amount" and "Betrag" may both be the amount',
    ],
    [
      'for a column that stands twice',
      'Date,Description,Debit,Debit,Credit,Currency\n2026-04-02,a,1.50,,,EUR\n',
      'line 1: the columns "Debit" and "Debit (2)" may both be the debit',
    ],
    [
      'for unsigned amounts and words that say it of some rows only',
      'Date,Description,Amount,Currency,Kind\n2026-04-02,a,1.50,EUR,Debit\n2026-04-03,b,2.25,EUR,Fee\n',
      'line 3, column "Kind": "Fee" is not a known word for debit or credit',
    ],
    [
      'for a sign and a word that contradict each other',
      'Date,Description,Amount,Currency,D/C\n2026-04-02,a,-1.50,EUR,C\n2026-04-03,b,2.25,EUR,C\n',
      'line 2: the sign of the amount and the word for credit contradict each other',
    ],
    [
      'for a state that may mean that no money moves',
      'Date,Description,Amount,Currency,State\n2026-04-02,a,1.50,EUR,Completed\n2026-04-02,a,1.50,EUR,Odd\n',
      'line 3, column "State": "Odd" is not a known word for booked or pending',
    ],
    [
      'for a row that is no line',
      `${ENGLISH}Carried over,,,\n`,
      'line 4, column "Date": expected a date as yyyy-mm-dd',
    ],
    [
      'for a row that is cut short',
      `${ENGLISH}2026-04-04,a\n`,
      'line 4, column "Amount": expected an amount, got nothing',
    ],
    ['for no row', 'Date,Description,Amount,Currency\n', 'expected a row with a date below the header, got none'],
    [
      'for a header of unknown words',
      'Jour|Texte|Somme\n1|2|3\n',
      'line 1 looks like the header: "Jour" "Texte" "Somme"',
    ],
    ['for a header without amounts', 'Date,Description\n2026-04-02,a\n', 'the amount, or the debit and the credit'],
    ['for an empty file', ' \n', 'the file is empty'],
    ['for a program', Buffer.from('PK\u0003\u0004\0\0'), 'expected text, got a NUL'],
  ])('%s', (_what, text, message) => {
    expect(refusalOf(text)).toContain(message);
  });
});
