import { describe, expect, test } from '@jest/globals';
import { ReadBody } from '../../../src/gateway/codec/read-body';
import { ShapeFault } from '../../../src/gateway/codec/shape-fault';
import { businessCalendar } from '../../../src/kernel';

// Goal: money in an answer is exact or refused, never rounded, and an unknown amount is never zero.
// Method: JSON text as on the wire, so that the effect of JSON.parse on numbers is part of the test.

function read(amount: string): ReadBody {
  return new ReadBody(JSON.parse(`{"amount":${amount}}`), 'the answer', businessCalendar('Africa/Tunis'));
}

describe('an amount', () => {
  test.each([
    ['0', 0],
    ['-0', 0],
    ['1500', 1500],
    ['1500.0', 1500],
    ['1.5e3', 1500],
    ['9007199254740991', 9_007_199_254_740_991],
    ['"0"', 0],
    ['"1500"', 1500],
    ['"9007199254740991"', 9_007_199_254_740_991],
  ])('%s is %s millimes', (text, millimes) => {
    expect(read(text).millimes('amount')).toBe(millimes);
  });

  test.each([
    '9007199254740992',
    '9007199254740993',
    '1e16',
    '1e400',
    '1.5',
    '-1',
    '"9007199254740992"',
    '"9007199254740993"',
    '"0150"',
    '"00"',
    '"-0"',
    '"-1"',
    '"+1"',
    '"1.0"',
    '"1e3"',
    '" 1"',
    '"1 "',
    '"1\\n"',
    '"١٢"',
    '"0x10"',
    '"1,000"',
    '""',
    'null',
    'true',
    '[]',
    '[1]',
    '{}',
  ])('%s is refused without being shown', (text) => {
    const amount = (): unknown => read(text).millimes('amount');
    expect(amount).toThrow(ShapeFault);
    expect(amount).toThrow('the answer.amount is not a whole number of millimes');
  });

  test('that is missing is refused if it is required', () => {
    expect(() => read('1').millimes('fee')).toThrow(ShapeFault);
  });

  test.each(['""', 'null'])('%s is unknown, not zero (open point 26)', (text) => {
    expect(read(text).millimesOrNull('amount')).toBeNull();
  });

  test('that may be unknown may be absent, and nothing else', () => {
    expect(read('1').millimesOrNull('fee')).toBeNull();
    expect(read('"7"').millimesOrNull('amount')).toBe(7);
    for (const text of ['" "', 'false', '[]', '1.5', '-1']) {
      expect(() => read(text).millimesOrNull('amount')).toThrow(ShapeFault);
    }
  });

  test.each([
    ['-1500', -1500],
    ['-0', 0],
    ['"-1500"', -1500],
    ['"-0"', 0],
    ['7', 7],
  ])('that is a balance may be %s', (text, millimes) => {
    expect(read(text).signedMillimes('amount')).toBe(millimes);
  });

  test.each(['-9007199254740992', '"--1"', '"- 1"', '-1.5', '""', 'null'])(
    'that is a balance may not be %s',
    (text) => {
      expect(() => read(text).signedMillimes('amount')).toThrow(ShapeFault);
    },
  );
});

test('a field is never read from the prototype', () => {
  const body = new ReadBody(JSON.parse('{}'), 'the answer', businessCalendar('Africa/Tunis'));
  for (const name of ['constructor', 'toString', '__proto__']) expect(body.value(name)).toBeUndefined();
});

test.each([undefined, null, 'text', 5, true, [], [{}]])('%j is not an answer', (raw) => {
  expect(() => new ReadBody(raw, 'the answer', businessCalendar('Africa/Tunis'))).toThrow(
    'the answer is not an object',
  );
});

test.each(['https://checkout.example/P-1', 'http://127.0.0.1:9090/checkout/P-1', 'https://checkout.example/p?x=é'])(
  'a link for a browser may be %s',
  (link) => {
    expect(read(JSON.stringify(link)).link('amount')).toBe(link);
  },
);

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  '/checkout/P-1',
  '//checkout.example',
  'https:checkout.example',
  'https:\\\\checkout.example',
  'https://checkout.example/\n',
  ' https://checkout.example',
  '',
])('a link for a browser may not be %j', (link) => {
  expect(() => read(JSON.stringify(link)).link('amount')).toThrow(ShapeFault);
});

function bodyOf(raw: unknown): ReadBody {
  return new ReadBody(raw, 'the answer', businessCalendar('Africa/Tunis'));
}

describe('a currency', () => {
  test('is the dinar', () => {
    expect(bodyOf({ currency: 'TND' }).currency('currency')).toBe('TND');
    expect(bodyOf({ currency: 'TND' }).currencyOrNull('currency')).toBe('TND');
  });

  test.each(['EUR', 'tnd', ' TND', 'TND\n', 788, ['TND'], true])(
    '%j is refused, even if it may be absent',
    (currency) => {
      expect(() => bodyOf({ currency }).currency('currency')).toThrow(ShapeFault);
      expect(() => bodyOf({ currency }).currencyOrNull('currency')).toThrow(ShapeFault);
    },
  );

  test.each([{}, { currency: null }, { currency: '' }])('may be absent only where it is optional: %j', (raw) => {
    expect(() => bodyOf(raw).currency('currency')).toThrow(ShapeFault);
    expect(bodyOf(raw).currencyOrNull('currency')).toBeNull();
  });
});

test.each([
  [{ count: 3 }, 3],
  [{ count: '3' }, 3],
  [{ count: 0 }, 0],
  [{}, undefined],
  [{ count: null }, undefined],
  [{ count: -1 }, undefined],
  [{ count: 1.5 }, undefined],
  [{ count: 'many' }, undefined],
  [{ count: '9007199254740993' }, undefined],
])('the total row count of %j is %s', (raw, count) => {
  expect(bodyOf(raw).rowCount()).toBe(count);
});

test.each([{}, { link: null }, { link: '' }])('an optional link may be absent: %j', (raw) => {
  expect(bodyOf(raw).linkOrNull('link')).toBeNull();
});

test('an optional link must be valid for a browser', () => {
  expect(() => bodyOf({ link: 'javascript:alert(1)' }).linkOrNull('link')).toThrow(ShapeFault);
});
