import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isJsonObject, ownValue, parseStrictJson } from '../../../src/kernel';

const strict = (text: string, depthMax = 8) => parseStrictJson(text, { depthMax, refuseDuplicateKeys: true });

describe('strict JSON', () => {
  test.each(['', ' ', '{', '{"a":}', "{'a':1}", '{"a":1,}', 'NaN', '01', '{"a":1}x', '"\n"', '\ufeff{}', 'undefined'])(
    'refuses %p, which is not JSON',
    (text) => {
      expect(strict(text)).toEqual({ ok: false, fault: 'not_json' });
    },
  );

  test('accepts exactly the allowed number of levels', () => {
    expect(strict('[[1]]', 2).ok).toBe(true);
    expect(strict('[[1]]', 1)).toEqual({ ok: false, fault: 'too_deep' });
    expect(strict('{"a":{"b":[]}}', 3).ok).toBe(true);
    expect(strict('{"a":{"b":[]}}', 2)).toEqual({ ok: false, fault: 'too_deep' });
    expect(strict('7', 0)).toEqual({ ok: true, value: 7 });
  });

  test('counts levels, not brackets side by side', () => {
    expect(strict('[[],[],[],[]]', 2).ok).toBe(true);
  });

  test('refuses a hundred thousand brackets without parsing them, closed or not', () => {
    expect(strict('['.repeat(100_000))).toEqual({ ok: false, fault: 'too_deep' });
    expect(strict('['.repeat(100_000) + ']'.repeat(100_000))).toEqual({ ok: false, fault: 'too_deep' });
  });

  test.each([
    ['brackets in a text', '{"a":"[[[[[[{{{{{{"}', { a: '[[[[[[{{{{{{' }],
    ['colons in a text', '{"a":"b:c:d"}', { a: 'b:c:d' }],
    ['colons in a key', '{"a:b":1}', { 'a:b': 1 }],
    ['an escaped quote before a bracket', '{"a":"\\"[:","b":1}', { a: '"[:', b: 1 }],
    ['a backslash at the end of a text', '{"a":"\\\\","b":":"}', { a: '\\', b: ':' }],
    ['the same key in two objects', '[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
    ['the same key at two levels', '{"a":{"a":1}}', { a: { a: 1 } }],
  ])('accepts %s', (_what, text, value) => {
    expect(strict(text)).toEqual({ ok: true, value });
  });

  test.each([
    ['plainly', '{"a":1,"a":2}'],
    ['with the same value', '{"a":1,"a":1}'],
    ['with an escape', '{"a":1,"\\u0061":2}'],
    ['deep inside', '[{"x":[{"a":1,"b":2,"a":3}]}]'],
    ['empty', '{"":1,"":2}'],
    ['named like the prototype', '{"__proto__":1,"__proto__":2}'],
    ['beside the prototype, as an object', '{"__proto__":{"a":1},"__proto__":{}}'],
  ])('refuses a repeated key, %s', (_how, text) => {
    expect(strict(text)).toEqual({ ok: false, fault: 'duplicate_key' });
  });

  test('accepts a repeated key only where it may', () => {
    expect(parseStrictJson('{"a":1,"a":2}', { depthMax: 1 })).toEqual({ ok: true, value: { a: 2 } });
  });

  test('accepts all output of JSON.stringify with the same value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        expect(strict(text, 10)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  test('refuses any object in which a key is repeated', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 }), (object) => {
        const text = JSON.stringify(object);
        const again = `${text.slice(0, -1)},${JSON.stringify(Object.keys(object)[0])}:null}`;
        expect(strict(again, 10)).toEqual({ ok: false, fault: 'duplicate_key' });
      }),
    );
  });
});

describe('a decoded object', () => {
  test('keeps __proto__ as a key of its own and changes no prototype', () => {
    const parsed = strict('{"__proto__":{"polluted":true}}');
    const value: unknown = parsed.ok ? parsed.value : undefined;
    expect(isJsonObject(value) && ownValue(value, '__proto__')).toEqual({ polluted: true });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('shows no property of its prototype', () => {
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(ownValue({}, key)).toBeUndefined();
    }
  });

  test.each<[unknown, boolean]>([
    [{}, true],
    [null, false],
    [[], false],
    ['{}', false],
    [0, false],
    [undefined, false],
  ])('%p is one: %p', (value, expected) => {
    expect(isJsonObject(value)).toBe(expected);
  });
});
