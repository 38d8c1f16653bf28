import { describe, expect, test } from '@jest/globals';
import { dayWindow } from '../../../src/cli/day-window';
import { formatWait } from '../../../src/cli/format-wait';
import { amountOption, countOption, dayOption, splitOption } from '../../../src/cli/option-values';
import { paymentRequest } from '../../../src/cli/payment-create';
import { readFileOrStdin } from '../../../src/cli/read-file-or-stdin';
import { businessCalendar, formatInstant, shownText } from '../../../src/kernel';

describe('an amount on the command line', () => {
  test('is a whole number of millimes', () => {
    expect(amountOption('--amount', '12500')).toBe(12_500);
  });

  test.each(['0', '-5', '12.5', '12,5', '1e3', '012', ' 1', '', '9007199254740993'])(
    'is refused if it is %j',
    (text) => {
      expect(() => amountOption('--amount', text)).toThrow('--amount: expected whole millimes above 0, got ');
    },
  );
});

describe('a count on the command line', () => {
  test('is at most what the command takes', () => {
    expect(countOption('--limit', '10', 10)).toBe(10);
    expect(() => countOption('--limit', '11', 10)).toThrow('--limit: expected a whole number from 1 to 10, got "11"');
  });

  test.each(['0', '-1', '1.5', 'all', ''])('is refused if it is %j', (text) => {
    expect(() => countOption('--limit', text, 10)).toThrow('--limit');
  });
});

describe('the parts of a split', () => {
  test("are merchants and millimes, even if a merchant's name has an equals sign", () => {
    expect(splitOption(['shop=400', 'a=b=100'])).toEqual([
      { destination: 'shop', amountMillimes: 400 },
      { destination: 'a=b', amountMillimes: 100 },
    ]);
  });

  test.each(['shop', '=400', 'shop=', 'shop=4.5', 'shop=0'])('are refused if one is %j', (part) => {
    expect(() => splitOption([part])).toThrow('--split');
  });
});

describe('the options of a payment', () => {
  test('create a request of the kind that they name', () => {
    expect(paymentRequest({ amount: '5000' }).kind).toBe('standard');
    expect(paymentRequest({ amount: '5000', binding: true, clientId: 'C-1' })).toMatchObject({
      kind: 'binding',
      clientId: 'C-1',
    });
    expect(paymentRequest({ amount: '5000', preauthorize: true }).kind).toBe('preauthorization');
    expect(paymentRequest({ amount: '5000', split: ['shop=400'] })).toMatchObject({
      kind: 'split',
      destination: [{ destination: 'shop', amountMillimes: 400 }],
    });
  });

  test('cannot request two kinds, or no amount', () => {
    expect(() => paymentRequest({ amount: '5000', binding: true })).toThrow('--binding: needs the customer');
    expect(() => paymentRequest({ amount: '5000', binding: true, preauthorize: true })).toThrow(
      '--binding, --preauthorize, --split: expected only one of these options',
    );
    expect(() => paymentRequest({})).toThrow('--amount, --file: expected one of these options');
  });
});

describe('days on the command line', () => {
  test.each([
    ['02/03/2026', 'a date as YYYY-MM-DD'],
    ['2026-02-30', 'an existing date from 1970-01-01 to 2199-12-31'],
    ['2999-01-01', 'an existing date from 1970-01-01 to 2199-12-31'],
  ])('refuses %s: expected %s', (text, expected) => {
    expect(() => dayOption('--through', text)).toThrow(`--through: expected ${expected}, got "${text}"`);
  });

  const calendar = businessCalendar('Africa/Tunis');

  test('range from the first instant of the first day to the last instant of the last', () => {
    const { from, until } = dayWindow({ from: '2026-03-02', to: '2026-03-03' }, calendar);
    expect([formatInstant(from), formatInstant(until)]).toEqual([
      '2026-03-01T23:00:00.000Z',
      '2026-03-03T23:00:00.000Z',
    ]);
  });

  test('are refused if the first is after the last', () => {
    expect(() => dayWindow({ from: '2026-03-03', to: '2026-03-02' }, calendar)).toThrow(
      '--from: expected a date not after 2026-03-02, got "2026-03-03"',
    );
  });
});

describe('a time to wait', () => {
  test.each([
    [1, '1 s'],
    [119_001, '2 min'],
    [30_000, '30 s'],
    [7_199_000, '2 h'],
    [86_400_000, '24 h'],
  ])('of %d ms is printed as %s, never too short', (waitMs, text) => {
    expect(formatWait(waitMs)).toBe(text);
  });
});

describe('shownText', () => {
  test('makes line ends, cursor moves and hidden characters visible', () => {
    expect(shownText('a\nb\u001b[2J\u202e')).toBe('a\\nb\\u001b[2J\\u202e');
  });

  test('returns other text unchanged', () => {
    expect(shownText('Café "Le Nil"')).toBe('Café "Le Nil"');
  });
});

describe('a request pasted on standard input', () => {
  async function* chunksOf(...chunks: Buffer[]): AsyncGenerator<Buffer> {
    yield* chunks;
  }

  test('is read byte for byte in any pieces', async () => {
    const bytes = Buffer.from('{"a":"é"}');
    expect(await readFileOrStdin('-', chunksOf(bytes.subarray(0, 7), bytes.subarray(7)))).toEqual(bytes);
  });

  test('is refused if it is larger than any webhook', async () => {
    await expect(readFileOrStdin('-', chunksOf(Buffer.alloc(3_000_000), Buffer.alloc(3_000_000)))).rejects.toThrow(
      '4 MiB',
    );
  });
});
