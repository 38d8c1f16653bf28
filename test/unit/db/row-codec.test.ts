import { expect, test } from '@jest/globals';
import { column, rowCodec } from '../../../src/db';
import { millimes } from '../../../src/kernel';

const CODEC = rowCodec({
  id: column.text('id'),
  amount: column.millimes('amount_millimes'),
  closedAt: column.optional(column.number('closed_at')),
  isTest: column.flag('is_test'),
  status: column.word('status', ['open', 'closed']),
});

const ROW = { id: 'A', amount_millimes: '12500', closed_at: null, is_test: 1, status: 'open' };
const VALUES = { id: 'A', amount: millimes(12_500), closedAt: undefined, isTest: true, status: 'open' } as const;

test('reads a row into its fields, numbers that a driver returned as text too', () => {
  expect(CODEC.read(ROW)).toEqual(VALUES);
});

test('writes only the fields that are given and stores undefined as null', () => {
  expect(CODEC.write({ closedAt: undefined, isTest: false })).toEqual({ closed_at: null, is_test: 0 });
  expect(CODEC.read(CODEC.write(VALUES))).toEqual(VALUES);
});

test('names the columns of an alias', () => {
  expect(CODEC.columns('a')).toEqual(['a.id', 'a.amount_millimes', 'a.closed_at', 'a.is_test', 'a.status']);
  expect(CODEC.column('amount')).toBe('amount_millimes');
});

test.each([
  ['a column that the query did not return', { ...ROW, id: undefined }, 'column id holds a undefined'],
  ['null where the column may not be empty', { ...ROW, id: null }, 'column id holds a null'],
  ['a word outside its list', { ...ROW, status: 'gone' }, 'column status holds a string'],
  ['text that is not a number', { ...ROW, closed_at: 'soon' }, 'column closed_at holds a string'],
  ['a number where text belongs', { ...ROW, id: 7 }, 'column id holds a number'],
])('refuses %s without repeating the value', (_what, row, message) => {
  expect(() => CODEC.read(row)).toThrow(message);
});
