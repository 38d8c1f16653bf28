// Goal: forms of MT940 outside the standard that banks write are read as the bank meant them, in pieces of any size.
// Method: small hand-written messages, each read as a whole and byte by byte.
import { describe, expect, test } from '@jest/globals';
import { decimalText, type ParsedLine } from '../../../../src/statements';
import { createMt940Reader, TEXT_CHARACTERS_MAX } from '../../../../src/statements/testing';
import { type ReadStatement, readStatements } from '../../../support/read-events';
import { faultOf, mt940 } from './mt940-text';

/** Reads a text whole, and checks that its single bytes give the same. */
function read(text: string): ReadStatement[] {
  const bytes = Buffer.from(text);
  const whole = readStatements(createMt940Reader({ utf8: true }), bytes);
  expect(readStatements(createMt940Reader({ utf8: true }), bytes, 1)).toEqual(whole);
  return whole;
}

function linesOf(text: string): ParsedLine[] {
  return read(text).flatMap(({ lines }) => lines);
}

function shapesOf(text: string): string[] {
  return read(text).map(({ statement, lines }) =>
    [statement.account ?? '', ...lines.map(({ remittance }) => remittance)].join('|'),
  );
}

const LINE = ':61:260302D1,NTRF';
const ACCOUNT = 'TN5900000000000000000001';

describe('a lone hyphen', () => {
  test.each([
    ['another line follows', [LINE, ':86:A', '-', 'B', LINE, ':86:C'], `${ACCOUNT}|A - B|C`],
    ['the next :86: follows', [LINE, ':86:A', '-', ':86:B'], `${ACCOUNT}|A - B`],
    ['the closing balance follows', [LINE, ':86:A', '-'], `${ACCOUNT}|A -`],
    ['another hyphen follows', [LINE, ':86:A', '-', '', '-', 'B'], `${ACCOUNT}|A - - B`],
    [
      'wrapped text that begins like a tag follows',
      [LINE, ':86:AT 09', '-', ':12:30', 'B'],
      `${ACCOUNT}|AT 09 - :12:30 B`,
    ],
    ['it is in the text of a :61:', [LINE, '-', 'MORE', LINE, ':86:C'], `${ACCOUNT}|- MORE|C`],
  ])('is text if %s', (_when, lines, shape) => {
    expect(shapesOf(mt940(...lines))).toEqual([shape]);
  });

  const INTERIM = [':20:A', ':25:1', ':28C:1', ':34F:TND1,', LINE, ':86:A'];

  test.each([
    ['another message', [...INTERIM, '-', ':20:B', ':25:2', LINE], ['1|A', '2|']],
    ['another account', [...INTERIM, '-', ':25:2', LINE], ['1|A', '2|']],
    ['an envelope', [...INTERIM, '-', '{1:F01BANKTNTT}{4:', ':20:B', ':25:2', LINE, '-}'], ['1|A', '2|']],
    ['the lines of a header outside', [...INTERIM, '-', 'BANK', '', ':20:B', ':25:2', LINE], ['1|A', '2|']],
    ['the end of the file', [...INTERIM, '-', ''], ['1|A']],
    ['text at the end of the file', [...INTERIM, '-', 'END OF FILE'], ['1|A']],
    ['another page', [...INTERIM, '-', ':60M:C260302TND1,', LINE], ['1|A', '|']],
  ])('ends the message before %s', (_what, lines, shapes) => {
    expect(shapesOf(lines.join('\r\n'))).toEqual(shapes);
  });

  test('ends a message with its closing balance, whatever text follows', () => {
    const text = mt940(LINE, ':86:A').replace(/-\r\n$/, ':86:OF THE STATEMENT\r\n-\r\nTEXT\r\n:64:C260302TND1,\r\n');
    expect(faultOf(text)).toContain('expected a balance or a line in the statement');
  });

  test('is outside the message if the text after it is longer than a field may be', () => {
    const long = Array.from({ length: 1_200 }, () => 'x'.repeat(60));
    expect(1_200 * 60).toBeGreaterThan(TEXT_CHARACTERS_MAX);
    expect(shapesOf([...INTERIM, '-', ...long, ':20:B', ':25:2', LINE].join('\n'))).toEqual(['1|A', '2|']);
  });
});

