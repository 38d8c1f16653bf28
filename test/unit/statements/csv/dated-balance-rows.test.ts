// Goal: a balance that a bank writes in the form of a line is never imported as money.
// Method: exports whose first or last row is such a balance, by profiles with and without its label.
import { describe, expect, test } from '@jest/globals';
import { csvFigures } from '../../../fixtures/statements/csv-figures';
import { aProfile, HEADER, readProposedRows, readRows, refusalOf } from './a-profile';

const OPENING = '01/03/2026;SOLDE INITIAL;;5000,000;5000,000';
const LINES = ['02/03/2026;VIR X;;250,000;5250,000', '03/03/2026;FRAIS;50,000;;5200,000'];
const FIGURES = { opening: '5000.000', closing: '5200.000', entries: 2, credits: '250.000', debits: '50.000' };

describe('a dated balance row with a known label', () => {
  test.each([
    ['as the opening balance', { opening: { label: '^solde initial' } }],
    ['as a row that says nothing', { otherRows: ['^solde initial'] }],
  ])('is a balance above the first line: %s', (_what, labels) => {
    expect(csvFigures(readRows([HEADER, OPENING, ...LINES], aProfile(labels)))).toMatchObject(FIGURES);
  });

  test.each([
    ['the balance alone', '01/03/2026;REPORT;;;5000,000', '5000.000'],
    ['a debit for an overdraft', '01/03/2026;REPORT;5000,000;;', '-5000.000'],
    ['a debit beside a signed balance', '01/03/2026;REPORT;5000,000;;-5000,000', '-5000.000'],
    ['a credit', '01/03/2026;REPORT;0,000;5000,000;', '5000.000'],
  ])('is read as a balance if it fills %s', (_what, row, opening) => {
    const profile = aProfile({ opening: { label: '^report$' } });
    expect(csvFigures(readRows([HEADER, row, ...LINES], profile))).toMatchObject({ opening, entries: 2 });
  });

  test('is a balance below the last line, even above a footer', () => {
    const profile = aProfile({ closing: { label: '^nouveau solde' }, totals: { label: '^totaux' } });
    const rows = [HEADER, ...LINES, '04/03/2026;NOUVEAU SOLDE;;5200,000;', ';Totaux;50,000;250,000;'];
    expect(csvFigures(readRows(rows, profile))).toMatchObject(FIGURES);
    const [totals, closing] = [rows.pop() ?? '', rows.pop() ?? ''];
    expect(csvFigures(readRows([...rows, totals, closing], profile))).toMatchObject(FIGURES);
  });

  test('is a line if it stands between lines', () => {
    const profile = aProfile({ otherRows: ['^frais'] });
    const rows = [HEADER, ...LINES, '04/03/2026;VIR Y;;1,000;5201,000'];
    expect(csvFigures(readRows(rows, profile))).toMatchObject({ entries: 3, debits: '50.000' });
  });

  test('has less weight than the balance above the header', () => {
    const profile = aProfile({ opening: { label: '^solde initial' } });
    const rows = ['Solde initial;;;;5000,000', HEADER, OPENING, ...LINES];
    expect(csvFigures(readRows(rows, profile))).toMatchObject(FIGURES);
  });

  test('may be the only rows, as two balances of a statement without lines', () => {
    const profile = aProfile({ opening: { label: '^solde initial' }, closing: { label: '^solde final' } });
    const rows = [HEADER, OPENING, '31/03/2026;SOLDE FINAL;;5000,000;5000,000'];
    expect(csvFigures(readRows(rows, profile))).toMatchObject({ opening: '5000.000', closing: '5000.000', entries: 0 });
  });

  test('is a line if only a label of totals matches, because a person may have that name', () => {
    const profile = aProfile({ otherRows: ['^total'] });
    const rows = [HEADER, ...LINES, '04/03/2026;TOTAL ENERGIES;20,000;;5180,000'];
    expect(csvFigures(readRows(rows, profile))).toMatchObject({ entries: 3, debits: '70.000' });
  });

  test('is refused if it moves money although its label names a balance', () => {
    const rows = [HEADER, ...LINES, '04/03/2026;AMORCE;;20,000;5220,000'];
    expect(refusalOf(() => readRows(rows, aProfile({ otherRows: ['^amorce'] })))).toContain(
      'line 4, column "Libellé": "AMORCE" fits otherRows, and its row moves money: name it as opening or closing',
    );
  });
});

