// Goal: the usual exports of Tunisian banks are read without a profile, with proven money.
// Method: one export for each way of writing, as an import reads it, with the verdict of its balances.
import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import { bankFileOfBytes, profilesFileSchema, summarizeStatements } from '../../../../src/statements';
import { scanBankFile } from '../../../../src/statements/testing';
import { windows1252 } from '../../../fixtures/statements/statement-bytes';
import { refusalOf } from './a-profile';

const FIGURES = { opening: '1000.000', closing: '2194.050', entries: 4, credits: '1250.500', debits: '56.450' };
const RIB = '08 006 0123456789012 31';
const ACCOUNT = '08006012345678901231';
const OTHER_RIB = '08 006 0123456789013 28';
const OTHER_ACCOUNT = '08006012345678901328';

function read(bytes: Buffer): unknown {
  return summarizeStatements(scanBankFile(bankFileOfBytes('bank.csv', bytes), { profile: 'proposed' }, []).statements);
}

const ok = (...statements: object[]): unknown => ({
  verdict: 'ok',
  statements: statements.map((statement) => expect.objectContaining(statement)),
});

const text = (...rows: string[]): string => [...rows, ''].join('\r\n');

/** Debit and credit columns, dates as `dd/mm/yyyy`, the balance beside each line. */
const WITH_BALANCE = text(
  'BANQUE DE TUNISIE ET DES EMIRATS;;;;;',
  `RIB : ${RIB};;;;;`,
  'Titulaire : STE EXEMPLE;;;;;',
  'Période du 01/03/2026 au 31/03/2026;;;;;',
  'Devise : DT;;;;;',
  'Date Opération;Date Valeur;Libellé;Débit;Crédit;Solde',
  ';;Solde au 28/02/2026;;;1 000,000',
  '02/03/2026;02/03/2026;VIREMENT RECU;;1 250,500;2 250,500',
  '03/03/2026;04/03/2026;COMMISSION;5,950;;2 244,550',
  '03/03/2026;03/03/2026;TVA;0,500;;2 244,050',
  '31/03/2026;31/03/2026;CHEQUE N° 7;50,000;;2 194,050',
  ';;Solde au 31/03/2026;;;2 194,050',
  ';;Total mouvements;56,450;1 250,500;',
  'Sauf erreur ou omission;;;;;',
);

/** Groups of points, months with names, a heading over two lines. */
const TWO_LINES = text(
  `N° de compte;${RIB}`,
  'Monnaie;Dinar Tunisien',
  'Solde précédent;1.000,000',
  'Date;Date;Nature;Montant;;',
  'opération;de valeur;de l’opération;Débiteur;Montant Créditeur;Référence',
  '02-mars-2026;02-mars-2026;VIREMENT RECU;;1.250,500;R1',
  '03-mars-2026;04-mars-2026;COMMISSION;5,950;;R2',
  '03-mars-2026;03-mars-2026;TVA;0,500;;R3',
  '31-mars-2026;31-mars-2026;CHEQUE N° 7;50,000;;R4',
  'Nouveau solde;2.194,050',
);

/** Pages: the rows above the heading and the heading again, and the sums carried from page to page. */
const PAGES = text(
  'ATTIJARI;;;',
  `Compte : ${RIB};;;`,
  'Solde initial;;;1 000,000',
  'Date mouvement;Désignation;Mouvement débit (TND);Mouvement crédit (TND)',
  '02/03/2026;VIREMENT RECU;;1 250,500',
  '03/03/2026;COMMISSION;5,950;',
  ';A reporter;5,950;2 250,500',
  'Page 1/2;;;',
  'ATTIJARI;;;',
  `Compte : ${RIB};;;`,
  'Date mouvement;Désignation;Mouvement débit (TND);Mouvement crédit (TND)',
  ';Report;5,950;2 250,500',
  '03/03/2026;TVA;0,500;',
  '31/03/2026;CHEQUE N° 7;50,000;',
  'Page 2/2;;;',
  'Solde final;;;2 194,050',
  'Sauf erreur ou omission de notre part;;;',
);

const ARABIC = text(
  `رقم الحساب;${RIB}`,
  'العملة;دينار تونسي',
  'الرصيد السابق;1000,000',
  'التاريخ;البيان;مدين;دائن',
  '02 مارس 2026;تحويل وارد;;1250,500',
  '03 مارس 2026;عمولة;5,950;',
  '03 مارس 2026;أداء;0,500;',
  '31 مارس 2026;صك;50,000;',
  'الرصيد الجديد;2194,050',
);

/** One column of amounts and a word for the direction. */
const WITH_WORDS = text(
  `IBAN;TN59${RIB}`,
  'Date ope\tMotif\tMontant\tSens\tDevise',
  '02/03/2026\tVIREMENT RECU\t1 250,500\tC\tTND',
  '03/03/2026\tCOMMISSION\t5,950\tD\tTND',
  '03/03/2026\tTVA\t0,500\tD\tTND',
  '31/03/2026\tCHEQUE N° 7\t50,000\tD\tTND',
  '\tSolde initial\t1 000,000\tC\tTND',
  '\tSolde final\t2 194,050\tC\tTND',
);

