import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { AssertionError, csvFigure, csvLine } from '../../../src/kernel';

const FORMULA = /^\s*[=+\-@＝＋－＠]/;
const risky = fc.string({
  unit: fc.constantFrom('=', '+', '-', '@', '＝', ';', ',', '|', '\t', '\r', '\n', ' ', '"', "'", 'a', '1', 'ع'),
  maxLength: 12,
});

test('no text in a line starts like a formula, at any separator of a spreadsheet', () => {
  fc.assert(
    fc.property(fc.array(risky, { minLength: 1, maxLength: 4 }), (fields) => {
      const [cells = []] = parse(csvLine(fields), { record_delimiter: '\r\n' });
      expect(cells).toHaveLength(fields.length);
      for (const cell of cells) {
        expect(cell).not.toMatch(FORMULA);
        expect(cell).not.toMatch(/^[\t\r\n]/);
      }
      // A list separator that is not the comma, with quotation marks that hold nothing together.
      for (const cell of csvLine(fields).split(/[,;|\t\r\n]/)) expect(cell.replace(/^"+/, '')).not.toMatch(FORMULA);
    }),
    { numRuns: 3_000 },
  );
});

test('text other than a formula is read back unchanged', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 4 }), (fields) => {
      fc.pre(!fields.some((field) => /[=+\-@＝＋－＠]|^[\t\r\n]/.test(field)));
      expect(parse(csvLine(fields), { record_delimiter: '\r\n' })).toEqual([fields]);
    }),
  );
});

test('numbers stay numbers, even negative and large ones', () => {
  expect(csvLine([-5, 12_345_678_901_234_567_890n, 'A-1', ''])).toBe('-5,12345678901234567890,A-1,\r\n');
});

test('a formula gets an apostrophe, text that only contains a sign does not', () => {
  expect(csvLine(['-1+2', 'a - b', '=x', 'a;=x'])).toBe(`"'-1+2","a - b","'=x","a;'=x"\r\n`);
});

test('text that starts with a tab or a line break gets an apostrophe, because a spreadsheet may drop them', () => {
  expect(csvLine(['\tx', '\r=x', 'a\tb'])).toBe(`"'\tx","'\r'=x","a\tb"\r\n`);
});

test('an amount with decimals stays a number, even if negative; the same text does not', () => {
  expect(csvLine([csvFigure('-12.500'), csvFigure('0'), '-12.500', '2026-03-02'])).toBe(
    `-12.500,0,"'-12.500",2026-03-02\r\n`,
  );
});

test('only digits are a number', () => {
  for (const text of ['', '-', '1,5', '=1', '+1', '1-2', '1.', '1\n']) {
    expect(() => csvFigure(text)).toThrow(AssertionError);
  }
});