describe('a dated balance row with an unknown label', () => {
  test.each([
    ...['SOLDE INITIAL', 'SOLDE  INITIAL', 'Report', 'REPORT AU 28/02/2026', 'ANCIEN SOLDE', 'SALDO', 'Saldo anterior'],
    ...['BALANCE BROUGHT FORWARD', 'Solde au 01/03/2026', 'SOLDE CREDITEUR AU 28.02.2026', 'Balance b/f', 'Solde :'],
  ])('is refused as the first row: %s', (label) => {
    const rows = [HEADER, OPENING.replace('SOLDE INITIAL', label), ...LINES];
    expect(refusalOf(() => readRows(rows, aProfile()))).toContain(
      `line 2, column "Libellé": ${JSON.stringify(label)} states a balance and is no movement: ` +
        'name its label in a profile, as opening: { "label": "^',
    );
  });

  test.each(['SALDO', 'Report', 'BALANCE BROUGHT FORWARD', 'Solde :'])('is refused by a proposal too: %s', (label) => {
    const rows = ['Devise;TND', HEADER, OPENING.replace('SOLDE INITIAL', label), ...LINES];
    expect(refusalOf(() => readProposedRows(rows))).toContain('line 3, column "Libellé": ');
  });

  test.each(['SOLDE INITIAL', 'ANCIEN SOLDE', 'Solde au 01/03/2026', 'SOLDE CREDITEUR AU 28/02/2026'])(
    'is the opening balance of a proposal that knows its label: %s',
    (label) => {
      const rows = ['Devise;TND', HEADER, OPENING.replace('SOLDE INITIAL', label), ...LINES];
      expect(csvFigures(readProposedRows(rows))).toMatchObject(FIGURES);
    },
  );

  test('is the closing balance of a proposal, and a line if another line follows', () => {
    const rows = ['Devise;TND', HEADER, OPENING, ...LINES, '31/03/2026;SOLDE FINAL;;5200,000;5200,000'];
    expect(csvFigures(readProposedRows(rows))).toMatchObject(FIGURES);
    const followed = [...rows, '31/03/2026;VIR Z;;1,000;5201,000'];
    expect(csvFigures(readProposedRows(followed))).toMatchObject({ closing: '5201.000', credits: '5451.000' });
  });

  test('is refused as a balance of a day that may be before or after the lines', () => {
    const rows = [HEADER, LINES[0] ?? '', '02/03/2026;SOLDE AU 02/03/2026;;5250,000;5250,000'];
    expect(refusalOf(() => readProposedRows(['Devise;TND', ...rows]))).toContain('states a balance and is no movement');
    expect(refusalOf(() => readRows(rows, aProfile({ closing: { label: '^solde au' } })))).toContain(
      'line 3: expected the balance of a day before or after the lines, got "02/03/2026 SOLDE AU 02/03/2026',
    );
  });

  test('is no line if it carries the balance from page to page', () => {
    const rows = ['Devise;TND', HEADER, OPENING, LINES[0] ?? '', '02/03/2026;A REPORTER;;5250,000;5250,000', HEADER];
    const pages = [
      ...rows,
      '03/03/2026;REPORT;;5250,000;5250,000',
      LINES[1] ?? '',
      '03/03/2026;SOLDE FINAL;;;5200,000',
    ];
    expect(csvFigures(readProposedRows(pages))).toMatchObject(FIGURES);
    const withoutHeading = pages.filter((row, index) => row !== HEADER || index === 1);
    expect(csvFigures(readProposedRows(withoutHeading))).toMatchObject({ entries: 4 });
  });

  test('is no payment of a balance, which a proposal refuses, and no text that only begins like one', () => {
    const rows = ['Devise;TND', HEADER, OPENING, ...LINES, '04/03/2026;SOLDE AU FOURNISSEUR;20,000;;5180,000'];
    expect(refusalOf(() => readProposedRows(rows))).toContain('states a balance and is no movement');
    const auto = rows.map((row) => row.replace('AU FOURNISSEUR', 'AUTO'));
    expect(readProposedRows(auto).lines).toHaveLength(3);
  });

  test('is refused as the last row, and the error names its label', () => {
    const rows = [HEADER, ...LINES, '31/03/2026;SOLDE FINAL;;5200,000;5200,000'];
    const said = 'line 4, column "Libellé": "SOLDE FINAL" states a balance and is no movement';
    expect(refusalOf(() => readRows(rows, aProfile()))).toContain(said);
    expect(refusalOf(() => readRows(rows, aProfile()))).toContain('closing: { "label": "^solde final" }');
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

describe('a balance brought forward without a date', () => {
  const REPORT = ';REPORT;;;5000,000';
  const FINAL = ';Solde final;;;5200,000';
  const rows = (...more: readonly string[]): string[] => ['Devise;TND', HEADER, REPORT, ...more];

  test.each([
    ['a closing balance', rows(...LINES, FINAL)],
    ['running balances', rows(...LINES)],
    [
      'balances over pages',
      rows(LINES[0] ?? '', ';A REPORTER;;;5250,000', HEADER, ';REPORT;;;5250,000', LINES[1] ?? '', FINAL),
    ],
  ])('is the opening balance of a proposal that %s prove', (_what, given) => {
    expect(csvFigures(readProposedRows(given))).toMatchObject(FIGURES);
  });

  test('leaves a file without proof if the balances do not agree with it', () => {
    const given = rows(...LINES, FINAL).map((row) => row.replace(REPORT, ';REPORT;;;4000,000'));
    expect(csvFigures(readProposedRows(given))).toMatchObject({ ...FIGURES, opening: null });
  });

  test('has less weight than an opening balance', () => {
    const given = rows(...LINES, FINAL).map((row) => row.replace(REPORT, `${REPORT}\n;Solde initial;;;4000,000`));
    expect(csvFigures(readProposedRows(given))).toMatchObject({ opening: '4000.000' });
  });
});