/** Currencies beside amounts, parentheses, a minus behind, marks behind balances. */
const MARKED = text(
  `Compte;${RIB};`,
  'Date d’opération;Détail;Montant;Solde comptable',
  ';Ancien solde;;1 000,000 TND C',
  '02 janv. 2026;VIREMENT RECU;1 250,500 TND;2 250,500 TND C',
  '03 févr. 2026;COMMISSION;(5,950) TND;2 244,550 TND C',
  '03 févr. 2026;TVA;0,500- TND;2 244,050 TND C',
  '04 févr. 2026;CHEQUE N° 7;-50,000 TND;2 194,050 TND C',
  ';Nouveau solde;;2 194,050 TND Cr',
);

/** No balance but the column of them; the totals prove the first line. */
const WITH_TOTALS = text(
  `RIB;${RIB};;;`,
  'Devise;TND;;;',
  'Date;Opération;Débit;Crédit;Solde',
  '02/03/2026;VIREMENT RECU;;1 250,500;2 250,500',
  '03/03/2026;COMMISSION;5,950;;2 244,550',
  '03/03/2026;TVA;0,500;;2 244,050',
  '31/03/2026;CHEQUE N° 7;50,000;;2 194,050',
  'Totaux;;56,450;1 250,500;',
);

/** A credit taken back by a negative credit. */
const REVERSED = text(
  ...[`RIB;${RIB};;`, 'Devise;TND;;', 'Date;Libellé;Débit;Crédit', 'Solde initial;;;1 000,000'],
  '02/03/2026;VIREMENT RECU;;1 250,500',
  '03/03/2026;COMMISSION;5,950;',
  '03/03/2026;TVA;0,500;',
  '31/03/2026;ANNULATION VERSEMENT;;-50,000',
  'Solde final;;;2 194,050',
);

describe('an export', () => {
  test.each([
    ['with running balances and days of balances', windows1252(WITH_BALANCE)],
    ['with a heading over two lines and named months', windows1252(TWO_LINES)],
    ['with pages', windows1252(PAGES)],
    ['in Arabic, UTF-8', Buffer.from(ARABIC)],
    ['in Arabic, windows-1256', iconv.encode(ARABIC, 'windows-1256')],
    ['with words for debit and credit', windows1252(WITH_WORDS)],
    ['with marks and currencies beside amounts', windows1252(MARKED)],
    ['with totals and running balances', windows1252(WITH_TOTALS)],
    ['with a negative credit', windows1252(REVERSED)],
    ['in UTF-16BE with its mark', iconv.encode(WITH_BALANCE, 'utf-16be', { addBOM: true })],
    ['in UTF-16BE without its mark', iconv.encode(WITH_BALANCE, 'utf-16be')],
    ['in UTF-16LE with its mark', iconv.encode(WITH_BALANCE, 'utf-16le', { addBOM: true })],
    ['in UTF-16LE without its mark', iconv.encode(WITH_BALANCE, 'utf-16le')],
    ['in Arabic, UTF-16BE without its mark', iconv.encode(ARABIC, 'utf-16be')],
  ])('is proven %s', (_what, bytes) => {
    expect(read(bytes)).toEqual(ok({ ...FIGURES, currency: 'TND', account: ACCOUNT }));
  });
});

/** Each account with its own rows above and below, and lines that differ. */
const BLOCKS = text(
  ...[`RIB : ${RIB};;;`, 'Devise : TND;;;', 'Solde initial;;;1 000,000', 'Date;Libellé;Débit;Crédit'],
  ...['02/03/2026;VIREMENT RECU;;1 250,500', '03/03/2026;COMMISSION;5,950;', 'Solde final;;;2 244,550', ';;;'],
  ...[`RIB : ${OTHER_RIB};;;`, 'Solde initial;;500,000;', 'Date;Libellé;Débit;Crédit'],
  ...['01/03/2026;VIREMENT RECU;;1 000,000', 'Solde final;;;500,000'],
);

describe('two accounts in one file', () => {
  const FIRST = { account: ACCOUNT, currency: 'TND', opening: '1000.000', closing: '2244.550', entries: 2 };
  const SECOND = { account: OTHER_ACCOUNT, currency: 'TND', opening: '-500.000', closing: '500.000', entries: 1 };

  test('are two statements if each has its own rows above its lines', () => {
    expect(read(windows1252(BLOCKS))).toEqual(ok(FIRST, SECOND));
    const oneHeading = BLOCKS.replace(/(Date;Libellé[^]*)Date;Libellé;Débit;Crédit\r\n/, '$1');
    expect(read(windows1252(oneHeading))).toEqual(ok(FIRST, SECOND));
  });

  const column = (...balances: string[]): Buffer =>
    windows1252(
      text(
        'Compte;Date;Libellé;Débit;Crédit;Devise',
        ...[`${RIB};02/03/2026;VIREMENT RECU;;1 250,500;TND`, `${OTHER_RIB};01/03/2026;VIREMENT RECU;;1 000,00;EUR`],
        ...[`${RIB};03/03/2026;COMMISSION;5,950;;TND`, ...balances],
      ),
    );

  test('are two statements if a column names the account of each row', () => {
    expect(read(column())).toEqual({
      verdict: 'no-proof',
      statements: [
        expect.objectContaining({ account: ACCOUNT, currency: 'TND', entries: 2, credits: '1250.500' }),
        expect.objectContaining({ account: OTHER_ACCOUNT, currency: 'EUR', entries: 1, credits: '1000.00' }),
      ],
    });
  });

  test('are refused if a balance may belong to either', () => {
    const file = bankFileOfBytes('bank.csv', column(';;Solde initial;;1 000,000;'));
    expect(refusalOf(() => scanBankFile(file, { profile: 'proposed' }, []))).toContain(
      'line 5: expected the account of this row, because the file has 2, got none',
    );
  });

  test('cannot be joined by the account that a person gives', () => {
    const file = bankFileOfBytes('bank.csv', windows1252(BLOCKS));
    expect(refusalOf(() => scanBankFile(file, { profile: 'proposed', account: ACCOUNT }, []))).toContain('account');
  });
});

