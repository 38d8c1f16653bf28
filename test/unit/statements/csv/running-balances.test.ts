// Goal: the balances before and after the lines are computed from booked lines that state one.
// Method: exports with pending lines and with lines without a balance at both ends.
import { expect, test } from '@jest/globals';
import { csvFigures } from '../../../fixtures/statements/csv-figures';
import { aProfile, readRows } from './a-profile';

const HEADER = 'Date;Libellé;Débit;Crédit;Solde;Statut';
const BASE = aProfile();
const PROFILE = {
  ...BASE,
  columns: { ...BASE.columns, status: { column: 'Statut', booked: ['ok'], pending: ['attente'] } },
};
const row = (text: string, amount: string, balance: string, status = 'ok'): string =>
  amount.startsWith('-')
    ? `02/03/2026;${text};${amount.slice(1)};;${balance};${status}`
    : `02/03/2026;${text};;${amount};${balance};${status}`;

const FIRST = row('A', '10,000', '110,000');
const LAST = row('B', '-5,000', '105,000');

test.each([
  ['without a balance', ''],
  ['with a provisional balance', '112,000'],
])('ignores a pending line %s at either end', (_what, balance) => {
  const pending = row('P', '7,000', balance, 'attente');
  const figures = { opening: '100.000', closing: '105.000' };
  expect(csvFigures(readRows([HEADER, FIRST, LAST, pending], PROFILE))).toMatchObject(figures);
  const newestFirst = { ...PROFILE, order: 'newest-first' as const };
  expect(csvFigures(readRows([HEADER, pending, LAST, FIRST], newestFirst))).toMatchObject(figures);
  expect(csvFigures(readRows([HEADER, pending, FIRST, LAST], PROFILE))).toMatchObject(figures);
});

test('adds the lines without a balance at both ends', () => {
  const rows = [HEADER, row('A', '1,000', ''), row('B', '2,500', ''), FIRST, LAST, row('C', '-0,250', '')];
  expect(csvFigures(readRows(rows, PROFILE))).toMatchObject({ opening: '96.500', closing: '104.750' });
});

test('finds no end from one balance of several lines, unless the bank states the other', () => {
  const rows = [HEADER, row('A', '1,000', ''), FIRST];
  expect(csvFigures(readRows(rows, PROFILE))).toMatchObject({ opening: null, closing: null });
  const profile = { ...PROFILE, opening: aProfile({ opening: { label: '^avant' } }).opening };
  expect(csvFigures(readRows(['Avant;99,000', ...rows], profile))).toMatchObject({
    opening: '99.000',
    closing: '110.000',
  });
});

test('finds both ends from the balance of a single line', () => {
  expect(csvFigures(readRows([HEADER, FIRST], PROFILE))).toMatchObject({ opening: '100.000', closing: '110.000' });
});

test('finds no balance from pending lines alone', () => {
  const rows = [HEADER, row('P', '7,000', '112,000', 'attente')];
  expect(csvFigures(readRows(rows, PROFILE))).toMatchObject({ opening: null, closing: null });
});
