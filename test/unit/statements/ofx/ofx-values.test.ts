import { describe, expect, test } from '@jest/globals';
import { decimalText } from '../../../../src/statements';
import { looksLikeOfx } from '../../../../src/statements/reading/ofx/looks-like-ofx';
import { parseOfxAmount } from '../../../../src/statements/reading/ofx/ofx-amount';
import { parseOfxDate } from '../../../../src/statements/reading/ofx/ofx-date';

function textOf(written: string, currency: string): string | undefined {
  const reading = parseOfxAmount(written, currency);
  return reading.ok ? decimalText(reading.amount) : undefined;
}

describe('an amount in OFX', () => {
  test.each([
    ['12.50', '12.50'],
    ['+12.50', '12.50'],
    ['-12,5', '-12.5'],
    ['-.50', '-0.50'],
    ['1234.', '1234'],
    ['0', '0'],
    ['0,500', '0.500'],
  ])('reads %j as %s', (written, text) => {
    expect(textOf(written, 'EUR')).toBe(text);
  });

  test.each([
    '',
    '-',
    '.',
    '1e3',
    '1.234.567',
    '1,234.56',
    '1 234',
    '- 1',
    '1-',
    '(1)',
    '0x1',
    'NaN',
    '\u0661',
    '9'.repeat(31),
  ])('refuses %j', (written) => {
    expect(parseOfxAmount(written, 'TND')).toEqual({ ok: false, expected: 'an amount' });
  });

  test.each(['1,000', '1.000', '999.000', '-15.000'])(
    'reads %j with three decimals in a currency that has them',
    (written) => {
      expect(parseOfxAmount(written, 'TND')).toMatchObject({ ok: true, amount: { scale: 3 }, exact: false });
    },
  );

  test.each(['1.000', '-30.000', '12.340'])('reads %j in a currency with two decimals, and marks it', (written) => {
    expect(parseOfxAmount(written, 'USD')).toMatchObject({ ok: true, exact: true });
    expect(textOf(written, 'USD')).toBe(written);
  });

  test.each([
    ['-30.125', 'USD', 'an amount with at most 2 decimals, as USD has'],
    ['1,000', 'USD', 'an amount with at most 2 decimals, as USD has, because this may be thousands'],
    ['-15.000', 'CLP', 'an amount with at most 0 decimals, as CLP has, because this may be thousands'],
    ['1.000', undefined, 'a currency (CURDEF) before an amount that may be decimals or thousands'],
    ['1.000', 'XYZ', 'a currency (CURDEF) before an amount that may be decimals or thousands'],
  ])('refuses %j in %s with the reason', (written, currency, expected) => {
    expect(parseOfxAmount(written, currency)).toEqual({ ok: false, expected });
  });

  test.each(['0.500', '1234.500', '12.5000'])(
    'reads %j, which is not a group of digits, in any currency',
    (written) => {
      expect(parseOfxAmount(written, 'EUR').ok).toBe(true);
    },
  );
});

describe('a date in OFX', () => {
  test.each([
    '20260131',
    '20260131235959',
    '20260131235959.000[-5:EST]',
    '20260131000000[-03:EST]',
    '20260131000000[+12]',
    '2026-01-31',
    '2026-01-31T23:59:59Z',
  ])('is the day that %j begins with', (written) => {
    expect(parseOfxDate(written)).toBe('2026-01-31');
  });

  test.each(['', '****', '20260230', '31012026', '2026013', '202601311', '2026-0131', '20260131x', '00000000'])(
    'is not %j',
    (written) => {
      expect(parseOfxDate(written)).toBeUndefined();
    },
  );
});

describe('looksLikeOfx', () => {
  test.each([
    'OFXHEADER:100\nDATA:OFXSGML',
    '\r\n\r\n<OFX>',
    '\u00ef\u00bb\u00bfOFXHEADER:100',
    '<?xml version="1.0"?>\n<?OFX OFXHEADER="200"?>',
    '<?OFX OFXHEADER="200"?><OFX>',
    'DATA:OFXSGML\r\nVERSION:102\r\n\r\n<OFX>',
    'Content-Type: application/x-ofx\n\nOFXHEADER:100\n\n<OFX>',
    '\u00ef\u00bb\u00bf\n \t<!-- by a bank -->\n<ofx>',
    '<?xml version="1.0"?><!-- by a bank --><!-- again --> <OFX xmlns="x">',
  ])('is true for a file that starts with %j', (head) => {
    expect(looksLikeOfx(head)).toBe(true);
  });

  test.each([
    '',
    '<OFXX>',
    'Date;Amount\n1;<OFX>',
    'Version: 2\nDate;Amount\n',
    `a:${'b='.repeat(30_000)}`,
    '<?xml version="1.0"?><Document>',
    ':20:OFX',
    '<!-- <OFX>',
    `<?xml ${' '.repeat(65_000)}`,
    '<!--'.repeat(16_000),
  ])('is false for another start: %#', (head) => {
    expect(looksLikeOfx(head)).toBe(false);
  });
});
