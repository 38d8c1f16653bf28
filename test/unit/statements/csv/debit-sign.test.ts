// Goal: a minus in the debit column is accepted only by a profile that states it, and then in each debit.
// Method: one export with such debits and one without, by both profiles and by a proposed one.
import { describe, expect, test } from '@jest/globals';
import { proposeProfile } from '../../../../src/statements/testing';
import { csvFigures } from '../../../fixtures/statements/csv-figures';
import { aProfile, HEADER, readProposedRows, readRows, refusalOf } from './a-profile';

const MINUS = aProfile({ debitSign: 'minus' });
const ROWS = [
  HEADER,
  '02/03/2026;A;-46,800;;53,200',
  '03/03/2026;B;;+20,000;73,200',
  '04/03/2026;C;-3,200;0,000;70,000',
];
const FIGURES = { opening: '100.000', closing: '70.000', credits: '20.000', debits: '50.000' };

describe('debits with a minus sign', () => {
  test('are read by a profile that names them; a credit may have a plus sign', () => {
    expect(csvFigures(readRows(ROWS, MINUS))).toMatchObject(FIGURES);
  });

  test.each([
    [
      'a debit without one',
      ROWS[1]?.replace('-46', '46'),
      'column "Débit": expected a debit with a minus, as debitSign states, got "46,800"',
    ],
    [
      'a debit with a plus',
      ROWS[1]?.replace('-46', '+46'),
      'column "Débit": expected a debit with a minus, as debitSign states, got "+46,800"',
    ],
    [
      'a credit with a minus',
      ROWS[2]?.replace('+20', '-20'),
      'column "Crédit": expected a credit without a minus, got "-20,000"',
    ],
  ])('refuse %s', (_what, row, message) => {
    expect(refusalOf(() => readRows([HEADER, row ?? ''], MINUS))).toContain(`line 2, ${message}`);
  });

  test('are refused by a profile without that setting, as is a plus sign', () => {
    const said = refusalOf(() => readRows(ROWS, aProfile()));
    expect(said).toContain('line 2, column "Débit": expected an amount without a sign, got "-46,800"');
    expect(said).toContain('line 3, column "Crédit": expected an amount without a sign, got "+20,000"');
  });

  test('have totals with a minus sign', () => {
    const profile = aProfile({ debitSign: 'minus', totals: { label: '^totaux' } });
    const { totals } = readRows([...ROWS, 'Totaux;;-50,000;20,000;'], profile).statement;
    expect(totals).toMatchObject({ debits: { units: 50_000n }, credits: { units: 20_000n } });
    expect(refusalOf(() => readRows([...ROWS, 'Totaux;;50,000;20,000;'], profile))).toContain(
      'line 5: expected a debit with a minus, as debitSign states, got "50,000"',
    );
  });

  test('have totals without a minus sign if the lines have none', () => {
    const rows = [HEADER, '02/03/2026;A;46,800;;', 'Totaux;;-46,800;0,000;'];
    expect(refusalOf(() => readRows(rows, aProfile({ totals: { label: '^totaux' } })))).toContain(
      'line 3: expected an amount without a sign, got "-46,800"',
    );
  });

  test('need separate columns of debits and credits', () => {
    const columns = { bookingDate: 'Date', remittance: 'Libellé', amount: 'Montant' };
    expect(() => aProfile({ columns, debitSign: 'minus' })).toThrow('needs the columns debit and credit');
  });
});

describe('a proposed profile', () => {
  const named = (rows: readonly string[]): string[] => ['Devise;TND', ...rows];

  test('has the debit sign if each debit has a minus sign, and reads the file', () => {
    const { profile, reasons } = proposeProfile(Buffer.from(named(ROWS).join('\n')));
    expect(profile.debitSign).toBe('minus');
    expect(reasons).toContain('debits and credits have a column each; each debit has a minus');
    expect(csvFigures(readProposedRows(named(ROWS)))).toMatchObject({ credits: '20.000', debits: '50.000' });
  });

  test('has no debit sign if no debit has one', () => {
    const rows = named(ROWS).map((row) => row.replaceAll(/[-+]/g, ''));
    expect(proposeProfile(Buffer.from(rows.join('\n'))).profile.debitSign).toBe('none');
  });

  test('is not created from debits with and without a minus sign, or a credit with one', () => {
    const mixed = named(ROWS).map((row) => row.replace('-3,200', '3,200'));
    expect(refusalOf(() => readProposedRows(mixed))).toContain(
      'line 3: the debit "-46,800" has a minus\nline 5: the debit',
    );
    const credit = named(ROWS).map((row) => row.replace('+20', '-20'));
    expect(refusalOf(() => readProposedRows(credit))).toContain(
      'line 4: expected a credit without a minus, got "-20,000"',
    );
  });
});