describe('a file without column names', () => {
  const PROFILE = {
    ...{ name: 'sans-titres', description: 'without names', encoding: 'windows-1252', delimiter: ';', header: 'none' },
    columns: { bookingDate: '1', remittance: '2', debit: '3', credit: '4' },
    ...{ dateFormat: 'dd/mm/yyyy', decimalSign: ',', thousandsSeparators: [' '], currency: { fixed: 'TND' } },
    ...{ opening: { label: '^solde initial' }, closing: { label: '^solde final' } },
  };
  const ROWS = [
    ...['Solde initial;;;1 000,000', '02/03/2026;VIREMENT RECU;;1 250,500', '03/03/2026;FRAIS;56,450;'],
    'Solde final;;;2 194,050',
  ];
  const { profiles } = profilesFileSchema.parse({ profiles: [PROFILE] });
  const bytes = windows1252(text(...ROWS));

  test('is read by a profile that a person names', () => {
    const { statements } = scanBankFile(bankFileOfBytes('bank.csv', bytes), { profile: 'sans-titres' }, profiles);
    expect(summarizeStatements(statements)).toEqual(ok({ ...FIGURES, account: null, entries: 2 }));
  });

  test('is refused without its name, because its columns have no meaning', () => {
    const work = (): unknown => scanBankFile(bankFileOfBytes('bank.csv', bytes), {}, profiles);
    expect(refusalOf(work)).toContain('no profile matches this file, and none can be proposed');
    expect(refusalOf(work)).toContain('header');
  });

  test('needs columns that are numbers', () => {
    const columns = { ...PROFILE.columns, debit: 'Débit' };
    expect(() => profilesFileSchema.parse({ profiles: [{ ...PROFILE, columns }] })).toThrow('must be numbers');
  });
});

describe('an export that can be read in two ways', () => {
  const readText = (bytes: string): unknown => read(windows1252(bytes));

  test.each([
    [
      'amounts whose comma may group',
      WITH_TOTALS.replaceAll(/\d (?=\d{3},)/g, '').replace(';0,500', ';1,500'),
      'is 250,500 DT or 250 500,000 DT; give --decimal-sign , or --decimal-sign .',
    ],
    ['another currency beside an amount', MARKED.replace('(5,950) TND', '(5,950) EUR'), 'names TND and EUR'],
    ['a negative credit without balances', REVERSED.replace(/Solde initial.*\r\n/, ''), 'the balances do not prove it'],
    ['a negative credit that is a credit', REVERSED.replace('2 194,050', '2 294,050'), 'the balances do not prove it'],
    ['a sign and a mark', MARKED.replace('2 244,550 TND C', '-2 244,550 TND C'), 'expected an amount'],
    ['two dates', WITH_TOTALS.replaceAll('/03/', '-avr./'), 'expected a date'],
    ['a half-known month', MARKED.replaceAll('févr.', 'jui'), 'expected a date'],
  ])('is refused: %s', (_what, bytes, message) => {
    const said = refusalOf(() => readText(bytes));
    expect(said).toContain(message);
    expect(said).toMatch(/line \d+|expected one currency/);
  });

  test('is not proven by running balances alone, because nothing proves the first line', () => {
    expect(readText(WITH_TOTALS.replace(/Totaux.*\r\n/, ''))).toMatchObject({ verdict: 'no-proof' });
  });

  test('is proven by the opening balance and the running balances', () => {
    const rows = WITH_TOTALS.replace(/Totaux.*\r\n/, '').replace('Devise', 'Solde initial;;;;1 000,000\r\nDevise');
    expect(readText(rows)).toEqual(ok(FIGURES));
    expect(readText(rows.replace('1 000,000', '1 000,001'))).toMatchObject({ verdict: 'unbalanced' });
  });

  test('is not read as one account if a page names another one', () => {
    const other = PAGES.replace(/(Page 1[^]*Compte : )08 006 0123456789012 31/, `$1${OTHER_RIB}`);
    expect(readText(other)).toMatchObject({ verdict: 'no-proof', statements: [{ entries: 2 }, { entries: 2 }] });
  });
});
