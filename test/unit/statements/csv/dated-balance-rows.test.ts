// Goal: a balance that a bank writes as if it were a line is never booked as money.
// Method: exports whose first or last row is such a balance, by profiles that know its label and by ones that do not.
import { describe, expect, test } from '@jest/globals';
import { csvFigures } from '../../../fixtures/statements/csv-figures';
import { aProfile, HEADER, readProposedRows, readRows, refusalOf } from './a-profile';

const OPENING = '01/03/2026;SOLDE INITIAL;;5000,000;5000,000';
const LINES = ['02/03/2026;VIR X;;250,000;5250,000', '03/03/2026;FRAIS;50,000;;5200,000'];
const FIGURES = { opening: '5000.000', closing: '5200.000', entries: 2, credits: '250.000', debits: '50.000' };

describe('a row with a date whose label the profile knows', () => {
  test.each([
    ['as the opening balance', { opening: { label: '^solde initial' } }],
    ['as a row that says nothing', { otherRows: ['^solde initial'] }],
  ])('is no line above the first one: %s', (_what, labels) => {
    expect(csvFigures(readRows([HEADER, OPENING, ...LINES], aProfile(labels)))).toMatchObject(FIGURES);
  });

  test.each([
    ['the balance alone', '01/03/2026;REPORT;;;5000,000', '5000.000'],
    ['a debit for an overdraft', '01/03/2026;REPORT;5000,000;;', '-5000.000'],
    ['a debit beside a signed balance', '01/03/2026;REPORT;5000,000;;-5000,000', '-5000.000'],
    ['a credit', '01/03/2026;REPORT;0,000;5000,000;', '5000.000'],
  ])('gives its balance where it fills %s', (_what, row, opening) => {
    const profile = aProfile({ opening: { label: '^report$' } });
    expect(csvFigures(readRows([HEADER, row, ...LINES], profile))).toMatchObject({ opening, entries: 2 });
  });

  test('is no line below the last one, also above a footer', () => {
    const profile = aProfile({ closing: { label: '^nouveau solde' }, totals: { label: '^totaux' } });
    const rows = [HEADER, ...LINES, '04/03/2026;NOUVEAU SOLDE;;5200,000;', ';Totaux;50,000;250,000;'];
    expect(csvFigures(readRows(rows, profile))).toMatchObject(FIGURES);
    const [totals, closing] = [rows.pop() ?? '', rows.pop() ?? ''];
    expect(csvFigures(readRows([...rows, totals, closing], profile))).toMatchObject(FIGURES);
  });

  test('is a line between lines, as every row there', () => {
    const profile = aProfile({ otherRows: ['^frais'] });
    const rows = [HEADER, ...LINES, '04/03/2026;VIR Y;;1,000;5201,000'];
    expect(csvFigures(readRows(rows, profile))).toMatchObject({ entries: 3, debits: '50.000' });
  });

  test('gives way to the balance that stands above the header', () => {
    const profile = aProfile({ opening: { label: '^solde initial' } });
    const rows = ['Solde initial;;;;5000,000', HEADER, OPENING, ...LINES];
    expect(csvFigures(readRows(rows, profile))).toMatchObject(FIGURES);
  });

  test('makes a statement without lines of two balances', () => {
    const profile = aProfile({ opening: { label: '^solde initial' }, closing: { label: '^solde final' } });
    const rows = [HEADER, OPENING, '31/03/2026;SOLDE FINAL;;5000,000;5000,000'];
    expect(csvFigures(readRows(rows, profile))).toMatchObject({ opening: '5000.000', closing: '5000.000', entries: 0 });
  });

  test('stays a line where only a label of totals fits: somebody has such a name', () => {
    const profile = aProfile({ otherRows: ['^total'] });
    const rows = [HEADER, ...LINES, '04/03/2026;TOTAL ENERGIES;20,000;;5180,000'];
    expect(csvFigures(readRows(rows, profile))).toMatchObject({ entries: 3, debits: '70.000' });
  });

  test('is refused where it moves money, and the label says that it is nothing', () => {
    const rows = [HEADER, ...LINES, '04/03/2026;AMORCE;;20,000;5220,000'];
    expect(refusalOf(() => readRows(rows, aProfile({ otherRows: ['^amorce'] })))).toContain(
      'line 4, column "Libellé": "AMORCE" fits otherRows, and its row moves money: name it as opening or closing',
    );
  });
});

describe('a row with a date that states a balance and that no profile knows', () => {
  test.each([
    ...['SOLDE INITIAL', 'SOLDE  INITIAL', 'Report', 'REPORT AU 28/02/2026', 'ANCIEN SOLDE', 'SALDO', 'Saldo anterior'],
    ...['BALANCE BROUGHT FORWARD', 'Solde au 01/03/2026', 'SOLDE CREDITEUR AU 28.02.2026', 'Balance b/f', 'Solde :'],
  ])('is refused as the first row: %s', (label) => {
    const rows = [HEADER, OPENING.replace('SOLDE INITIAL', label), ...LINES];
    expect(refusalOf(() => readRows(rows, aProfile()))).toContain(
      `line 2, column "Libellé": ${JSON.stringify(label)} states a balance and is no movement: ` +
        'name its label in a profile, as opening: { "label": "^',
    );
    expect(refusalOf(() => readProposedRows(['Devise;TND', ...rows]))).toContain('line 3, column "Libellé": ');
  });

  test('is refused as the last row, with the label to name', () => {
    const rows = [HEADER, ...LINES, '31/03/2026;SOLDE FINAL;;5200,000;5200,000'];
    const said = 'line 4, column "Libellé": "SOLDE FINAL" states a balance and is no movement';
    expect(refusalOf(() => readRows(rows, aProfile()))).toContain(said);
    expect(refusalOf(() => readRows(rows, aProfile()))).toContain('closing: { "label": "^solde final" }');
    expect(refusalOf(() => readProposedRows(['Devise;TND', ...rows]))).toContain(said.replace('line 4', 'line 5'));
  });

  test.each(['S A L D O', 'SOLDE   INITIAL', 'Balance b/f', 'Report :'])(
    'names a label that then reads the file: %s',
    (text) => {
      const rows = [HEADER, OPENING.replace('SOLDE INITIAL', text), ...LINES];
      const label = /"label": ("[^"]+")/.exec(refusalOf(() => readRows(rows, aProfile())))?.[1] ?? '""';
      const profile = aProfile({ opening: { label: String(JSON.parse(label)) } });
      expect(csvFigures(readRows(rows, profile))).toMatchObject(FIGURES);
    },
  );

  test.each([
    'REPORT ANNUEL SARL',
    'SOLDE DE TOUT COMPTE',
    'SALDOS SHOP',
    'SOLDE DEBITEUR FRAIS',
    'BALANCE YOGA',
    'SOLDES INITIALES',
  ])('is not %s', (text) => {
    const rows = [HEADER, LINES[0]?.replace('VIR X', text) ?? ''];
    expect(csvFigures(readRows(rows, aProfile()))).toMatchObject({ entries: 1, credits: '250.000' });
  });
});