describe('a :61:', () => {
  const partsOf = (text: string): unknown => {
    const [line] = linesOf(mt940(text));
    return line && [decimalText(line.amount), line.transactionCode, line.endToEndId, line.bankReference].join('|');
  };

  test.each([
    [':61:2603020302D12,35 NRTI', '-12.35|NRTI||'],
    [':61:2603020302C 1250,500 NTRFINV-7//BANK-9', '1250.500|NTRF|INV-7|BANK-9'],
    [':61:260302D12 NTRF', '-12|NTRF||'],
    [':61:260302CN220000,00//BANK-9', '220000.00|||BANK-9'],
    [':61:260302CN220000,00 //BANK-9', '220000.00|||BANK-9'],
    [':61:260302C1,50//A//B', '1.50|||A//B'],
  ])('is read in the form %s', (line, parts) => {
    expect(partsOf(line)).toBe(parts);
  });

  test.each([
    [':61:260302D12,35  NRTI', 'expected a transaction type such as NTRF after the amount, got "  NRTI"'],
    [':61:260302D12 350,00NRTI', 'expected a transaction type such as NTRF after the amount, got " 350,00NRTI"'],
    [':61:260302D12,35/BANK-9', 'expected a transaction type such as NTRF after the amount, got "/BANK-9"'],
    [':61:260302D12 N110', 'expected a comma in the amount before a type of digits, got "12N110"'],
  ])('is refused in the form %s', (line, fault) => {
    expect(faultOf(mt940(line))).toBe(`line 5: ${fault}`);
  });
});

describe('a file in one line', () => {
  const LINES = mt940(':61:2603020302C12,500NTRFA//B', ':86:PAY@HOME', 'MORE', ':61:260302D12,500NTRF', ':86:C');
  const ONE_LINE = LINES.trimEnd().replaceAll('\r\n', '@@');

  test.each([
    ['as it is', ONE_LINE],
    ['with signs around it', `@@${ONE_LINE}@@`],
    ['with a line break at its end', `${ONE_LINE}\r\n`],
    ['after a line of the bank', `BANK 10:15:30\r\n${ONE_LINE}`],
    ['with line breaks, too', ONE_LINE.replace('@@:86:C', '\r\n:86:C')],
  ])('is read like one in many lines, %s', (_how, text) => {
    const [{ statement, lines } = { statement: undefined, lines: [] }, ...others] = read(text);
    expect(others).toEqual([]);
    expect(statement).toMatchObject({ account: ACCOUNT, opening: { amount: { units: 100_000n } } });
    expect(lines.map(({ amount, remittance }) => [decimalText(amount), remittance])).toEqual([
      ['12.500', 'PAY@HOME MORE'],
      ['-12.500', 'C'],
    ]);
  });

  test('may have several messages, each in a line or all in one', () => {
    for (const between of ['\r\n', '@@', '']) {
      expect(read(`${ONE_LINE}@@${between}${ONE_LINE}`)).toHaveLength(2);
    }
  });

  test('leaves the first of three signs to the text', () => {
    expect(linesOf(ONE_LINE.replace('MORE@@', 'MORE@@@')).at(0)?.remittance).toBe('PAY@HOME MORE@');
  });

  test('names its parts by their number in faults', () => {
    expect(faultOf(ONE_LINE.replace('C12,500', 'C12;500'))).toBe(
      'line 5: expected a transaction type such as NTRF after the amount, got ";500NTRFA//B"',
    );
  });

  test('is not one whose tags stand on lines: there the signs are text', () => {
    const [line] = linesOf(mt940(LINE, ':86:MAIL A@@B', '@@:61:260302D9,NTRF'));
    expect(line?.remittance).toBe('MAIL A@@B @@:61:260302D9,NTRF');
  });

  test('is read in pieces that end between its signs', () => {
    const bytes = Buffer.from(ONE_LINE);
    const whole = read(ONE_LINE);
    for (let size = 2; size < 40; size += 1) {
      expect(readStatements(createMt940Reader({ utf8: true }), bytes, size)).toEqual(whole);
    }
  });
});
