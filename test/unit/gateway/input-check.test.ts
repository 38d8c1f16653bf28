import { describe, expect, test } from '@jest/globals';
import { copyInput } from '../../../src/gateway/codec/copy-input';
import { FieldFaults, InputCheck } from '../../../src/gateway/codec/field-faults';
import { plainJsonObject } from '../../../src/gateway/codec/plain-json';

type Check = (check: InputCheck) => unknown;

function faultsOf(value: unknown, run: Check): readonly string[] {
  const check = new InputCheck({ field: value });
  run(check);
  try {
    check.done();
    return [];
  } catch (error) {
    if (error instanceof FieldFaults) return error.fields['field'] ?? [];
    throw error;
  }
}

const NO_TEXT = [undefined, null, 5, 5n, Symbol('s'), {}, [], ['a'], true, new String('a'), '\ud800', 'a\udc00b'];

describe.each<[string, Check, readonly unknown[], readonly unknown[]]>([
  [
    'an amount',
    (check) => check.amount('field'),
    [1, 1e3, 9_007_199_254_740_991],
    [0, -0, -1, 1.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, '1', 1n, null, undefined, new Number(1), [1]],
  ],
  ['a text', (check) => check.text('field', { max: 3 }), ['a', 'é', ' ', '👍a'], [...NO_TEXT, '', 'abcd', '👍👍']],
  ['an id', (check) => check.id('field'), ['a', '...', '../x', '.a', 'a/b'], [...NO_TEXT, '', '.', '..']],
  [
    'what goes into a header',
    (check) => check.headerText('field'),
    ['a:b~'],
    [...NO_TEXT, '', 'a b', 'a\r\nb', 'é', '\u0000'],
  ],
  [
    'a link',
    (check) => check.link('field'),
    ['https://a.example', 'https://a.example/x?y=é#z', 'http://localhost:1/x', 'http://127.0.0.1', 'http://[::1]/'],
    [
      ...NO_TEXT,
      '',
      'http://a.example',
      'a.example',
      '/x',
      'https:a',
      'https:\\\\a',
      'https://a.example/ x',
      ' https://a.example',
      'javascript:1',
      'https://',
    ],
  ],
  [
    'a UUID',
    (check) => check.uuid('field'),
    ['c0000000-0000-4000-8000-000000000001', 'C0000000-0000-4000-8000-00000000000F'],
    [
      ...NO_TEXT,
      '',
      'c0000000-0000-4000-8000-00000000000',
      '{c0000000-0000-4000-8000-000000000001}',
      'c0000000-0000-4000-8000-000000000001\n',
    ],
  ],
  [
    'an instant',
    (check) => check.instant('field'),
    ['2026-03-02T08:00:00Z', '2026-03-02T09:00:00+01:00'],
    [...NO_TEXT, '', '2026-03-02', '2026-03-02T08:00:00', '2026-02-30T08:00:00Z', new Date(0)],
  ],
  [
    'a whole number',
    (check) => check.whole('field', 1, 10),
    [1, 10],
    [0, 11, 1.5, '1', 1n, Number.NaN, null, undefined],
  ],
  ['a flag', (check) => check.flag('field'), [true, false], ['true', 1, 0, null, undefined, new Boolean(true)]],
  [
    'a word',
    (check) => check.oneOf('field', ['day', 'week']),
    ['day', 'week'],
    ['Day', '', null, undefined, ['day'], 'toString'],
  ],
])('%s', (_about, run, good, bad) => {
  test('is accepted', () => {
    for (const value of good) expect(faultsOf(value, run)).toEqual([]);
  });

  test('is refused for any other value', () => {
    for (const value of bad) expect(faultsOf(value, run)).not.toEqual([]);
  });
});

test('all faults of an input are reported together', () => {
  const check = new InputCheck({ paymentId: '', amountMillimes: 0 });
  check.text('paymentId');
  check.amount('amountMillimes');
  expect(() => check.done()).toThrow(/paymentId .*; amountMillimes /);
});

describe('a field that no check covers', () => {
  function refusalOf(input: unknown): FieldFaults['fields'] {
    const check = new InputCheck(input);
    check.text('paymentId');
    check.given('amountMillimes', 'amount', (name) => check.amount(name));
    try {
      check.done();
      return {};
    } catch (error) {
      if (error instanceof FieldFaults) return error.fields;
      throw error;
    }
  }

  test.each(['amount', 'amount_millimes', 'amountMillime', 'AmountMillimes', 'amount_in_millimes'])(
    'is refused with the correct name: %s',
    (name) => {
      const fields = refusalOf({ paymentId: 'P-1', [name]: 100 });
      expect(fields).toEqual({ [name]: ['is not a field of this call; did you mean amountMillimes?'] });
    },
  );

  test.each(['pre', 'constructor', 'toString', '', 'paymentId2x'])('is refused if the name is unknown: %j', (name) => {
    const fields = refusalOf({ paymentId: 'P-1', [name]: 100 });
    expect(Object.keys(fields)).toEqual([name]);
  });

  test('is refused even if its name is a prototype property', () => {
    expect(Object.keys(refusalOf(JSON.parse('{"paymentId": "P-1", "__proto__": 1}')))).toEqual(['__proto__']);
  });

  test('may be undefined, as an optional field may be', () => {
    expect(refusalOf({ paymentId: 'P-1', amountMillimes: undefined, amount: undefined })).toEqual({});
  });
});

test.each([undefined, null, 5, 'text', [], () => undefined])('%p is not an object of arguments', (input) => {
  expect(() => new InputCheck(input)).toThrow('arguments must be one object');
});

describe('a body sent unchanged', () => {
  test.each([[{}], [{ amount: 1, deep: { list: [1.5, 'é', null, true] } }]])('%j is copied', (body) => {
    expect(plainJsonObject(body)).toEqual(body);
  });

  test('omits undefined fields, like JSON', () => {
    expect(plainJsonObject({ amount: 1, note: undefined })).toEqual({ amount: 1 });
  });

  const circle: { self?: unknown } = {};
  circle.self = circle;
  const throwing = {
    get amount(): number {
      throw new Error('no');
    },
  };
  test.each([
    ['a number that is none', { amount: Number.NaN }],
    ['an infinite number', { amount: Number.POSITIVE_INFINITY }],
    ['a whole number that was rounded', { amount: 2 ** 53 }],
    ['a bigint', { amount: 1n }],
    ['a symbol', { amount: Symbol('s') }],
    ['a function', { amount: () => 1 }],
    ['half a character', { name: '\ud800' }],
    ['half a character in a name', { '\ud800': 1 }],
    ['a circle', circle],
    ['a getter that throws', throwing],
    ['an object that writes itself as a text', { toJSON: () => 'text' }],
    ['an object that writes itself as nothing', { toJSON: () => undefined }],
    ['an array', []],
    ['a text', 'text'],
    ['nothing', undefined],
    ['more than any body has', { text: 'a'.repeat(1_000_001) }],
  ])('is not %s', (_about, body) => {
    expect(plainJsonObject(body)).toBeUndefined();
  });
});

describe('the caller’s input', () => {
  test('is read once, so that it cannot change while the call waits', () => {
    let reads = 0;
    const input = {
      get paymentId(): string {
        reads += 1;
        return `P-${reads}`;
      },
    };
    const taken = copyInput('payments.refund', input);
    expect([taken.paymentId, taken.paymentId, reads]).toEqual(['P-1', 'P-1', 1]);
  });

  test('is refused if it cannot be read', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(() => copyInput('payments.refund', proxy)).toThrow('payments.refund: the arguments cannot be read');
  });
});
