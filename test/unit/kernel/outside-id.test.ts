import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareBytes, isOutsideId, outsideIdFault } from '../../../src/kernel';

describe('an external identifier', () => {
  test.each([
    ['letters', 'AGENT1'],
    ['small letters', 'agent1'],
    ['leading zeros', '004711'],
    ['a number with a fraction', '4711.0'],
    ['a UUID', '5f0c1d5e-7f8a-4f4e-9d7b-2f9d6a3a1b2c'],
    ['Arabic', 'وكيل-١'],
    ['composed accents', 'caf\u00e9'],
    ['decomposed accents', 'cafe\u0301'],
    ['a mark from right to left', 'وكيل\u200f'],
    ['emoji', '👩🏽‍💻'],
    ['inner spaces', 'a  b'],
    ['an inner no-break space', 'a\u00a0b'],
    ['the name of a method', '__proto__'],
    ['SQL', "' or 1=1 --"],
    ['a path', '../../etc/passwd'],
    ['a percent sign', '%00'],
    ['255 bytes', 'x'.repeat(255)],
    ['255 bytes of longer characters', 'é'.repeat(127) + 'x'],
  ])('may be %s', (_what, id) => {
    expect(outsideIdFault(id)).toBeUndefined();
    expect(isOutsideId(id)).toBe(true);
  });

  test.each([
    ['nothing', '', 'is empty'],
    ['256 bytes', 'x'.repeat(256), 'is longer than 255 bytes'],
    ['128 characters of 256 bytes', 'é'.repeat(128), 'is longer than 255 bytes'],
    ['a NUL', 'a\u0000b', 'has control characters'],
    ['a line feed', 'a\nb', 'has control characters'],
    ['a trailing line feed', 'a\n', 'has control characters'],
    ['ESC', 'a\u001b[31m', 'has control characters'],
    ['DEL', 'a\u007f', 'has control characters'],
    ['a C1 control', 'a\u0085b', 'has control characters'],
    ['a line separator', 'a\u2028b', 'has control characters'],
    ['a paragraph separator', 'a\u2029b', 'has control characters'],
    ['a lone high surrogate', 'a\ud800', 'is not valid Unicode'],
    ['a lone low surrogate', '\udc00a', 'is not valid Unicode'],
    ['a leading space', ' a', 'has outer spaces'],
    ['a trailing space', 'a ', 'has outer spaces'],
    ['only a space', ' ', 'has outer spaces'],
    ['a trailing no-break space', 'a\u00a0', 'has outer spaces'],
    ['a leading ideographic space', '\u3000a', 'has outer spaces'],
    ['a byte order mark', '\ufeffa', 'has outer spaces'],
  ])('is refused when it is %s', (_what, id, fault) => {
    expect(outsideIdFault(id)).toBe(fault);
    expect(isOutsideId(id)).toBe(false);
  });

  test.each<[unknown]>([[0], [4711], [true], [null], [undefined], [[]], [['a']], [{}], [{ agent_id: 'a' }]])(
    'is refused when it is not a text: %p',
    (value) => {
      expect(isOutsideId(value)).toBe(false);
    },
  );
});

describe('the order of identifiers', () => {
  test('is byte order, even where UTF-16 differs', () => {
    expect(['\uff5e', '😀'].sort(compareBytes)).toEqual(['\uff5e', '😀']);
    expect(['\uff5e', '😀'].sort()).toEqual(['😀', '\uff5e']);
  });

  test('is that of the bytes for every pair of texts', () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom('a', '\uff5e', '😀'), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
    });
    const bytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
    fc.assert(fc.property(text, text, (a, b) => Math.sign(compareBytes(a, b)) === bytes(a, b)));
  });
});
