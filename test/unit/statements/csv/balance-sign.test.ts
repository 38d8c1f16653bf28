// Goal: a balance around the lines has the sign that the bank gave it, or the file is refused.
// Method: exports whose lines add up to zero, so that the balances would agree with either sign.
import { describe, expect, test } from '@jest/globals';
import { csvFigures } from '../../../fixtures/statements/csv-figures';
import { aProfile, readProposedRows, readRows, refusalOf } from './a-profile';

const TOP = ['RIB;08003000514000000123', 'Devise;TND'];
const HEADER = 'Date;Libellé;Débit;Crédit;Solde';
const LINES = ['01/04/2026;FRAIS;5,000;;', '02/04/2026;VIREMENT;;5,000;'];

/** The balances of an export with a row above its lines and one below them. */
function balancesOf(opening: string, closing: string): unknown {
  const { opening: before, closing: after } = csvFigures(
    readProposedRows([...TOP, HEADER, opening, ...LINES, closing]),
  );
  return [before, after];
}

describe('a balance below the heading', () => {
  test.each([
    ['the column of debits', ';Solde initial;1 000,000;;', ';Solde final;1 000,000;;'],
    ['the column of debits, with a label', ';Solde débiteur initial;1 000,000;;', ';Solde final débiteur;1 000,000;;'],
    ['the column of debits, label first', 'Solde initial;;1 000,000;;', 'Solde final;;1 000,000;;'],
    [
      'a label beside the column of balances',
      ';Solde initial débiteur;;;1 000,000',
      ';Solde final débiteur;;;1 000,000',
    ],
    [
      'equal amounts of which one has a sign',
      ';Solde initial;1 000,000;;-1 000,000',
      ';Solde final;1 000,000;;(1 000,000)',
    ],
    ['a mark behind it', ';Solde initial;;;1 000,000 D', ';Solde final;;;1 000,000 DB'],
    ['a mark in a cell', ';Solde initial;;D;1 000,000', ';Solde final;Dr;;1 000,000'],
    ['a mark at the end of the label', ';Solde initial (D);;;1 000,000', ';Solde final D;;;1 000,000'],
    ['a minus behind it', ';Solde initial;;;1 000,000-', ';Solde final;;;1 000,000 -'],
    ['a minus in the column of credits', ';Solde initial;;-1 000,000;', ';Solde final;;-1 000,000;'],
    ['a minus and a label', ';Solde débiteur initial;;;-1 000,000', ';Solde final débiteur;;;-1 000,000'],
  ])('is a debit by %s', (_what, opening, closing) => {
    expect(balancesOf(opening, closing)).toEqual(['-1000.000', '-1000.000']);
  });

  test.each([
    ['the column of credits', ';Solde initial;;1 000,000;', ';Solde final;;1 000,000;'],
    ['the column of balances', ';Solde initial;;;1 000,000', ';Solde final;;;1 000,000'],
    ['totals beside it', ';Solde initial;0,000;0,000;1 000,000', ';Solde final;5,000;5,000;1 000,000'],
    ['the label', ';Solde créditeur initial;;;1 000,000', ';Solde final créditeur;;;1 000,000'],
    ['a mark behind it', ';Solde initial;;;1 000,000 C', ';Solde final;;;1 000,000 CR'],
    ['an opening whose label has a lone d', ";Solde d'ouverture;;;1 000,000", ';Solde final;;;1 000,000'],
  ])('is a credit by %s', (_what, opening, closing) => {
    expect(balancesOf(opening, closing)).toEqual(['1000.000', '1000.000']);
  });

  test.each([
    ['a label against its column', ';Solde initial débiteur;;1 000,000;'],
    ['a label against its column, the other way', ';Solde initial créditeur;1 000,000;;'],
    ['a label against its sign', ';Solde initial créditeur;;;-1 000,000'],
    ['a label against its mark', ';Solde initial créditeur;D;;1 000,000'],
    ['both columns', ';Solde initial;1 000,000;2 000,000;'],
    ['a debit beside an equal balance without a sign', ';Solde initial;1 000,000;;1 000,000'],
    ['a minus in the column of debits', ';Solde initial;-1 000,000;;'],
  ])('is refused for %s', (_what, opening) => {
    const text = refusalOf(() => balancesOf(opening, ';Solde final;;;1 000,000'));
    expect(text).toMatch(/line 4: expected a balance that is clearly a debit or a credit in the row "Solde initial/);
    expect(text).toContain('write it with a sign, or beside "débiteur" or "créditeur"');
  });

  test('is zero whatever its column', () => {
    expect(balancesOf(';Solde initial;0,000;;', ';Solde final débiteur;;0,000;')).toEqual(['0.000', '0.000']);
  });

  test('has the sign of its column with a date too', () => {
    const profile = aProfile({ opening: { label: '^report' }, closing: { label: '^solde fin' } });
    const rows = (opening: string): string[] => [HEADER, opening, ...LINES, '02/04/2026;Solde fin;1000,000;;'];
    const found = readRows(rows('01/04/2026;Report;1000,000;;'), profile);
    expect(csvFigures(found)).toMatchObject({ opening: '-1000.000', closing: '-1000.000', entries: 2 });
    const both = refusalOf(() => readRows(rows('01/04/2026;Report;1000,000;7,000;'), profile));
    expect(both).toContain('line 2: expected a balance that is clearly a debit or a credit');
  });

  test('has the minus of a bank that writes its debits with one', () => {
    const rows = [...TOP, HEADER, ';Solde initial;-1 000,000;;', ...LINES, ';Solde final;-1 000,000;;'];
    const found = readProposedRows(rows.map((row) => row.replace(';5,000;;', ';-5,000;;')));
    expect(csvFigures(found)).toMatchObject({ opening: '-1000.000', closing: '-1000.000', debits: '5.000' });
  });
});

describe('a balance above the heading', () => {
  const balancesAbove = (opening: string): unknown => {
    const rows = [...TOP, opening, HEADER, ...LINES, ';Solde final;;;1 000,000'];
    return csvFigures(readProposedRows(rows)).opening;
  };

  test.each([
    ['Solde initial;1 000,000', '1000.000'],
    ['Solde initial;1 000,000;D', '-1000.000'],
    ['Solde initial;D;1 000,000', '-1000.000'],
    ['Solde initial débiteur;1 000,000', '-1000.000'],
    ['Solde initial au;28/02/2026;1 000,000;TND;débiteur', '-1000.000'],
    ['Solde initial : 1 000,000 TND', '1000.000'],
    ['Solde initial au 28/02/2026 : -1 000,000', '-1000.000'],
    ['Solde initial;;1 000,000;;', '-1000.000'],
    ['Solde initial;;;1 000,000;', '1000.000'],
  ])('is read with its sign: %s', (row, opening) => {
    expect(balancesAbove(row)).toBe(opening);
  });

  test('is refused right beside its label in the column of debits, where it may be in no column', () => {
    const rows = ['Devise;TND', 'Solde initial;1 000,000', 'Date;Débit;Crédit;Libellé', '01/04/2026;5,000;;A'];
    expect(refusalOf(() => readProposedRows(rows))).toContain(
      'line 2: expected a balance that is clearly a debit or a credit in the row "Solde initial", got "1 000,000"',
    );
  });
});

describe('a balance in a file with a word for each direction', () => {
  const rows = (opening: string): string[] => [
    ...['Devise;TND', 'Date;Libellé;Montant;Sens', opening],
    ...['01/04/2026;FRAIS;5,000;D', '02/04/2026;VIREMENT;5,000;C', ';Solde final;1 000,000;D'],
  ];

  test('has the word of its row', () => {
    expect(csvFigures(readProposedRows(rows(';Solde initial;1 000,000;D')))).toMatchObject({
      ...{ opening: '-1000.000', closing: '-1000.000', debits: '5.000', credits: '5.000' },
    });
  });

  test('is refused without a word', () => {
    expect(refusalOf(() => readProposedRows(rows(';Solde initial;1 000,000;')))).toContain(
      'line 3: expected a balance that is clearly a debit or a credit',
    );
  });
});

test('a running balance has the mark behind it', () => {
  const rows = [
    ...[...TOP, HEADER, ';Solde initial;;;1,500 C', '01/04/2026;FRAIS;2,000;;0,500 D', '02/04/2026;VIR;;2,000;1,500 C'],
    ';Solde final;;;1,500 C',
  ];
  const { lines } = readProposedRows(rows);
  expect(lines.map(({ balanceAfter }) => balanceAfter?.units)).toEqual([-500n, 1_500n]);
});

describe('words for debits and credits right of the balances', () => {
  const HEADED = [...TOP, 'Date;Libellé;Débit;Crédit;Solde;Sens'];
  const lines = (first: string, second: string): string[] => [
    `02/04/2026;VIR;;250,375;${first}`,
    `03/04/2026;FRAIS;10,250;;${second}`,
  ];

  test.each([
    [
      'around the lines',
      ['Solde initial;;;;2 000,500;D', ...lines('1 750,125;D', '1 760,375;D'), 'Solde final;;;;1 760,375;D'],
    ],
    ['of totals', [...lines('1 750,125;D', '1 760,375;D'), 'Totaux;;10,250;250,375;;']],
  ])('are their signs, as balances %s prove', (_what, rows) => {
    const found = readProposedRows([...HEADED, ...rows]);
    expect(csvFigures(found)).toMatchObject({
      ...{ opening: '-2000.500', closing: '-1760.375', credits: '250.375', debits: '10.250' },
    });
    expect(found.lines[0]?.balanceAfter?.units).toBe(-1_750_125n);
  });

  test('are no signs if the balances prove it, as words that repeat the side of an amount', () => {
    const rows = ['Solde initial;;;;1 000,500;', ...lines('1 250,875;C', '1 240,625;D'), 'Solde final;;;;1 240,625;'];
    expect(csvFigures(readProposedRows([...HEADED, ...rows]))).toMatchObject({
      opening: '1000.500',
      closing: '1240.625',
    });
  });

  test('leave a file without proof if its column has no name and no second line moves money', () => {
    const header = HEADED.map((row) => row.replace('Sens', ''));
    const rows = [
      '02/04/2026;VIR;;250,375;1 750,125;D',
      '03/04/2026;AVIS;0,000;;1 750,125;D',
      'Totaux;;0,000;250,375;;',
    ];
    expect(csvFigures(readProposedRows([...header, ...rows]))).toMatchObject({ opening: null, closing: null });
  });

  test.each([
    ['a sign beside a word', '-1 750,125;D', 'column "Solde": expected an amount without a sign'],
    ['an unknown word', '1 750,125;X', `column "Sens": expected one of the profile's words for debit or credit`],
  ])('are refused with %s', (_what, balance, fault) => {
    const direction = { column: 'Sens', debit: ['D'], credit: ['C'] };
    const profile = aProfile({ columns: { ...aProfile().columns, direction }, thousandsSeparators: [' '] });
    expect(refusalOf(() => readRows([HEADED.at(-1) ?? '', ...lines(balance, '1 760,375;D')], profile))).toContain(
      fault,
    );
  });
});
